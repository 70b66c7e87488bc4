import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import type { WriteBatch } from '#server/store/port/port.ts';
import { lettersIn } from './letters.ts';
import type { RowLimit, Spent } from './row-budget.ts';

/**
 * Limits of one cluster: what is kept for ever, and records that take the place of others; of both also how long their words are together, for a message that is
 * new each time is stored each time (UTF-16 units). Who is honest stays below them in a storm: each object changes its verdict once a minute and is read four
 * times, and a failing one says some 250 letters that are new, such as the id of a request, once a minute. Of what else a reading says only what is more than
 * usual counts.
 */
export const clusterLimits: readonly RowLimit[] = [
  { rows: 'changes', least: 50_000, each: 60 },
  { rows: 'new readings of its objects', least: 200_000, each: 240 },
  { rows: 'letters of changes', least: 50_000_000, each: 15_000 },
  { rows: 'letters of new readings', least: 200_000_000, each: 30_000 },
];

/**
 * Limits of one alarm source: what is kept for ever, and facts that take the place of others; of both also how long they are together, for the labels of
 * one alert may be longer than those of a hundred (UTF-16 units). Who is honest has some 500 in a call, and 1,500 in a rule that is told anew each minute.
 */
export const alarmLimits: readonly RowLimit[] = [
  { rows: 'calls', least: 20_000, each: 2 },
  { rows: 'new alerts, silences and series', least: 200_000, each: 10 },
  { rows: 'letters of calls', least: 50_000_000, each: 2_000 },
  { rows: 'letters of rules, alerts, silences and series', least: 1_000_000_000, each: 100_000 },
  // Of 50,000 objects in ten sets of series of which one comes or goes each minute it is 60,000,000.
  { rows: 'objects in series that change', least: 200_000_000, each: 10_000 },
  // They are kept as long as the record is: so much at most is added to the disk, however many facts it has.
  { rows: 'calls', least: 200_000, each: 0, within: 'day' },
  { rows: 'letters of calls', least: 200_000_000, each: 0, within: 'day' },
];

/** Rows of a batch of a cluster that knows so many objects, as `clusterLimits` count them. */
export function spentOn(batch: WriteBatch, known: number): readonly Spent[] {
  const { transitions, changes, corrections, earlier, arrivals, coverage, objects } = batch;
  const forEver = [transitions, changes, corrections, earlier, arrivals, coverage];
  return [
    { rows: forEver.reduce((sum, { length }) => sum + length, 0), known },
    { rows: objects.length, known },
    { rows: lettersOf(transitions) + lettersIn(changes) + lettersIn(corrections) + lettersIn(earlier), known },
    {
      rows: objects.reduce((sum, { object, detail }) => sum + lettersOfReading(object) + detail.message.length, 0),
      known,
    },
  ];
}

/** Letters that a reading has beside its message without being counted: names, revisions, a sentence, some exemptions and dependencies. */
const usual = 2_000;

/** Names, dependencies and exemptions are stored as texts of their own, anew where one letter is another. */
function lettersOfReading({ message, ...object }: CurrentObject): number {
  return message.length + Math.max(0, lettersIn(object) - usual);
}

function lettersOf(said: readonly { readonly message: string }[]): number {
  return said.reduce((sum, { message }) => sum + message.length, 0);
}

/** Rows of a batch of an alarm source that has so many facts, as `alarmLimits` count them. Rules are few, and tell when they were evaluated again and again: of them the letters alone count. */
export function spentOnAlarms({ put, removed, calls, coverage }: AlarmBatch, known: number): readonly Spent[] {
  // A call that ends is one that began.
  const begun = calls.filter(({ to }) => to === null).length;
  const moved = put.filter(({ type }) => type !== 'rule').length + removed.length;
  const keptRows = { rows: begun + coverage.length, known };
  const keptLetters = { rows: lettersIn(calls.filter(({ to }) => to === null)), known };
  return [
    keptRows,
    { rows: moved, known },
    keptLetters,
    { rows: lettersIn(put) + lettersIn(removed), known },
    { rows: objectsIn(put), known },
    keptRows,
    keptLetters,
  ];
}

/** Objects of all series: each stands there as a number, and with one of them all of its scope are written anew. */
function objectsIn(put: AlarmBatch['put']): number {
  let count = 0;
  for (const fact of put)
    if (fact.type === 'scope') for (const hashes of Object.values(fact.objects)) count += hashes.length;
  return count;
}
