import type { ComparedState, WireBuiltObject, WireComparedFile, WireComparison } from '#lib/api/git/compare.ts';
import { comparePath } from '#lib/api/paths.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Section } from '../ui/page/page.tsx';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import type { CompareParams } from './compare-params.ts';

const columns: readonly Column[] = [
  { name: 'status', width: '128px', title: 'File is' },
  { name: 'file', width: '44%', title: 'File' },
  { name: 'objects', title: 'Built from it' },
];

interface ComparedFilesProps {
  readonly comparison: WireComparison;
  readonly params: CompareParams;
}

/** The files of both directories, those that differ where nothing else is asked for; each with what is built from it. */
export function ComparedFiles({ comparison, params }: ComparedFilesProps) {
  const { files, asked } = comparison;
  return (
    <Section id="files" title="Files">
      <Choices comparison={comparison} params={params} />
      {files.length === 0 ? (
        <p className="py-3 text-mute">
          {asked === 0 ? 'There is no such file.' : 'None of them is among those that are listed.'}
        </p>
      ) : (
        <Ledger name="compared" caption="Files of both directories" columns={columns} rows={files.length}>
          <tbody>
            {files.map((file, index) => (
              <Row key={file.path} file={file} index={index} params={params} />
            ))}
          </tbody>
        </Ledger>
      )}
      {files.length < asked && (
        <p className="py-2 text-mute">
          {formatCount(files.length)} of {countOf(asked, 'file')} are listed: compare a directory beneath these to see
          the others.
        </p>
      )}
    </Section>
  );
}

const words: Readonly<Record<ComparedState, string>> = {
  different: 'different',
  'left-only': 'only left',
  'right-only': 'only right',
  equal: 'equal',
};

function Choices({ comparison: { counts }, params }: ComparedFilesProps) {
  const { different, leftOnly, rightOnly, equal } = counts;
  const choices: readonly (readonly [ComparedState, number])[] = [
    ['different', different],
    ['left-only', leftOnly],
    ['right-only', rightOnly],
    ['equal', equal],
  ];
  const { only, file: _file, ...rest } = params;
  return (
    <nav className="tabs" aria-label="Which files">
      <Link href={comparePath(rest)} prefetch={false} aria-current={only === undefined ? 'page' : undefined}>
        {formatCount(different + leftOnly + rightOnly)} not equal
      </Link>
      {choices.map(([state, count]) => (
        <Link
          key={state}
          href={comparePath({ ...rest, only: state })}
          prefetch={false}
          aria-current={only === state ? 'page' : undefined}
        >
          {formatCount(count)} {words[state]}
        </Link>
      ))}
    </nav>
  );
}

interface RowProps extends Pick<ComparedFilesProps, 'params'> {
  readonly file: WireComparedFile;
  readonly index: number;
}

function Row({ file: { path, status, content, objects, objectCount }, index, params }: RowProps) {
  return (
    <tr data-index={index} aria-current={params.file === path ? 'true' : undefined}>
      <td className="status whitespace-nowrap">{words[status]}</td>
      <th scope="row" className="file">
        {content === 'text' || content === 'link' ? (
          <Link
            className="link"
            href={`${comparePath({ ...params, file: path })}#lines`}
            prefetch={false}
            data-row-link
          >
            {path}
          </Link>
        ) : (
          <span>
            {path} <span className="text-mute">{content === 'too-large' ? 'too large to be shown' : content}</span>
          </span>
        )}
      </th>
      <td className="objects">
        {objects === null ? (
          <span className="text-mute">not told</span>
        ) : objectCount === 0 ? (
          <span className="text-mute">nothing that is seen</span>
        ) : (
          <Objects objects={objects} count={objectCount} />
        )}
      </td>
    </tr>
  );
}

const shownAtFirst = 3;

function Objects({ objects, count }: { readonly objects: readonly WireBuiltObject[]; readonly count: number }) {
  const more = count - objects.length;
  const each = objects.map(({ href, cluster, name, verdict }) => (
    <li key={href}>
      <VerdictGlyph verdict={verdict} />{' '}
      <Link className="link" href={href} prefetch={false}>
        {name}
      </Link>{' '}
      <span className="text-mute">
        on {cluster}, {verdictLabel(verdict).toLowerCase()}
      </span>
    </li>
  ));
  if (objects.length <= shownAtFirst) return <ul>{each}</ul>;
  return (
    <details className="commit-fold">
      <summary>{countOf(count, 'object')}</summary>
      <ul>
        {each}
        {more > 0 && <li className="text-mute">and {countOf(more, 'more object')}</li>}
      </ul>
    </details>
  );
}
