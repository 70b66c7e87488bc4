'use client';

import './suspects.css';
import { useQuery } from '@tanstack/react-query';
import type { WireObjectChanges } from '#lib/api/object.ts';
import { commitsBetweenApi, objectWords, type WireCommitsBetween } from '#lib/api/git/suspect.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { countOf } from '#lib/format/number.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { NeedsScript } from '../ui/without-script.tsx';
import { CommitLine, SuspectList } from './suspect-list.tsx';

interface BroughtProps {
  readonly object: ObjectRef;
  readonly before: WireObjectChanges;
}

/** Commits that its source brought in the span: those that touch what the object builds from, the others folded. */
export function BroughtCommits({ object, before }: BroughtProps) {
  const range = broughtBy(before);
  const at = useAtParam();
  const { cluster, group, kind, namespace, name } = object;
  const asked = { object: objectWords({ cluster, group, kind, namespace, name }), from: '', to: '', ...range, ...at };
  const { data, isError } = useQuery({ ...endpointQuery(commitsBetweenApi, asked), enabled: range !== null });
  if (range === null) return null;
  if (data === undefined)
    return (
      <p className="mb-2 text-mute">
        {isError ? 'Which commits came cannot be read now.' : 'Git is being asked which commits came.'}
        <NeedsScript />
      </p>
    );
  const { reason, touching, touchingCount, others, othersCount, beyond } = data;
  if (reason !== null) return <p className="mb-2 max-w-[74ch] text-mute">Which commits came is not told: {reason}</p>;
  return (
    <div className="mb-3">
      <p>{broughtText(data)}</p>
      {touching.length > 0 && <SuspectList commits={touching} />}
      <More count={touchingCount - touching.length} />
      {othersCount > 0 && (
        <details className="other-commits">
          <summary>
            {countOf(othersCount, 'commit')}{' '}
            {beyond === null ? `that ${othersCount === 1 ? 'does' : 'do'} not` : 'of which it is not known'}
          </summary>
          <ul className="suspects">
            {others.map((commit) => (
              <li key={commit.sha}>
                <CommitLine commit={commit} />
              </li>
            ))}
          </ul>
          <More count={othersCount - others.length} />
        </details>
      )}
    </div>
  );
}

function broughtText({ touchingCount, othersCount, beyond }: WireCommitsBetween): string {
  const touch = touchingCount === 1 ? 'touches' : 'touch';
  const came = `Of ${countOf(touchingCount + othersCount, 'commit')} that came`;
  if (beyond === null)
    return touchingCount === 0
      ? `${came}, none touches what it builds from.`
      : `${came}, ${touchingCount} ${touch} what it builds from.`;
  if (touchingCount > 0) return `${came}, at least ${touchingCount} ${touch} what it builds from: ${beyond}.`;
  const all = countOf(othersCount, 'commit');
  return `Whether the ${all} that came ${othersCount === 1 ? 'touches' : 'touch'} what it builds from is not known: ${beyond}.`;
}

function More({ count }: { readonly count: number }) {
  return count <= 0 ? null : <p className="text-mute">and {countOf(count, 'older commit')}</p>;
}

/** From before the first to after the last change of what its source offers; null where it changed none, or more than are listed. */
function broughtBy({ changes, more }: WireObjectChanges): { readonly from: string; readonly to: string } | null {
  const moves = changes.filter(({ relation, type }) => relation === 'source' && type === 'revision');
  const [newest, oldest] = [moves[0], moves.at(-1)];
  const [from, to] = [oldest?.revision?.from?.commit ?? null, newest?.revision?.to?.commit ?? null];
  return from === null || to === null || from === to || more ? null : { from, to };
}
