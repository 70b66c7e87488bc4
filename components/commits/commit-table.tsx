'use client';

import './commits.css';
import type { WireListedCommit } from '#lib/api/commit.ts';
import { waveStates } from '#lib/draw/wave/wave-cluster.ts';
import { waveWord } from '#lib/draw/wave/wave-text.ts';
import { formatCount } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';
import { Duration } from '../ui/time.tsx';
import { FateGlyph } from './fate-glyph.tsx';

const columns: readonly Column[] = [
  { name: 'hash', width: '76px', title: 'Commit' },
  { name: 'name', title: 'Subject' },
  { name: 'by', width: '140px', title: 'Author' },
  { name: 'age', width: '88px', title: 'Age' },
  { name: 'request', width: '64px', title: 'PR' },
  { name: 'states', width: '30%', title: 'Objects, the worst first' },
];

/** Commits of a branch in the order given, one line each. */
export function CommitTable({ rows }: { readonly rows: readonly WireListedCommit[] }) {
  return (
    <Ledger name="commits" caption="Commits, the newest first" columns={columns} rows={rows.length}>
      <tbody>
        {rows.map((row, index) => (
          <Row key={row.sha} commit={row} index={index} />
        ))}
      </tbody>
    </Ledger>
  );
}

function Row({ commit, index }: { readonly commit: WireListedCommit; readonly index: number }) {
  const { sha, subject, author, at, pullRequest, self, tags, counts } = commit;
  return (
    <tr data-index={index}>
      <td className="hash">
        <code>{shortCommit(sha)}</code>
      </td>
      <th scope="row" className="name">
        <Link className="link" href={self} prefetch={false} data-row-link>
          {subject}
        </Link>
        {tags.length > 0 && <span className="text-mute"> {tags.join(', ')}</span>}
      </th>
      <td className="by">{author}</td>
      <td className="age">
        <Duration since={at} />
      </td>
      <td className="request">
        {pullRequest !== null &&
          (pullRequest.href === null ? (
            `#${pullRequest.number}`
          ) : (
            <a className="quiet-link" href={pullRequest.href}>
              #{pullRequest.number}
            </a>
          ))}
      </td>
      <td className="states">
        {counts === null ? <span className="text-mute">not known</span> : <States counts={counts} self={self} />}
      </td>
    </tr>
  );
}

/** Number of objects in each state; each leads to these on the page of the commit. */
function States({ counts, self }: { readonly counts: NonNullable<WireListedCommit['counts']>; readonly self: string }) {
  const there = waveStates.filter((state) => counts[state] > 0);
  if (there.length === 0) return <span className="text-mute">concerns none</span>;
  return there.map((state) => (
    <span key={state} className="fate">
      <FateGlyph state={state} />{' '}
      <Link className="quiet-link" href={`${self}?state=${state}#clusters`} prefetch={false}>
        {formatCount(counts[state])} {waveWord[state]}
      </Link>
    </span>
  ));
}
