import type { WireAbsenceList } from '#lib/api/absence.ts';
import type { Durations } from '#lib/domain/record/figures.ts';
import { isLowerBound, quantile } from '#lib/report/spread.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';

/** Number of absences that began, ended and last, and the time half of them took at most; over all scopes together. */
export async function figuresOf(
  record: RecordReader,
  scopes: readonly RecordScope[],
  period: Period,
  alarmWithin: number,
): Promise<WireAbsenceList['figures']> {
  const all = await Promise.all(scopes.map((scope) => record.absenceFigures(scope, period, alarmWithin)));
  const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0);
  const durations = merged(all.map(({ toConverge }) => toConverge));
  const atLeast = merged(all.map(({ toConvergeAtLeast }) => toConvergeAtLeast));
  return {
    opened: sum(({ opened }) => opened),
    openAtStart: sum(({ openAtStart }) => openAtStart),
    closed: sum(({ closed }) => closed),
    closedFromBefore: sum(({ closedFromBefore }) => closedFromBefore),
    gone: sum(({ gone }) => gone),
    open: sum(({ open }) => open),
    medianToConverge: quantile(durations, 0.5),
    medianToConvergeAtLeast: isLowerBound(durations, atLeast, 0.5),
  };
}

function merged(lists: readonly Durations[]): Durations {
  const [only] = lists;
  // A long period may have a million: they are in order already.
  if (only !== undefined && lists.length === 1) return only;
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let index = 0;
  for (const list of lists) {
    all.set(list, index);
    index += list.length;
  }
  return all.sort();
}
