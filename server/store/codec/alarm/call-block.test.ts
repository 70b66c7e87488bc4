import { describe, expect, it } from 'vitest';
import { day, hour } from '#lib/domain/time/length.ts';
import { addCallDays, ofAllKinds, openCallDays, type CallDay } from './call-block.ts';
import { beginningOf } from '../rollup-block.ts';

const block = 2_590;
const begins = beginningOf(block);

function dayOf(place: number): CallDay {
  const start = begins + place * day;
  return {
    day: start,
    begins: start - 3 * day - 7,
    dark: [
      [4, 2 ** 40],
      [9, 1],
    ],
    ended: [
      { kind: 4, atStart: false, inTime: 1, late: 2, never: 3, unknown: 4 },
      { kind: 9, atStart: false, inTime: 10, late: 20, never: 30, unknown: 40 },
      { kind: 9, atStart: true, inTime: 0, late: 0, never: 1, unknown: 0 },
    ],
    spent: [
      { kind: 4, day: start, called: 5, unknown: -hour },
      { kind: 9, day: start, called: 6, unknown: 2 },
      { kind: 9, day: start - 2 * day, called: 0, unknown: 7 },
    ],
    first: [
      { kind: 4, noticedAt: start - 5, after: hour, isExact: true },
      { kind: 9, noticedAt: start + 2 * day, after: 0, isExact: false },
    ],
  };
}

/** Reads packed days, in the form in which they were packed. */
function told(bytes: Uint8Array, before: number, from = begins): readonly CallDay[] {
  const days: { [P in keyof CallDay]: CallDay[P] extends readonly (infer E)[] ? E[] : CallDay[P] }[] = [];
  openCallDays()(bytes, block, before, {
    day(of, first) {
      if (of >= from) days.push({ day: of, begins: first, dark: [], ended: [], spent: [], first: [] });
      return of >= from;
    },
    dark: (kind, time) => days.at(-1)?.dark.push([kind, time]),
    ended: (kind, atStart, inTime, late, never, unknown) =>
      days.at(-1)?.ended.push({ kind, atStart, inTime, late, never, unknown }),
    spent: (kind, of, called, unknown) => days.at(-1)?.spent.push({ kind, day: of, called, unknown }),
    first: (kind, noticedAt, after, isExact) => days.at(-1)?.first.push({ kind, noticedAt, after, isExact }),
  });
  return days;
}

describe('packed days of calls', () => {
  it('are told as they were, up to a day', () => {
    const days = [0, 1, 5].map(dayOf);
    const packed = addCallDays(null, block, days);
    expect(told(packed, beginningOf(block + 1))).toEqual(days);
    expect(told(packed, begins + 5 * day)).toEqual(days.slice(0, 2));
    expect(told(packed, beginningOf(block + 1), begins + day)).toEqual(days.slice(1));
  });

  it('stay before those that are added, which take the place of all from the first of them on', () => {
    const packed = addCallDays(null, block, [0, 1, 2, 3].map(dayOf));
    const empty = { day: begins + 2 * day, begins: begins + 3 * day, dark: [], ended: [], spent: [], first: [] };
    const added = addCallDays(packed, block, [empty]);
    expect(told(added, beginningOf(block + 1))).toEqual([dayOf(0), dayOf(1), empty]);
    expect(addCallDays(packed, block, [])).toBe(packed);
  });

  it('have all kinds as one', () => {
    const { day: start, begins: first } = dayOf(1);
    expect(ofAllKinds(dayOf(1))).toEqual({
      ...{ day: start, begins: first, dark: [[0, 2 ** 40 + 1]] },
      ended: [
        { kind: 0, atStart: false, inTime: 11, late: 22, never: 33, unknown: 44 },
        { kind: 0, atStart: true, inTime: 0, late: 0, never: 1, unknown: 0 },
      ],
      spent: [
        { kind: 0, day: start, called: 11, unknown: 2 - hour },
        { kind: 0, day: start - 2 * day, called: 0, unknown: 7 },
      ],
      first: dayOf(1).first.map((call) => ({ ...call, kind: 0 })),
    });
  });
});
