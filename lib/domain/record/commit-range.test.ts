import { describe, expect, it } from 'vitest';
import {
  failsAtRevision,
  moveCommits,
  type CommitObservation,
  type CommitMemory,
  type CommitRange,
} from './commit-range.ts';
import { betweenText, rangeText } from './commit-range-text.ts';
import type { Fault, HistoryEntry, Observation } from '../observation/observation.ts';
import { observed } from '../testing/observed.ts';

/** A commit that is called by one letter. */
const rev = (letter: string): string => `main@sha1:${letter.repeat(40)}`;

function good(at: string): Observation {
  return observed({
    summary: { said: 'good', reason: 'ReconciliationSucceeded', message: '' },
    revisions: { applied: rev(at), attempted: rev(at), artifact: null, origin: null },
  });
}

function bad(applied: string | null, attempted: string | null, fault: Fault = 'apply'): Observation {
  return observed({
    summary: { said: 'bad', fault, reason: 'BuildFailed', message: '', terminal: false },
    revisions: {
      applied: applied && rev(applied),
      attempted: attempted && rev(attempted),
      artifact: null,
      origin: null,
    },
  });
}

const entry = (status: string, at: string): HistoryEntry => ({
  status,
  revision: rev(at),
  digest: `sha256:${at}`,
  first: null,
  last: null,
  total: 4,
});

type Step = readonly [settled: Observation, offered: string | null, rest?: Partial<CommitObservation>];
const missed = { watched: false };

function remembered(...steps: readonly Step[]): CommitMemory {
  let memory: CommitMemory | null = null;
  for (const [settled, offered, rest] of steps) {
    const observed: CommitObservation = {
      settled,
      isSettled: true,
      watched: true,
      offered: offered && rev(offered),
      offeredSince: null,
      ...rest,
    };
    memory = moveCommits(memory, observed);
  }
  if (memory === null) throw new Error('no step');
  return memory;
}

function range(
  lastGood: string | null,
  firstBad: string | null,
  seenBetween: number | null,
  watched = true,
): CommitRange {
  return { lastGood: lastGood && rev(lastGood), firstBad: firstBad && rev(firstBad), seenBetween, watched };
}

describe('between which commits an applier broke', () => {
  it.each<readonly [string, readonly Step[], CommitRange | null]>([
    ['nothing while it works', [[good('a'), 'a']], null],
    [
      'the commits that were seen',
      [
        [good('a'), 'a'],
        [good('a'), 'b'],
        [bad('a', 'b'), 'b'],
      ],
      range('a', 'b', 0),
    ],
    [
      'what was offered between and never tried is counted',
      [
        [good('a'), 'a'],
        [good('a'), 'b'],
        [good('a'), 'c'],
        [good('a'), 'd'],
        [bad('a', 'd'), 'd'],
      ],
      range('a', 'd', 2),
    ],
    [
      'what is offered by the time that the failing is known does not count',
      [
        [good('a'), 'a'],
        [good('a'), 'b'],
        [bad('a', 'b'), 'c'],
      ],
      range('a', 'b', 0),
    ],
    [
      'how many lie between is not known where the one that failed was not seen to be offered',
      [
        [good('a'), 'a'],
        [bad('a', 'b'), 'c'],
      ],
      range('a', 'b', null),
    ],
    [
      'it stays, whatever is tried later',
      [
        [good('a'), 'a'],
        [good('a'), 'b'],
        [bad('a', 'b'), 'b'],
        [bad('a', 'c'), 'c'],
        [bad('a', 'd', 'health'), 'd'],
      ],
      range('a', 'b', 0),
    ],
    [
      'it stays through a time in which nobody looked',
      [
        [good('a'), 'a'],
        [good('a'), 'b'],
        [bad('a', 'b'), 'b'],
        [bad('a', 'd'), 'd', missed],
      ],
      range('a', 'b', 0),
    ],
    [
      'it is over once it works',
      [
        [good('a'), 'a'],
        [bad('a', 'b'), 'b'],
        [good('c'), 'c'],
      ],
      null,
    ],
    [
      'and the next one is of its own',
      [
        [good('a'), 'a'],
        [bad('a', 'b'), 'b'],
        [good('c'), 'c'],
        [good('c'), 'd'],
        [bad('c', 'd'), 'd'],
      ],
      range('c', 'd', 0),
    ],
    [
      'the commit at which it worked',
      [
        [good('a'), 'a'],
        [bad('a', 'a'), 'a'],
      ],
      range('a', 'a', null),
    ],
    [
      'who waits for another has tried nothing',
      [
        [good('a'), 'a'],
        [bad('a', 'a', 'dependency'), 'b'],
        [bad('a', 'c'), 'c'],
      ],
      range('a', 'c', 1),
    ],
    ['from its birth on: it never worked', [[bad(null, 'b'), 'b']], range(null, 'b', null)],
    ['found failing: where it last worked is not known', [[bad('a', 'c'), 'c', missed]], range(null, 'c', null, false)],
    [
      'found failing: its own history knows where it last worked, and the oldest failure since',
      [
        [
          {
            ...bad('a', 'd'),
            history: [
              entry('HealthCheckFailed', 'd'),
              entry('HealthCheckFailed', 'c'),
              entry('ReconciliationSucceeded', 'a'),
            ],
          },
          'd',
          missed,
        ],
      ],
      range('a', 'c', null, false),
    ],
    [
      'found failing: a history without a success does not tell where it worked',
      [[{ ...bad('a', 'd'), history: [entry('HealthCheckFailed', 'c')] }, 'd', missed]],
      range(null, 'c', null, false),
    ],
    [
      'it broke while nobody looked: what was known to work, and what its history knows since',
      [
        [good('a'), 'a'],
        [{ ...bad('b', 'd'), history: [entry('ReconciliationSucceeded', 'b')] }, 'd', missed],
      ],
      range('b', 'd', null, false),
    ],
    [
      'it may have failed while nobody looked, before it was seen to fail: that is not the first',
      [
        [good('a'), 'a'],
        [good('a'), 'c', { watched: false, isSettled: false }],
        [bad('a', 'c'), 'c'],
      ],
      range('a', 'c', 0, false),
    ],
    [
      'it was seen to work again after a time in which nobody looked',
      [
        [good('a'), 'a'],
        [good('b'), 'b', missed],
        [good('b'), 'c'],
        [bad('b', 'c'), 'c'],
      ],
      range('b', 'c', 0),
    ],
    [
      'it names nothing that it tried',
      [
        [good('a'), 'a'],
        [bad('a', null), 'b'],
      ],
      range('a', null, null),
    ],
  ])('%s', (_name, steps, expected) => {
    expect(remembered(...steps).range).toEqual(expected);
  });

  it('is remembered in bounds: of more offers than that nobody counts', () => {
    const letters = Array.from({ length: 90 }, (_, index) => String.fromCodePoint(200 + index));
    const offers = letters.map((letter): Step => [good('a'), letter]);
    const last = letters.at(-1) ?? '';
    const memory = remembered([good('a'), 'a'], ...offers, [bad('a', last), last]);
    expect(memory.offered).toHaveLength(64);
    expect(memory.range).toEqual(range('a', last, null));
  });

  it('keeps nothing that is too long for a revision', () => {
    const long = 'x'.repeat(300);
    expect(remembered([good(long), long], [bad(long, long), long])).toEqual({
      lastGood: null,
      offered: [],
      newerSince: null,
      watched: false,
      range: range(null, null, null, false),
    });
  });

  it.each<readonly [string, readonly Step[], number | null]>([
    ['nothing is newer than what runs', [[good('a'), 'a', { offeredSince: 1 }]], null],
    [
      'the first that was newer counts, however often it is replaced',
      [
        [good('a'), 'a', { offeredSince: 1 }],
        [good('a'), 'b', { offeredSince: 2 }],
        [good('a'), 'c', { offeredSince: 3 }],
        [bad('a', 'c', 'dependency'), 'd', { offeredSince: 4 }],
      ],
      2,
    ],
    [
      'what runs has caught up',
      [
        [good('a'), 'b', { offeredSince: 2 }],
        [good('b'), 'b', { offeredSince: 2 }],
      ],
      null,
    ],
    [
      'what was applied is heard of before its being offered',
      [
        [good('a'), 'a', { offeredSince: 1 }],
        [good('b'), 'a', { offeredSince: 1 }],
        [good('b'), 'b', { offeredSince: 2 }],
      ],
      null,
    ],
    [
      'and what comes after that counts from its own time',
      [
        [good('b'), 'a', { offeredSince: 1 }],
        [good('b'), 'b', { offeredSince: 2 }],
        [good('b'), 'c', { offeredSince: 3 }],
      ],
      3,
    ],
    [
      'what runs has moved on, and not to the newest: no more is known than since when that is offered',
      [
        [good('a'), 'b', { offeredSince: 2 }],
        [good('a'), 'c', { offeredSince: 3 }],
        [good('b'), 'c', { offeredSince: 3 }],
      ],
      3,
    ],
  ])('since when something newer is offered: %s', (_what, steps, since) => {
    expect(remembered(...steps).newerSince).toBe(since);
  });

  it('is the same value where nothing changes, so that nothing is written', () => {
    const before = remembered([good('a'), 'a'], [good('a'), 'b']);
    expect(
      moveCommits(before, { settled: good('a'), isSettled: true, watched: true, offered: rev('b'), offeredSince: 7 }),
    ).toBe(before);
    const broken = remembered([good('a'), 'a'], [bad('a', 'b'), 'b']);
    expect(
      moveCommits(broken, {
        settled: bad('a', 'c'),
        isSettled: true,
        watched: true,
        offered: rev('c'),
        offeredSince: 7,
      }),
    ).toBe(broken);
  });
});

it.each<readonly [CommitRange, string, string]>([
  [range('a', 'b', 2), 'worked at aaaaaaa, first failed at bbbbbbb, at least 2 between', 'at least 2 lie between'],
  [range('a', 'b', 1), 'worked at aaaaaaa, first failed at bbbbbbb, at least 1 between', 'at least 1 lies between'],
  // A fetch may have skipped any number of them.
  [range('a', 'b', 0), 'worked at aaaaaaa, first failed at bbbbbbb', 'how many lie between is not known'],
  [range('a', 'b', null), 'worked at aaaaaaa, first failed at bbbbbbb', 'how many lie between is not known'],
  [range('a', 'b', 0, false), 'worked at aaaaaaa, was failing at bbbbbbb', 'how many lie between is not known'],
  [range('a', 'a', null), 'failed at aaaaaaa, where it had worked before', ''],
  [range(null, 'b', null), 'never worked, first failed at bbbbbbb', ''],
  [range(null, 'b', null, false), 'was failing at bbbbbbb; where it last worked is not known', ''],
  [range('a', null, null), 'worked at aaaaaaa; where it first failed is not known', ''],
  [range(null, null, null), 'names no revision that it tried', ''],
])('%j in words', (one, text, between) => {
  expect([rangeText(one), betweenText(one)]).toEqual([text, between]);
});

it.each([
  ['diverged', true],
  ['unhealthy', true],
  ['stale', false],
  ['waiting', false],
] as const)('what is %s failed at a revision: %s', (verdict, failed) => {
  expect(failsAtRevision(verdict)).toBe(failed);
});

describe('what is remembered of the revisions of an applier', () => {
  it.each<readonly [string, readonly Step[], Partial<CommitMemory>]>([
    [
      'a fault of health is one',
      [
        [good('a'), 'a'],
        [bad('a', 'b', 'health'), 'b'],
      ],
      { range: range('a', 'b', 0) },
    ],
    [
      'who waits has not tried',
      [
        [good('a'), 'a'],
        [bad('a', 'b', 'dependency'), 'b'],
      ],
      { range: null, offered: [rev('b')] },
    ],
    [
      'what worked was offered before: the later offers stay, since when is that of what works',
      [
        [good('a'), 'a'],
        [good('a'), 'b', { offeredSince: 5 }],
        [good('a'), 'c', { offeredSince: 7 }],
        [good('b'), 'c', { offeredSince: 7 }],
      ],
      { lastGood: rev('b'), offered: [rev('c')], newerSince: 7 },
    ],
    [
      'while it works on, the first of what is newer dates it',
      [
        [good('a'), 'a'],
        [good('a'), 'b', { offeredSince: 5 }],
        [good('a'), 'c', { offeredSince: 7 }],
      ],
      { lastGood: rev('a'), offered: [rev('b'), rev('c')], newerSince: 5 },
    ],
    [
      'nothing is newer than what is offered again',
      [
        [good('a'), 'b', { offeredSince: 5 }],
        [good('a'), 'a', { offeredSince: 6 }],
      ],
      { newerSince: null },
    ],
    [
      'what worked was never offered: all that was is older',
      [
        [good('a'), 'b'],
        [good('c'), 'c'],
      ],
      { offered: [] },
    ],
    [
      'an offer counts once',
      [
        [good('a'), 'b'],
        [good('a'), 'b'],
        [good('a'), null],
      ],
      { offered: [rev('b')] },
    ],
  ])('%s', (_name, steps, memory) => {
    expect(remembered(...steps)).toMatchObject(memory);
  });

  it('a text of more than 256 characters is no revision', () => {
    const at = (length: number): CommitMemory => {
      const revision = 'x'.repeat(length);
      const revisions = { applied: revision, attempted: revision, artifact: null, origin: null };
      return remembered([observed({ summary: good('a').summary, revisions }), null]);
    };
    expect([at(256).lastGood?.length, at(257).lastGood]).toEqual([256, null]);
  });

  it('a history tells the newest that was deployed and the oldest failure since', () => {
    const failing = {
      ...bad(null, 'd'),
      history: [entry('Failed', 'd'), entry('failed', 'c'), entry('deployed', 'a')],
    };
    expect(remembered([failing, 'd', missed]).range).toEqual(range('a', 'c', null, false));
    const unknown = { ...failing, history: [entry('failed', 'd'), entry('superseded', 'c'), entry('deployed', 'a')] };
    expect(remembered([unknown, 'd', missed]).range).toEqual(range(null, 'd', null, false));
  });
});
