import type { OverdueAbsences } from '#lib/domain/alarm/alarm-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import type { CallDay, FirstCall } from '../../codec/alarm/call-block.ts';

interface Counts extends Record<keyof OverdueAbsences, number> {
  readonly kind: number;
  readonly atStart: boolean;
}

interface Spent {
  readonly kind: number;
  readonly day: number;
  called: number;
  unknown: number;
}

/** Gathers what days come to of calls. Times in ms; kinds by their ids. */
export type GatheredCalls = ReturnType<typeof gatherCalls>;

/** Begins with nothing, for the days of a period. */
export function gatherCalls(period: Period) {
  const days = new Map(cutAtDays(period).map(({ from }) => [from, gatherDay(from)]));
  return {
    /** Unknown time in a day whatever was called. */
    dark: (day: number, kind: number, time: number): void => days.get(day)?.dark(kind, time),
    /** The day in which something ended; null where that is none of these. */
    endedAt: (time: number): GatheredDay | null => days.get(dayOf(time)) ?? null,
    made: (): readonly CallDay[] => [...days.values()].map((one) => one.made()),
  };
}

type GatheredDay = ReturnType<typeof gatherDay>;

function gatherDay(day: number) {
  const dark = new Map<number, number>();
  const ended = new Map<string, Counts>();
  const spent = new Map<string, Spent>();
  const first: FirstCall[] = [];
  let begins = day + dayLength;
  return {
    dark: (kind: number, time: number): void => void dark.set(kind, (dark.get(kind) ?? 0) + time),
    /** One began so early. */
    began(at: number): void {
      begins = Math.min(begins, at);
    },
    /** One that was past its deadline. */
    ended(kind: number, at: number, standing: keyof OverdueAbsences): void {
      const atStart = at === day;
      const key = `${kind} ${atStart}`;
      const counts = ended.get(key) ?? { kind, atStart, inTime: 0, late: 0, never: 0, unknown: 0 };
      ended.set(key, counts);
      counts[standing] += 1;
    },
    /** Its time in a day, this or an earlier one. */
    spent(kind: number, of: number, called: number, unknown: number): void {
      if (called === 0 && unknown === 0) return;
      const key = `${kind} ${of}`;
      const sums = spent.get(key) ?? { kind, day: of, called: 0, unknown: 0 };
      spent.set(key, sums);
      sums.called += called;
      sums.unknown += unknown;
    },
    first: (call: FirstCall): void => void first.push(call),
    made: (): CallDay => ({
      ...{ day, begins, dark: [...dark], ended: [...ended.values()] },
      ...{ spent: [...spent.values()], first },
    }),
  };
}
