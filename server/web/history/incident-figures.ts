import type { WireIncidentList } from '#lib/api/incident.ts';
import type { Period } from '#lib/domain/span.ts';
import type { RecordReader, RecordScope } from '#server/store/record-port.ts';

/** How many incidents began, ended and last, and half of them took how long at most; over all scopes together. */
export async function figuresOf(
  record: RecordReader,
  scopes: readonly RecordScope[],
  period: Period,
  alarmWithin: number,
): Promise<WireIncidentList['figures']> {
  const all = await Promise.all(scopes.map((scope) => record.incidentFigures(scope, period, alarmWithin)));
  const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0);
  const durations = all.flatMap(({ toConverge }) => toConverge).toSorted((a, b) => a - b);
  return {
    opened: sum(({ opened }) => opened),
    closed: sum(({ closed }) => closed),
    open: sum(({ open }) => open),
    medianToConverge: durations[Math.ceil(durations.length / 2) - 1] ?? null,
  };
}
