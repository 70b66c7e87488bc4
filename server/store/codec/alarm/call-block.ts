import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayAt, dayIndex, packNumbers, unpackNumbers, type Numbers } from '../rollup-block.ts';

/**
 * Shape of these figures, and the rule by which they were made: count it on when either changes (`lib/domain/alarm/called`). What an older version
 * wrote is made anew then.
 */
export const callDaysFormat = 1;

/** Names under which the housekeeping notes by which deadline of a call (ms), and in which format, days are added up. */
export const callDaysWork = { within: 'calls-within', format: 'calls-format' } as const;

/** Figures of calls of a day, of the absences of one cluster. Kinds by their ids; times in ms. */
export interface CallDay {
  /** Its beginning. */
  readonly day: number;
  /** When the first of the absences began that ended on it; the end of the day where none did. */
  readonly begins: number;
  /** Overdue time of any absence in which nothing could be known of any object of the cluster, by kind. */
  readonly dark: readonly (readonly [kind: number, time: number])[];
  /** Absences that ended on it and were known past their deadline; `atStart`: in its first ms, so that nothing of them lies in it. */
  readonly ended: readonly EndedAbsences[];
  /** Overdue time of absences that ended on it, by the day in which that lies. */
  readonly spent: readonly SpentTime[];
  /** First calls for absences with an exact beginning that ended on it. */
  readonly first: readonly FirstCall[];
}

/** Counts of absences by their first call. */
export interface EndedAbsences {
  readonly kind: number;
  readonly atStart: boolean;
  readonly inTime: number;
  readonly late: number;
  readonly never: number;
  readonly unknown: number;
}

/** `unknown`: by how much more is unknown of them than of any object of the cluster; below 0 where somebody was called. */
export interface SpentTime {
  readonly kind: number;
  readonly day: number;
  readonly called: number;
  readonly unknown: number;
}

/** When an absence was noticed, and how long after its beginning its first call was known. */
export interface FirstCall {
  readonly kind: number;
  readonly noticedAt: number;
  readonly after: number;
  /** False where somebody may have been called before, so that it is the most that it took. */
  readonly isExact: boolean;
}

/** The id of no kind: what stands under it is of all kinds. */
export const allKinds = 0;

/** The same day with all kinds as one: a report over all of them reads less. */
export function ofAllKinds({ dark, ended, spent, first, ...times }: CallDay): CallDay {
  const kind = allKinds;
  return {
    ...times,
    dark: dark.length === 0 ? [] : [[kind, sumOf(dark, ([, time]) => time)]],
    ended: [...Map.groupBy(ended, ({ atStart }) => atStart)].map(([atStart, its]) => ({
      ...{ kind, atStart, inTime: sumOf(its, (one) => one.inTime), late: sumOf(its, (one) => one.late) },
      ...{ never: sumOf(its, (one) => one.never), unknown: sumOf(its, (one) => one.unknown) },
    })),
    spent: [...Map.groupBy(spent, ({ day }) => day)].map(([day, its]) => ({
      ...{ kind, day, called: sumOf(its, (one) => one.called), unknown: sumOf(its, (one) => one.unknown) },
    })),
    first: first.map((one) => ({ ...one, kind })),
  };
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}

/** Packs days of one block. */
function packCallDays(days: readonly CallDay[]): Uint8Array {
  return packNumbers(days.flatMap(packedDay));
}

function packedDay({ day, begins, dark, ended, spent, first }: CallDay): readonly number[] {
  const ends = day + dayLength;
  return [
    ...[dayIndex(day), ends - begins],
    ...[dark.length, ...dark.flat()],
    ended.length,
    ...ended.flatMap((one) => [
      ...[one.kind * 2 + (one.atStart ? 1 : 0), one.inTime, one.late, one.never, one.unknown],
    ]),
    spent.length,
    ...spent.flatMap((one) => [one.kind, (day - one.day) / dayLength, one.called, natural(one.unknown)]),
    first.length,
    ...first.flatMap(({ kind, noticedAt, after, isExact }) => [
      ...[kind, natural(ends - noticedAt), after * 2 + (isExact ? 1 : 0)],
    ]),
  ];
}

/** Is told of packed days what they come to, day by day. */
export interface CallDayVisitor {
  /** A day and when the first absence began that ended on it (ms); what follows is of it. Nothing is told of one for which this is false. */
  day(day: number, begins: number): boolean;
  dark(kind: number, time: number): void;
  ended(kind: number, atStart: boolean, inTime: number, late: number, never: number, unknown: number): void;
  /** `day`: in which the time lies. */
  spent(kind: number, day: number, called: number, unknown: number): void;
  first(kind: number, noticedAt: number, after: number, isExact: boolean): void;
}

/** Numbers in a packed entry of each list of a day. */
const widths = [2, 5, 4, 3] as const;

/** Visits packed days of a block in order, up to the first that begins at a time (ms) or later. */
export function openCallDays(): (bytes: Uint8Array, block: number, before: number, visitor: CallDayVisitor) => void {
  let numbers: Numbers = new Float64Array(1_024);
  return (bytes, block, before, visitor) => {
    const [unpacked, count] = unpackNumbers(bytes, numbers);
    numbers = unpacked;
    for (let place = 0; place < count;) {
      const day = dayAt(block, unpacked[place] ?? 0);
      if (day >= before) return;
      const isTold = visitor.day(day, day + dayLength - (unpacked[place + 1] ?? 0));
      place = isTold ? visitDay(unpacked, place + 2, day, visitor) : behindDay(unpacked, place + 2);
    }
  };
}

function behindDay(numbers: Numbers, from: number): number {
  return widths.reduce((place, width) => place + 1 + width * (numbers[place] ?? 0), from);
}

function visitDay(numbers: Numbers, from: number, day: number, visitor: CallDayVisitor): number {
  let place = from;
  const next = (): number => numbers[place++] ?? 0;
  for (let left = next(); left > 0; left--) visitor.dark(next(), next());
  for (let left = next(); left > 0; left--) {
    const kind = next();
    visitor.ended(Math.floor(kind / 2), kind % 2 === 1, next(), next(), next(), next());
  }
  for (let left = next(); left > 0; left--) visitor.spent(next(), day - next() * dayLength, next(), signed(next()));
  for (let left = next(); left > 0; left--) {
    const [kind, noticedAt, after] = [next(), day + dayLength - signed(next()), next()];
    visitor.first(kind, noticedAt, Math.floor(after / 2), after % 2 === 1);
  }
  return place;
}

/** Packed days of a block, with others behind them that take the place of all that begin with the first of these or later. */
export function addCallDays(packed: Uint8Array | null, block: number, days: readonly CallDay[]): Uint8Array {
  const [first] = days;
  if (packed === null || first === undefined) return packed ?? packCallDays(days);
  const [numbers, count] = unpackNumbers(packed, new Float64Array(1_024));
  let end = 0;
  while (end < count && dayAt(block, numbers[end] ?? 0) < first.day) end = behindDay(numbers, end + 2);
  return Buffer.concat([packNumbers([...numbers.subarray(0, end)]), packCallDays(days)]);
}

/** A whole number of either sign as one from 0 on: small ones stay small. */
function natural(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function signed(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
