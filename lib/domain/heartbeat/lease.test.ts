import { describe, expect, it } from 'vitest';
import {
  doubtLease,
  isProven,
  leaseLook,
  leaseMovedAt,
  leaseTurnsAt,
  lookAtLease,
  rememberLease,
  unmovedSince,
} from './lease.ts';
import type { LeaseTrack } from './lease.ts';
import { noon } from '../testing/observed.ts';
import { minute, second } from '../time/length.ts';

/** leaseDurationSeconds 35 and 15 s of slack. */
const term = 50 * second;

/** Looks at a lease at so many seconds after noon; each look finds it renewed so many seconds after noon (null: gone). */
function looks(sights: readonly (readonly [at: number, renewed: number | null])[], before: LeaseTrack | null = null) {
  return sights.reduce<LeaseTrack | null>((track, [at, renewed]) => {
    const sight =
      renewed === null ? null : { renewTime: noon + renewed * second, durationSeconds: 35, holder: 'pod_1' };
    return lookAtLease(track, sight, noon + at * second);
  }, before);
}

it.each([0, 600_000, -600_000])(
  "what moved while nobody looked is dated on our clock, whatever its holder's is off by: %d ms",
  (ahead) => {
    const renewTime = noon + 5 * second + ahead;
    const sight = { renewTime, ahead, durationSeconds: 35, holder: 'pod_1' };
    expect(lookAtLease(rememberLease(noon, 35), sight, noon + 60 * second).movedBefore).toBe(noon + 5 * second);
  },
);

describe('what the looks at a lease show', () => {
  const moving = [
    [0, 0],
    [15, 14],
  ] as const;
  const standing = [...moving, [30, 14], [45, 14]] as const;
  it.each([
    ['nothing without a look', looks([]), 0, 'none'],
    ['nothing of its moving in one look', looks([[0, 0]]), 0, 'unmoved'],
    [
      'nothing, however fresh it looks, where it stands in two',
      looks([
        [0, 0],
        [6, 0],
      ]),
      6,
      'unmoved',
    ],
    [
      'that it never moved in a whole term',
      looks([
        [0, 0],
        [15, 0],
        [50, 0],
      ]),
      50,
      'never',
    ],
    ['that it moves', looks(moving), 15, 'moving'],
    ['that it moves, between the looks', looks(moving), 29, 'moving'],
    ['that it is late', looks([...moving, [30, 14]]), 30, 'late'],
    ['that it moved again', looks([...moving, [30, 14], [45, 44]]), 45, 'moving'],
    ['that it is late until its term is over', looks([...standing, [60, 14]]), 64, 'late'],
    ['that it stood still for its term', looks([...standing, [60, 14]]), 65, 'stood'],
    ['no more than lateness where nobody looked at its end', looks(standing), 70, 'late'],
    ['nothing any more where nobody looked for 75 s', looks(standing), 120, 'none'],
    ['that it stood still, at the first look after an absence', looks([...moving, [600, 14]]), 600, 'stood'],
    ['that it stood still where it is gone', looks([...moving, [30, null], [60, null]]), 65, 'stood'],
    ['that it moves again after it had stood', looks([...moving, [600, 14], [615, 610]]), 615, 'moving'],
    ['nothing of now where it moved in an absence', looks([...moving, [60, 18]]), 60, 'unmoved'],
    ['that it stood still since an absence in which it moved', looks([...moving, [60, 18], [95, 18]]), 110, 'stood'],
    ['that it moves, after an absence', looks([...moving, [60, 58], [66, 63]]), 66, 'moving'],
  ] as const)('%s', (_name, track, at, look) => expect(leaseLook(track, noon + at * second)).toBe(look));
});

describe('a lease that was out of sight', () => {
  const before = looks([
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
  ] as const)('%s', (_name, sights, at, look) =>
    expect(leaseLook(looks(sights, doubted), noon + at * second)).toBe(look),
  );

  it('tells since when it is looked for, and when it moved last, by its holder within what was seen', () => {
    const again = looks([[35, 18]], doubted);
    expect([again && unmovedSince(again), again && leaseMovedAt(again)]).toEqual([back, noon + 18 * second]);
    const ahead = looks([[35, 600]], doubted);
    expect(ahead && leaseMovedAt(ahead)).toBe(back);
    const moving = looks(
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
  const given = lookAtLease(
    looks([
      [0, 0],
      [15, 14],
    ]),
    released,
    noon + 22 * second,
  );

  it("is renewed once more in nobody's name: no sign of life, and its term is the former holder's", () => {
    expect([leaseLook(given, noon + 22 * second), leaseMovedAt(given)]).toEqual(['late', noon + 15 * second]);
    const later = lookAtLease(given, released, noon + 60 * second);
    expect([leaseLook(later, noon + 64 * second), leaseLook(later, noon + 65 * second)]).toEqual(['late', 'stood']);
  });

  it('moves again in the hands of the next', () => {
    const taken = { renewTime: noon + 29 * second, durationSeconds: 35, holder: 'pod_2' };
    expect(leaseLook(lookAtLease(given, taken, noon + 30 * second), noon + 30 * second)).toBe('moving');
  });

  it('and was never held while it was looked at, was never seen moving', () => {
    const free = lookAtLease(null, released, noon);
    const again = lookAtLease(free, { ...released, renewTime: noon + 4 * second }, noon + 5 * second);
    expect(leaseLook(again, noon + 5 * second)).toBe('unmoved');
  });
});

describe('a lease that moved in an earlier life of the collector', () => {
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
      'lives with the second look that finds it moved',
      [
        [0, -1],
        [6, 4],
      ],
      6,
      'moving',
    ],
  ] as const)('%s', (_name, sights, at, look) =>
    expect(leaseLook(looks(sights, before), noon + at * second)).toBe(look),
  );

  it('keeps when it moved last', () => {
    expect(leaseMovedAt(before)).toBe(noon - 60 * minute);
  });
});

describe('when to look at the clock again', () => {
  it.each([
    ['never before the first look', looks([]), 0, null],
    ['when nobody looked for too long, where it never moved', looks([[0, 0]]), 0, 75],
    [
      'at the end of its term',
      looks([
        [0, 0],
        [15, 14],
      ]),
      15,
      15 + term / second,
    ],
    [
      'then, when nobody looked for too long',
      looks([
        [0, 0],
        [15, 14],
      ]),
      65,
      90,
    ],
    [
      'never after that',
      looks([
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
  const once = looks([[0, 0]]);
  const twice = looks([
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
  const track = lookAtLease(
    looks([
      [585, 575],
      [600, 590],
    ]),
    { renewTime: noon + 590 * second, durationSeconds: 35, holder: 'p' },
    noon,
  );
  expect(leaseLook(track, noon + term)).toBe('moving');
  expect(leaseLook(lookAtLease(track, null, noon + term), noon + term)).toBe('stood');
});
