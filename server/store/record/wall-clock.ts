import { compareText } from '#lib/domain/observation/compare-text.ts';
import { isApplierKind } from '#lib/domain/chain/applier-kinds.ts';
import type { ApplicationTime, WallClock } from '#lib/domain/record/figures.ts';
import { lengthOf } from '#lib/domain/record/flat-stretches.ts';
import { gapsOf } from '#lib/domain/record/gap.ts';
import type { Segment } from '#lib/domain/record/segments.ts';
import type { Period, Span } from '#lib/domain/record/span.ts';
import { timeUnion } from '#lib/domain/time/time-union.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { includesCluster, type Recorded } from './recorded.ts';
import { seenBy, type SeenTime } from './seen-time.ts';
import { awayWithin, spansWithin } from './spans.ts';

/** The wall clock of a period in which nothing was. */
export const noWallClock: WallClock = { fleet: { away: 0, observed: 0 }, clusters: [], applications: [] };

/** Time (ms) for which things were away in a period. Clusters and kinds are as the engine names them. */
export interface AwayClock<C, K> {
  readonly fleet: number;
  /** None of a cluster on which nothing was. */
  readonly clusters: ReadonlyMap<C, number>;
  /** Those that are told, in their order, each with the clusters on which it was at some time in the period. */
  readonly applications: readonly (Omit<ApplicationTime, 'clusters' | 'observed'> & {
    readonly on: ReadonlySet<C>;
    readonly of: K;
  })[];
}

/** The wall clock of the clusters whose record began before the period ended; `of`: the kind that was asked for. */
export function wallClockOf<C, K>(
  away: AwayClock<C, K>,
  clusters: ReadonlyMap<C, string>,
  seen: SeenTime<C, K>,
  of: K,
): WallClock {
  return {
    fleet: { away: away.fleet, observed: seen(clusters.keys(), of) },
    clusters: [...clusters]
      .map(([id, cluster]) => ({ cluster, away: away.clusters.get(id) ?? 0, observed: seen([id], of) }))
      .toSorted((a, b) => compareText(a.cluster, b.cluster)),
    applications: away.applications.map(({ on, of: kind, ...application }) => ({
      ...application,
      clusters: on.size,
      observed: seen(on, kind),
    })),
  };
}

/** The applications that were away longest, the longest first; of equals by `name`, group/kind/name. */
export function longestAway<A extends { readonly time: number; readonly name: string }>(
  applications: readonly A[],
  limit: number,
): readonly A[] {
  return applications
    .filter(({ time }) => time > 0)
    .toSorted((a, b) => b.time - a.time || compareText(a.name, b.name))
    .slice(0, limit);
}

/** Answers how long at least one object was away. */
export function readWallClock(recorded: Recorded): RecordReader['wallClock'] {
  return async (scope, period, limit) => {
    if (period.from >= period.to) return noWallClock;
    const away = awayWithin(recorded, scope, period);
    const begun = begunBefore(recorded, scope, period.to);
    const seen = seenBy({
      begun,
      period,
      gapsOf: (cluster: string, kind: RecordScope['kind']) => {
        const points = recorded.coverage.filter((point) => point.cluster === cluster);
        return gapsOf(points, kind ?? { group: '', kind: '' });
      },
    });
    const onCluster = Map.groupBy(away, ({ span }) => span.ref.cluster);
    return wallClockOf(
      {
        fleet: coveredBy(away),
        clusters: new Map([...onCluster].map(([cluster, of]) => [cluster, coveredBy(of)])),
        applications: applicationsOf(recorded, { scope, period, limit }, away),
      },
      new Map([...begun.keys()].map((cluster) => [cluster, cluster])),
      seen,
      scope.kind,
    );
  };
}

/** When the record of each cluster of a scope began (ms), of those of which it began before a time. */
function begunBefore({ coverage }: Recorded, scope: RecordScope, time: number): ReadonlyMap<string, number> {
  const begun = new Map<string, number>();
  for (const { cluster, at } of coverage)
    if (at < time && includesCluster(scope, cluster)) begun.set(cluster, Math.min(at, begun.get(cluster) ?? at));
  return begun;
}

function applicationsOf(
  recorded: Recorded,
  { scope, period, limit }: { readonly scope: RecordScope; readonly period: Period; readonly limit: number },
  away: readonly Segment<Span>[],
): AwayClock<string, RecordScope['kind']>['applications'] {
  const there = Map.groupBy(spansWithin(recorded, scope, period), ({ span }) => applicationName(span));
  const ofAppliers = away.filter(({ span }) => isApplierKind(span.ref));
  const applications = [...Map.groupBy(ofAppliers, ({ span }) => applicationName(span))].map(([name, of]) => ({
    name,
    time: coveredBy(of),
  }));
  return longestAway(applications, limit).flatMap(({ name, time }) => {
    const spans = there.get(name) ?? [];
    const on = new Set(spans.map(({ span }) => span.ref.cluster));
    return spans.slice(0, 1).map(({ span: { ref } }) => {
      const kind = { group: ref.group, kind: ref.kind };
      return { ...kind, name: ref.name, away: time, on, of: kind };
    });
  });
}

function applicationName({ ref }: Span): string {
  return `${kindKey(ref)}/${ref.name}`;
}

/** Time (ms) for which at least one of these stretches lasted. */
function coveredBy(stretches: readonly Period[]): number {
  const union = timeUnion();
  for (const { from, to } of stretches) union.add(from, to);
  return lengthOf(union.stretches());
}
