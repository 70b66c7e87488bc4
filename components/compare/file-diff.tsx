import type { WireComparison, WireFileDiff } from '#lib/api/git/compare.ts';
import { comparePath } from '#lib/api/paths.ts';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Section } from '../ui/page/page.tsx';
import type { CompareParams } from './compare-params.ts';

interface FileDiffProps {
  readonly diff: WireFileDiff;
  readonly comparison: WireComparison;
  readonly params: CompareParams;
}

const marks = { same: ' ', left: '−', right: '+' } as const;
const said = { same: '', left: 'only left: ', right: 'only right: ' } as const;

/** The lines of one file on both sides: − for those of the left alone, + for those of the right. */
export function FileDiff({ diff: { file, content, hunks, cut }, comparison: { left, right }, params }: FileDiffProps) {
  const { file: _file, ...rest } = params;
  return (
    <Section id="lines" title={file} note={`− ${left.path}, + ${right.path}`}>
      {hunks.length === 0 ? (
        <p className="py-2 text-mute">
          {content === 'text' ? 'Its lines are equal.' : `It is not shown: ${words[content]}.`}
        </p>
      ) : (
        <table className="diff">
          <caption className="sr-only">Lines of {file}</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Line left</th>
              <th scope="col">Line right</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          {hunks.map(({ lines }) => (
            <tbody key={`${lines[0]?.left ?? ''}-${lines[0]?.right ?? ''}`}>
              {lines.map(({ type, left: before, right: after, text }) => (
                <tr key={`${before ?? ''}-${after ?? ''}`} data-side={type}>
                  <td className="number">{before}</td>
                  <td className="number">{after}</td>
                  <td className="line">
                    <span aria-hidden="true">{marks[type]} </span>
                    {said[type] !== '' && <span className="sr-only">{said[type]}</span>}
                    <code>{text}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
      <p className="flex flex-wrap gap-x-4 py-2 text-mute">
        {cut && <span>There is more: the first 2,000 lines are shown. </span>}
        <Link className="link" href={comparePath(rest)} prefetch={false}>
          Close
        </Link>
      </p>
    </Section>
  );
}

const words = {
  text: 'it is text',
  binary: 'it is binary',
  'too-large': 'it is too large',
  link: 'it is a symbolic link',
  submodule: 'it is a submodule',
} as const;
