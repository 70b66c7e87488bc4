import { expect, it } from 'vitest';
import type { CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import { noon, observed, tracked } from '#lib/domain/testing/observed.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import { objectOf } from '#test/contract/store-records.ts';
import type { Entry } from './entry.ts';
import { memoryOf, restoreEntry } from './entry-memory.ts';
import { newEntry } from './packed-entry.ts';

const observation = observed();

/** An entry as it is after a restart, where the store had this of it. */
function restored(
  object: Partial<CurrentObject>,
  track: Partial<Track>,
  change: (entry: Entry) => void = () => undefined,
) {
  const entry = newEntry(observation.ref, { ...tracked(observation, noon), ...track }, true);
  change(entry);
  const detail: ObjectDetail = {
    observation,
    evidence: [],
    message: '',
    target: observation.target,
    corrections: [],
    memory: memoryOf(entry),
  };
  return restoreEntry(objectOf(observation.ref, object), detail);
}

it.each<readonly [string, Partial<CurrentObject>, number | null, number | null]>([
  ['its record was confirmed by a later pass', { confirmation: 'pass', confirmedAt: 200 }, 100, 200],
  ['its memory tells of a later one', { confirmation: 'pass', confirmedAt: 100 }, 200, 200],
  ['only its record tells of one', { confirmation: 'pass', confirmedAt: 200 }, null, 200],
  ['its record was confirmed by something else', { confirmation: 'controller', confirmedAt: 200 }, 100, 100],
  ['nothing tells of a pass', { confirmation: 'pass', confirmedAt: null }, null, null],
  ['nothing tells of one, and another sign confirms it', { confirmation: 'controller', confirmedAt: 200 }, null, null],
])('is restored with its last pass where %s', (_what, object, lastPassAt, expected) => {
  expect(restored(object, { lastPassAt })?.state.track.lastPassAt).toBe(expected);
});

it('is restored as one that was there before, and that no list has brought since', () => {
  expect(restored({}, {})?.state).toMatchObject({ initial: false, receivedInList: false, judgement: null });
});

it('is restored with when it was shown, what was missing, and what was noted beside what it rests on', () => {
  const settled = { observation, shownAt: noon - 7 };
  const noted = observed({ suspended: { at: noon, by: 'ops', field: 'spec.suspend' } });
  const entry = restored({}, { settled }, (it) => {
    it.missingSince = new Map([['a', 1]]);
    it.change({ noted });
  });
  expect(entry?.state.track.settled?.shownAt).toBe(noon - 7);
  expect(entry?.missingSince).toEqual(new Map([['a', 1]]));
  expect(entry?.state.noted?.suspended).toEqual(noted.suspended);
});

it('is restored with nothing missing and nothing noted where there was nothing', () => {
  const entry = restored({}, { settled: { observation, shownAt: noon } }, (it) => {
    it.missingSince = new Map();
    it.change({ noted: observed() });
  });
  expect(entry?.missingSince).toBeNull();
  expect(entry?.state.noted).toBe(observation);
});
