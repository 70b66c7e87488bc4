'use client';

import './by-commit.css';
import type { WireRunning } from '#lib/api/commit.ts';
import type { WireRow } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { Commit } from '../../ui/commit.tsx';
import { uniqueRows } from '../../queries/use-paged-list.ts';
import { NeedsScript } from '../../ui/without-script.tsx';
import { MirrorAge } from '../../ui/lag.tsx';
import { useMoment } from '../../shell/moment/moment.tsx';
import { type Shades, shadeClass } from './shades.ts';

interface CommitLegendProps {
  /** Rows that are shown. */
  readonly rows: readonly WireRow[];
  readonly running: WireRunning | undefined;
  readonly shades: Shades;
}

const few = 8;

/** Commits that run on the clusters shown, the newest first: colour, hash, subject, how far behind, on how many clusters. */
export function CommitLegend({ rows, running, shades }: CommitLegendProps) {
  const past = useMoment() !== null;
  const clusters = clustersBy(rows);
  const told = uniqueRows(running?.commits ?? [], ({ sha }) => sha).filter(({ sha }) => clusters.has(sha));
  const rest = [...clusters.keys()].filter((sha) => !shades.has(sha));
  const shown = told.slice(0, few);
  const more = told.length - shown.length + rest.length;
  const silent = (running?.repositories ?? []).filter(({ reason }) => reason !== null);
  const ages = (running?.repositories ?? []).flatMap(({ mirroredAt }) => mirroredAt ?? []).toSorted();
  return (
    <section className="commit-legend pinned-left" aria-label="Commits by colour">
      <ul>
        {shown.map(({ sha, name }) => (
          <li key={sha}>
            <i className={shadeClass(shades, sha, null)} aria-hidden="true" />
            <Commit commit={sha} href={name?.self ?? null} />
            <span className="commit-legend-subject" title={name?.subject}>
              {name?.subject ?? <span className="text-mute">no name is known</span>}
            </span>
            <span className="commit-legend-distance text-mute" title={shades.get(sha)?.text}>
              {shades.get(sha)?.text}, {countOf(clusters.get(sha) ?? 0, 'cluster')}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-mute">
        {more > 0 && `${countOf(more, 'more commit')} ${more === 1 ? 'runs' : 'run'}. `}
        {past
          ? 'Each is the commit that ran as the verdict shown began; what came since is not kept, nor how far behind it was. '
          : running === undefined
            ? 'How far behind each commit is is being asked for.'
            : 'Stronger: further behind, whatever the commits touch, but not where it is known that they touch nothing built on a cluster, and no source is behind; hatched: not known. '}
        {!past && running === undefined && <NeedsScript />}
        {ages[0] !== undefined && (
          <>
            As of the <MirrorAge at={ages[0]} />.
          </>
        )}
        {silent.slice(0, 2).map(({ key, reason }) => ` Of ${key} nothing is told: ${reason ?? ''}`)}
        {silent.length > 2 && ` Nor of ${countOf(silent.length - 2, 'other repository', 'other repositories')}.`}
      </p>
    </section>
  );
}

/** Number of clusters that run each commit. */
function clustersBy(rows: readonly WireRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { commits } of rows) for (const sha of commits) counts.set(sha, (counts.get(sha) ?? 0) + 1);
  return counts;
}
