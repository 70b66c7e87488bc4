import type { AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';

type AlarmRecord = Pick<RecordReader, 'alarmCoverage' | 'alarmFigures'>;

/** Figures of a period about calls; null where no alarm source that speaks for the scope was read at any time of it: nothing is known then. */
export async function askAlarms(
  record: AlarmRecord,
  scope: RecordScope,
  period: Period,
  alarmWithin: number,
): Promise<AlarmFigures | null> {
  const coverage = await record.alarmCoverage(period);
  return wasRead(coverage, scope, period) ? record.alarmFigures(scope, period, alarmWithin) : null;
}

function wasRead(coverage: readonly AlarmCoverage[], { clusters }: RecordScope, period: Period): boolean {
  return [...Map.groupBy(coverage, ({ source }) => source).values()].some((points) =>
    points.some((point, index) => {
      const end = points[index + 1]?.at ?? Infinity;
      const lasts = Math.max(point.at, period.from) < Math.min(end, period.to);
      return point.read && lasts && speaksFor(point, clusters);
    }),
  );
}

/** A source without clusters of its own speaks for those that its label names: it may be any. */
function speaksFor(point: AlarmCoverage, clusters: readonly string[] | null): boolean {
  return point.clusters.length === 0 || clusters === null || clusters.some((name) => point.clusters.includes(name));
}
