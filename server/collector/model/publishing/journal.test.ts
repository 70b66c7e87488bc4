import { beforeEach, describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { judged, noon, observed, recorded, tracked } from '#lib/domain/testing/observed.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WriteBatch } from '#server/store/port/port.ts';
import { newEntry } from '../objects/packed-entry.ts';
import type { Entry } from '../objects/entry.ts';
import { createJournal, type Journal } from './journal.ts';

const nothing = { cluster: null, coverage: [], resume: [] };
let journal: Journal;
let entry: Entry;

beforeEach(() => {
  journal = createJournal();
  entry = newEntry(observed().ref, tracked(observed()), true);
});

function publish(part: Partial<CurrentObject>, now = noon): WriteBatch | null {
  const record = recorded(part);
  journal.publish(entry, judged(record.verdict), record, now);
  return journal.batch(now, nothing);
}

/** The horizon of the record is 31 minutes: from a minute before noon to half past. */
const proof = (later: number): Partial<CurrentObject> => ({
  observedAt: noon - minute + later,
  confirmedAt: noon - minute + later,
  validUntil: noon + 30 * minute + later,
});

describe('a change', () => {
  it('of a new object is its record and its first transition', () => {
    const batch = publish({});
    expect(batch?.objects).toHaveLength(1);
    expect(batch?.transitions).toMatchObject([
      { from: null, to: 'converged', at: noon - 60 * minute, noticedAt: noon },
    ]);
  });

  it('of the verdict is dated by its onset', () => {
    publish({});
    const batch = publish({
      verdict: 'diverged',
      reason: 'BuildFailed',
      onset: { time: noon - 5_000, bound: 'exact', noticedAt: noon },
    });
    expect(batch?.transitions).toMatchObject([
      { from: 'converged', to: 'diverged', at: noon - 5_000, bound: 'exact', reason: 'BuildFailed' },
    ]);
  });

  it('of anything else is a record without a transition', () => {
    publish({});
    const batch = publish({ commit: 'b'.repeat(40) });
    expect([batch?.objects.length, batch?.transitions]).toEqual([1, []]);
  });
});

describe('a quiet pass', () => {
  it('makes no entry', () => {
    publish({});
    expect(publish({ ...proof(minute), sentence: 'Another wording of the same.' })).toBeNull();
  });

  it('is flushed when a quarter of its bound has passed since the last flush, and only then', () => {
    publish({});
    const flushed = [5, 7, 8, 12, 15, 16].map((minutes) => publish(proof(minutes * minute))?.confirmations.length ?? 0);
    expect(flushed).toEqual([0, 0, 1, 0, 0, 1]);
  });

  it('of an object without a bound is flushed only where the bound itself changes', () => {
    publish({ validUntil: null, confirmedAt: null });
    expect(publish({ validUntil: null, confirmedAt: null, observedAt: noon })).toBeNull();
    expect(publish({ validUntil: noon + minute, confirmedAt: null })?.confirmations).toHaveLength(1);
  });
});

describe('an end', () => {
  it('is a removal and a transition to nothing', () => {
    publish({});
    journal.remove(entry, noon + 5_000);
    expect(journal.batch(noon + 5_000, nothing)).toMatchObject({
      removed: [{ ref: observed().ref, at: noon + 5_000 }],
      transitions: [{ from: 'converged', to: null, reason: 'Deleted', at: noon + 5_000 }],
      objects: [],
    });
  });

  it('of an object that was never told is none', () => {
    journal.remove(entry, noon);
    expect(journal.batch(noon, nothing)).toBeNull();
  });
});

it('says nothing where there is nothing to say, and everything once', () => {
  expect(journal.batch(noon, nothing)).toBeNull();
  expect(
    journal.batch(noon, { ...nothing, resume: [{ group: 'a', kind: 'A', version: 'v1', resourceVersion: '1' }] }),
  ).toBeNull();
  publish({});
  expect(journal.batch(noon, nothing)).toBeNull();
});

it('tells an end in full, and nothing more of what waited of that object', () => {
  publish({});
  publish(proof(8 * minute));
  const ref = { ...observed().ref, name: 'other' };
  const other = newEntry(ref, tracked(observed({ ref })), true);
  const record = recorded({ ref: other.ref });
  journal.publish(other, judged(record.verdict), record, noon);
  journal.publish(entry, judged(record.verdict), recorded({ commit: 'b'.repeat(40) }), noon);
  journal.publish(entry, judged(record.verdict), recorded({ commit: 'b'.repeat(40), ...proof(20 * minute) }), noon);
  const later = recorded({ ref: other.ref, ...proof(20 * minute) });
  journal.publish(other, judged(record.verdict), later, noon);
  journal.remove(entry, noon + 5_000);
  const batch = journal.batch(noon + 5_000, nothing);
  expect(batch?.objects.map(({ object }) => object.ref.name)).toEqual(['other']);
  expect(batch?.confirmations.map(({ ref }) => ref.name)).toEqual(['other']);
  expect(batch?.transitions.at(-1)).toEqual({
    ref: entry.ref,
    uid: entry.state.track.latest.uid,
    at: noon + 5_000,
    bound: 'exact',
    noticedAt: noon + 5_000,
    from: 'converged',
    to: null,
    reason: 'Deleted',
    message: '',
    commit: 'b'.repeat(40),
    attempted: record.revision.attempted,
    rootCause: null,
  });
});

it.each([
  [7 * minute + 44_999, 0],
  [7 * minute + 45_000, 1],
])('flushes a proof that reaches %i ms further in %i confirmations', (later, expected) => {
  publish({});
  expect(publish(proof(later))?.confirmations.length ?? 0).toBe(expected);
});

it.each([
  ['there was none and there is no time of it', { validUntil: null, confirmedAt: null }, proof(0), 0],
  ['it is gone', {}, { validUntil: null, confirmedAt: null }, 1],
])('a bound: %s', (_what, before, after, expected) => {
  publish(before);
  expect(publish(after)?.confirmations.length ?? 0).toBe(expected);
});

it('tells of the arrival of a commit once, but not of where an object was at first', () => {
  const arrivals = [
    publish({}),
    publish({ reason: 'A' }),
    publish({ commit: 'b'.repeat(40) }),
    publish({ reason: 'B', commit: 'b'.repeat(40) }),
  ];
  expect(arrivals.map((batch) => batch?.arrivals)).toEqual([
    [],
    [],
    [{ ref: entry.ref, commit: 'b'.repeat(40), at: noon }],
    [],
  ]);
});

it('tells each correction once, and leaves an object without any as it is', () => {
  const correction = { at: noon, certainty: 'confirmed', said: 'ConfigMap/apps/x configured', count: 1 } as const;
  entry.change({ unrecorded: [correction] });
  expect(publish({})?.corrections).toEqual([{ ref: entry.ref, correction }]);
  const { unrecorded } = entry.state;
  expect(publish({ reason: 'A' })?.corrections).toEqual([]);
  expect(entry.state.unrecorded).toBe(unrecorded);
});

it('says to when the clock was set back, where it was', () => {
  const coverage = [{ cluster: 'c1', kind: null, at: noon, observed: true, state: 'live', reason: null }];
  const batch = (setBackTo?: number) =>
    journal.batch(noon, { ...nothing, coverage, ...(setBackTo ? { setBackTo } : {}) });
  expect(
    [batch(), batch(noon - 5)].map((one) => one && Object.entries(one).find(([key]) => key === 'setBackTo')),
  ).toEqual([undefined, ['setBackTo', noon - 5]]);
});

it('goes through what waits once, however many objects end', () => {
  let looked = 0;
  const entries = Array.from({ length: 300 }, (_, n) => {
    const ref = { ...observed().ref, name: `o${n}` };
    const one = newEntry(ref, tracked(observed({ ref })), true);
    const record: CurrentObject = {
      ...recorded(),
      get ref() {
        looked += 1;
        return ref;
      },
    };
    journal.publish(one, judged(record.verdict), record, noon);
    return one;
  });
  const before = looked;
  for (const one of entries) journal.remove(one, noon + 5_000);
  const batch = journal.batch(noon + 5_000, nothing);
  expect([batch?.objects.length, batch?.removed.length]).toEqual([0, 300]);
  expect(looked - before).toBeLessThan(1_000);
});

it('keeps what an object became after its end, in the same batch', () => {
  publish({});
  journal.remove(entry, noon + 1_000);
  const again = newEntry(entry.ref, tracked(observed()), true);
  journal.publish(again, judged('converged'), recorded(), noon + 2_000);
  const batch = journal.batch(noon + 3_000, nothing);
  expect([batch?.removed.length, batch?.objects.length]).toEqual([1, 1]);
});
