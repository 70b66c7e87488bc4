import Link from 'next/link';
import type { Cell, DocumentTable } from '#lib/report/document.ts';
import { Commit, CommitWords } from '../ui/commit.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';

/** A table of a report. */
export function ReportTable({ table, label }: { readonly table: DocumentTable; readonly label: string }) {
  const { columns, rows, none, more } = table;
  if (rows.length === 0) return <p className="text-mute">{none}</p>;
  const align = (index: number) => (columns[index]?.right === true ? 'right' : undefined);
  return (
    <>
      <div className="report-scroll">
        <table className="report-table" aria-label={label}>
          <thead>
            <tr>
              {columns.map(({ title }, index) => (
                <th key={title} scope="col" className={align(index)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Rows of a report never move: it is made once.
              <tr key={index}>
                {row.map((cell, column) =>
                  column === 0 ? (
                    <th key={columns[column]?.title} scope="row">
                      <CellText cell={cell} />
                    </th>
                  ) : (
                    <td key={columns[column]?.title} className={align(column)}>
                      <CellText cell={cell} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more.text !== '' && (
        <p className="pt-1 text-mute">
          <Linked href={more.href} text={more.text} />
        </p>
      )}
    </>
  );
}

function CellText({ cell: { text, href, verdict, commit } }: { readonly cell: Cell }) {
  if (commit !== undefined)
    return (
      <>
        <Commit commit={commit} href={null} /> <CommitWords commit={commit} />
      </>
    );
  return (
    <>
      {text.startsWith(' ') && <span className="inline-block w-[18px]" />}
      {verdict !== undefined && (
        <>
          <VerdictGlyph verdict={verdict} alone />{' '}
        </>
      )}
      <Linked href={href} text={text.trim()} />
    </>
  );
}

/** Text that leads somewhere where it has an address. */
export function Linked({ href, text }: { readonly href: string | undefined; readonly text: string }) {
  if (href === undefined) return text;
  if (href.startsWith('#'))
    return (
      <a className="link" href={href}>
        {text}
      </a>
    );
  return (
    <Link className="link" href={href} prefetch={false}>
      {text}
    </Link>
  );
}
