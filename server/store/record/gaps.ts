import { compareText } from '#lib/domain/observation/compare-text.ts';
import { gapsOf, type CoveragePoint } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordedGap, RecordReader } from '../port/record-port.ts';
import { kindText, overlaps } from './lists.ts';
import { includesCluster, type Recorded } from './recorded.ts';

/** The gaps of a cluster and of each of its kinds that overlap a period, oldest first, each by its own points alone. */
export function ownGaps(cluster: string, points: readonly CoveragePoint[], period: Period): readonly RecordedGap[] {
  return [...Map.groupBy(points, ({ kind }) => kindText(kind)).values()]
    .flatMap((own) => {
      const kind = own[0]?.kind ?? null;
      return gapsOf(own, kind ?? { group: '', kind: '' }).map((gap): RecordedGap => ({ cluster, kind, ...gap }));
    })
    .filter((gap) => overlaps(gap, period))
    .toSorted((a, b) => a.from - b.from || compareText(kindText(a.kind), kindText(b.kind)));
}

/** Answers about what was being observed. */
export function readGaps({ coverage }: Recorded): Pick<RecordReader, 'since' | 'gaps'> {
  return {
    async since(scope) {
      const times = coverage.filter(({ cluster }) => includesCluster(scope, cluster)).map(({ at }) => at);
      return times.length === 0 ? null : Math.min(...times);
    },
    async gaps(clusters, period) {
      const points = Map.groupBy(coverage, ({ cluster }) => cluster);
      return clusters.flatMap((cluster) => ownGaps(cluster, (points.get(cluster) ?? []).map(pointOf), period));
    },
  };
}

function pointOf({ kind, at, observed, state, reason }: CoveragePoint): CoveragePoint {
  return { kind, at, observed, state, reason };
}
