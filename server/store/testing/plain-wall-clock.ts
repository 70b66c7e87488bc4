import { isApplierKind } from '#lib/domain/chain/applier-kinds.ts';
import { gapsOf } from '#lib/domain/record/gap.ts';
import type { WallClock } from '#lib/domain/record/figures.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { PlainHistory } from './plain-lists.ts';

type Kind = { readonly group: string; readonly kind: string } | null;

/** What the wall clock of a period is read from. */
export interface PlainWall {
  readonly period: Period;
  readonly limit: number;
  /** Every stretch in which an object was seen to be away. */
  readonly away: readonly (Period & { readonly span: { readonly ref: ObjectRef } })[];
  /** Every span that overlaps the period. */
  readonly spans: readonly { readonly ref: ObjectRef; readonly from: number; readonly to: number | null }[];
  readonly clusters: readonly string[] | null;
  readonly kind: Kind;
  readonly coverage: PlainHistory['coverage'];
}

/** The wall clock as plainly as it can be read. */
export function plainWallClock({ period, limit, away, spans, clusters, kind, coverage }: PlainWall): WallClock {
  if (period.from >= period.to) return { fleet: { away: 0, observed: 0 }, clusters: [], applications: [] };
  const known = [...new Set(coverage.filter(({ at }) => at < period.to).map(({ cluster }) => cluster))]
    .filter((cluster) => clusters?.includes(cluster) ?? true)
    .toSorted();

  function seen(cluster: string, of: Kind): readonly Period[] {
    const points = coverage.filter((point) => point.cluster === cluster);
    const begins = Math.min(...points.map(({ at }) => at));
    const gaps = gapsOf(points, of ?? { group: '', kind: '' });
    const edges = [begins, period.from, period.to, ...gaps.flatMap(({ from, to }) => [from, to ?? period.to])];
    return between(edges, period).filter(
      ({ from }) => from >= begins && !gaps.some((gap) => from >= gap.from && from < (gap.to ?? Infinity)),
    );
  }

  const times = (those: PlainWall['away'], of: readonly string[], within: Kind) => ({
    away: covered(those, period),
    observed: covered(
      of.flatMap((cluster) => seen(cluster, within)),
      period,
    ),
  });
  const applications = Map.groupBy(
    away.filter(({ span }) => isApplierKind(span.ref)),
    ({ span: { ref } }) => `${ref.group}/${ref.kind}/${ref.name}`,
  );
  return {
    fleet: times(away, known, kind),
    clusters: known.map((cluster) => ({
      cluster,
      ...times(
        away.filter(({ span }) => span.ref.cluster === cluster),
        [cluster],
        kind,
      ),
    })),
    applications: [...applications]
      .flatMap(([key, those]) => {
        const [first] = those;
        if (first === undefined) return [];
        const { group, kind: itsKind, name } = first.span.ref;
        const there = spans.filter(
          ({ ref, from, to }) =>
            ref.group === group && ref.kind === itsKind && ref.name === name && (to === null || to > from),
        );
        const on = [...new Set(there.map(({ ref }) => ref.cluster))];
        const of = { group, kind: itsKind };
        return [{ key, one: { ...of, name, clusters: on.length, ...times(those, on, of) } }];
      })
      .toSorted((a, b) => b.one.away - a.one.away || (a.key < b.key ? -1 : 1))
      .slice(0, limit)
      .map(({ one }) => one),
  };
}

/** The stretches between neighbouring edges within a period. */
function between(edges: readonly number[], { from, to }: Period): readonly Period[] {
  const within = [...new Set(edges.map((edge) => Math.min(to, Math.max(from, edge))))].toSorted((a, b) => a - b);
  return within.slice(1).map((end, index) => ({ from: within[index] ?? end, to: end }));
}

/** How long (ms) at least one of these stretches lasted: every piece between two edges is looked at alone. */
function covered(stretches: readonly Period[], period: Period): number {
  const edges = stretches.flatMap(({ from, to }) => [from, to]);
  return between(edges, period)
    .filter((piece) => stretches.some(({ from, to }) => from <= piece.from && to >= piece.to))
    .reduce((sum, { from, to }) => sum + to - from, 0);
}
