import { describe, expect, it } from 'vitest';
import {
  doubtLease,
  isProven,
  leaseState,
  leaseMovedAt,
  leaseTurnsAt,
  withReading,
  rememberLease,
  unmovedSince,
} from './lease.ts';
import type { LeaseTrack } from './lease.ts';
import { noon } from '../testing/observed.ts';
import { minute, second } from '../time/length.ts';

/** leaseDurationSeconds 35 and 15 s of slack. */
const term = 50 * second;

/** Looks at a lease at so many seconds after noon; each look finds it renewed so many seconds after noon (null: gone). */
function read(readings: readonly (readonly [at: number, renewed: number | null])[], before: LeaseTrack | null = null) {
  return readings.reduce<LeaseTrack | null>((track, [at, renewed]) => {
    const reading =
      renewed === null ? null : { renewTime: noon + renewed * second, durationSeconds: 35, holder: 'pod_1' };
    return withReading(track, reading, noon + at * second);
  }, before);
}

it.each([0, 600_000, -600_000])(
  "what moved while nobody looked is dated on our clock, whatever its holder's is off by: %d ms",
  (ahead) => {
    const renewTime = noon + 5 * second + ahead;
    const reading = { renewTime, ahead, durationSeconds: 35, holder: 'pod_1' };
    expect(withReading(rememberLease(noon, 35), reading, noon + 60 * second).movedBefore).toBe(noon + 5 * second);
  },
);

describe('what the readings of a lease show', () => {
  const moving = [
    [0, 0],
    [15, 14],
  ] as const;
  const standing = [...moving, [30, 14], [45, 14]] as const;
  it.each([
    ['nothing without a look', read([]), 0, 'none'],
    ['nothing of its moving in one look', read([[0, 0]]), 0, 'unmoved'],
    [
      'nothing, however fresh it looks, where it stands in two',
      read([
        [0, 0],
        [6, 0],
      ]),
      6,
      'unmoved',
    ],
    [
      'that it never moved in a whole term',
      read([
        [0, 0],
        [15, 0],
        [50, 0],
      ]),
      50,
      'never',
    ],
    ['that it moves', read(moving), 15, 'moving'],
    ['that it moves, between the looks', read(moving), 29, 'moving'],
    ['that it moves, just before it is late', read([...moving, [24, 14]]), 24, 'moving'],
    ['that it is late 10 s after it moved', read([...moving, [25, 14]]), 25, 'late'],
    ['that it is late', read([...moving, [30, 14]]), 30, 'late'],
    ['that it moved again', read([...moving, [30, 14], [45, 44]]), 45, 'moving'],
    ['that it is late until its term is over', read([...standing, [60, 14]]), 64, 'late'],
    ['that it stood still for its term', read([...standing, [60, 14]]), 65, 'stood'],
    ['no more than lateness where nobody looked at its end', read(standing), 70, 'late'],
    ['nothing any more where nobody looked for 75 s', read(standing), 120, 'none'],
    ['that it stood still, at the first look after an absence', read([...moving, [600, 14]]), 600, 'stood'],
    ['that it stood still where it is gone', read([...moving, [30, null], [60, null]]), 65, 'stood'],
    ['that it moves again after it had stood', read([...moving, [600, 14], [615, 610]]), 615, 'moving'],
    ['nothing of now where it moved in an absence', read([...moving, [60, 18]]), 60, 'unmoved'],
    ['that it stood still since an absence in which it moved', read([...moving, [60, 18], [95, 18]]), 110, 'stood'],
    ['that it moves, after an absence', read([...moving, [60, 58], [66, 63]]), 66, 'moving'],
  ] as const)('%s', (_name, track, at, expected) => expect(leaseState(track, noon + at * second)).toBe(expected));
});

describe('a lease that was out of sight', () => {
  const before = read([
    [0, 0],
    [15, 14],
  ]);
  const back = noon + 35 * second;
  const doubted = doubtLease(before ?? rememberLease(noon, 35), back);

  it.each([
    ['proves nothing before a look', [], 35, 'unmoved'],
    ['nor with a look that finds it renewed meanwhile', [[35, 18]], 35, 'unmoved'],
    [
      'nor with looks that find it where it was',
      [
        [35, 14],
        [41, 14],
      ],
      41,
      'unmoved',
    ],
    [
      'is given its whole time anew',
      [
        [35, 14],
        [70, 14],
      ],
      84,
      'unmoved',
    ],
    [
      'has stood still at its end',
      [
        [35, 14],
        [70, 14],
      ],
      85,
      'stood',
    ],
    [
      'moves with the second look that finds it so',
      [
        [35, 18],
        [41, 38],
      ],
      41,
      'moving',
    ],
    ['is unknown where it cannot be looked at any more', [], 110, 'none'],
  ] as const)('%s', (_name, readings, at, expected) =>
    expect(leaseState(read(readings, doubted), noon + at * second)).toBe(expected),
  );

  it('tells since when it is looked for, and when it moved last, by its holder within what was seen', () => {
    const again = read([[35, 18]], doubted);
    expect([again && unmovedSince(again), again && leaseMovedAt(again)]).toEqual([back, noon + 18 * second]);
    const ahead = read([[35, 600]], doubted);
    expect(ahead && leaseMovedAt(ahead)).toBe(back);
    const moving = read(
      [
        [35, 18],
        [41, 38],
      ],
      doubted,
    );
    expect(moving && unmovedSince(moving)).toBeNull();
  });
});

describe('a lease that its holder gives back', () => {
  const released = { renewTime: noon + 20 * second, durationSeconds: 1, holder: null };
  const given = withReading(
    read([
      [0, 0],
      [15, 14],
    ]),
    released,
    noon + 22 * second,
  );

  it("is renewed once more in nobody's name: no sign of life, and its term is the former holder's", () => {
    expect([leaseState(given, noon + 22 * second), leaseMovedAt(given)]).toEqual(['late', noon + 15 * second]);
    const later = withReading(given, released, noon + 60 * second);
    expect([leaseState(later, noon + 64 * second), leaseState(later, noon + 65 * second)]).toEqual(['late', 'stood']);
  });

  it('moves again in the hands of the next', () => {
    const taken = { renewTime: noon + 29 * second, durationSeconds: 35, holder: 'pod_2' };
    expect(leaseState(withReading(given, taken, noon + 30 * second), noon + 30 * second)).toBe('moving');
  });

  it('and was never held while it was looked at, was never seen moving', () => {
    const free = withReading(null, released, noon);
    const again = withReading(free, { ...released, renewTime: noon + 4 * second }, noon + 5 * second);
    expect(leaseState(again, noon + 5 * second)).toBe('unmoved');
  });
});

describe('a lease that moved in an earlier run of the collector', () => {
  const before = rememberLease(noon - 60 * minute, 35);
  it.each([
    ['says nothing before it was looked at', [], 0, 'none'],
    [
      'is given its whole time anew',
      [
        [0, -3600],
        [40, -3600],
      ],
      49,
      'unmoved',
    ],
    [
      'has stood still at the end of it',
      [
        [0, -3600],
        [40, -3600],
      ],
      50,
      'stood',
    ],
    [
      'is alive with the second reading that finds it moved',
      [
        [0, -1],
        [6, 4],
      ],
      6,
      'moving',
    ],
  ] as const)('%s', (_name, readings, at, expected) =>
    expect(leaseState(read(readings, before), noon + at * second)).toBe(expected),
  );

  it('keeps when it moved last', () => {
    expect(leaseMovedAt(before)).toBe(noon - 60 * minute);
  });
});

describe('when to look at the clock again', () => {
  it.each([
    ['never before the first look', read([]), 0, null],
    ['when nobody looked for too long, where it never moved', read([[0, 0]]), 0, 75],
    [
      'at the end of its term',
      read([
        [0, 0],
        [15, 14],
      ]),
      15,
      15 + term / second,
    ],
    [
      'at that time itself, the next',
      read([
        [0, 0],
        [15, 14],
      ]),
      15 + term / second,
      90,
    ],
    [
      'then, when nobody looked for too long',
      read([
        [0, 0],
        [15, 14],
      ]),
      65,
      90,
    ],
    [
      'never after that',
      read([
        [0, 0],
        [15, 14],
      ]),
      90,
      null,
    ],
  ] as const)('%s', (_name, track, at, turns) =>
    expect(leaseTurnsAt(track, noon + at * second)).toBe(turns === null ? null : noon + turns * second),
  );
});

it('is proven by two looks, one of them since a given time', () => {
  const once = read([[0, 0]]);
  const twice = read([
    [0, 0],
    [6, 5],
  ]);
  expect([once && isProven(once, 0), twice && isProven(twice, noon), twice && isProven(twice, noon + minute)]).toEqual([
    false,
    true,
    false,
  ]);
});

it('a clock that was set back makes no lease live longer', () => {
  const track = withReading(
    read([
      [585, 575],
      [600, 590],
    ]),
    { renewTime: noon + 590 * second, durationSeconds: 35, holder: 'p' },
    noon,
  );
  expect(leaseState(track, noon + term)).toBe('moving');
  expect(leaseState(withReading(track, null, noon + term), noon + term)).toBe('stood');
});

describe('a lease as a whole', () => {
  const reading = { renewTime: noon, durationSeconds: 15, holder: 'pod_1' };
  const first = {
    renewTime: noon,
    renewedAt: noon,
    duration: 15 * second,
    movedAt: null,
    movedBefore: null,
    doubtedAt: null,
    firstReadAt: noon,
    lastReadAt: noon,
    readings: 1,
    free: false,
  };

  it('at its first look, at one that finds it moved, and one that finds it free', () => {
    expect(withReading(null, reading, noon)).toEqual(first);
    expect(withReading(null, { ...reading, durationSeconds: null }, noon).duration).toBe(35 * second);
    const moved = withReading(withReading(null, reading, noon), { ...reading, renewTime: noon + 1 }, noon + 9);
    expect(moved).toEqual({
      ...first,
      renewTime: noon + 1,
      renewedAt: noon + 1,
      movedAt: noon + 9,
      lastReadAt: noon + 9,
      readings: 2,
    });
    for (const holder of [null, ''])
      expect(withReading(moved, { renewTime: noon + 2, durationSeconds: 1, holder }, noon + 9)).toEqual({
        ...moved,
        renewTime: noon + 2,
        renewedAt: noon + 2,
        readings: 3,
        free: true,
      });
    expect(withReading(moved, null, noon + 10)).toEqual({ ...moved, lastReadAt: noon + 10, readings: 3, free: true });
  });

  it('that an earlier process saw has its own term, or the usual one', () => {
    expect(rememberLease(noon, 20)).toEqual({
      ...first,
      renewTime: null,
      renewedAt: null,
      duration: 20 * second,
      movedBefore: noon,
      firstReadAt: null,
      lastReadAt: null,
      readings: 0,
    });
    expect(rememberLease(noon, null).duration).toBe(35 * second);
  });

  it('that moved while nobody looked for more than 35 s is doubted, and not before', () => {
    const known = withReading(withReading(null, reading, noon), { ...reading, renewTime: noon + 1 }, noon + second);
    const later = (gap: number) => withReading(known, { ...reading, renewTime: noon + 2 }, noon + second + gap);
    expect([later(35 * second).movedAt, later(35 * second).readings]).toEqual([noon + 36 * second, 3]);
    expect([later(35 * second + 1).movedAt, later(35 * second + 1).readings]).toEqual([null, 1]);
  });

  it('is proven by two looks, the last of them since', () => {
    const twice = withReading(withReading(null, reading, noon), reading, noon + 5);
    expect([isProven(twice, noon + 5), isProven(twice, noon + 6)]).toEqual([true, false]);
    expect(isProven(withReading(null, reading, noon), noon)).toBe(false);
  });
});

it.each([
  ['35 s', 35, 35_000],
  ['none', null, 35_000],
  ['68 years, as a Lease may say', 2_147_483_647, 300_000],
  ['no number of seconds', 1e300, 300_000],
])(
  'a term of %s is kept as at most five minutes: a dead holder could else be called alive for years',
  (_what, seconds, ms) => {
    const reading = { renewTime: noon, durationSeconds: seconds, holder: 'one' };
    expect([withReading(null, reading, noon).duration, rememberLease(noon, seconds).duration]).toEqual([ms, ms]);
  },
);
