import { expect, it } from 'vitest';
import { noon, observed, tracked } from '#lib/domain/testing/observed.ts';
import { minute } from '#lib/domain/time/length.ts';
import { observedEvent } from '../../reconcilers/testing.ts';
import { noteCorrection } from './corrections.ts';
import { newEntry } from '../objects/packed-entry.ts';

const revision = observed().revisions.applied ?? '';

function passed(at: number) {
  return observed({
    passes: { seenBy: 'history', last: at, total: 1 },
    history: [
      {
        status: 'ReconciliationSucceeded',
        revision,
        digest: 'sha256:1',
        first: noon - 60 * minute,
        last: at,
        total: 1,
      },
    ],
  });
}

/** Corrections of one object in `passes` passes in a row. */
function correctedIn(passes: number, shared: boolean): readonly (readonly [string, number])[] {
  const entry = newEntry(observed().ref, tracked(passed(noon)), true);
  const conflicts = { explains: () => shared, noteCorrections: () => undefined };
  noteCorrection(entry, null, noon, conflicts);
  for (let n = 1; n <= passes; n += 1) {
    const at = noon + n * 10 * minute;
    const event = observedEvent({
      uid: `e${n}`,
      reason: 'Progressing',
      message: 'ConfigMap/apps/shared configured',
      lastAt: at - 1_000,
    });
    noteCorrection(entry, event, at, conflicts);
    entry.change({ track: tracked(passed(at)) });
    noteCorrection(entry, null, at, conflicts);
  }
  return entry.state.corrections.map(({ certainty, count }) => [certainty, count] as const);
}

it('a fight is named from the third time on, and is one thing that goes on', () => {
  expect(correctedIn(2, false)).toEqual([
    ['confirmed', 1],
    ['confirmed', 1],
  ]);
  expect(correctedIn(6, false)).toEqual([
    ['contested', 4],
    ['confirmed', 1],
    ['confirmed', 1],
  ]);
});

it('what two Kustomizations rewrite for each other is contested from the first time on: one conflict, not so many drifts', () => {
  expect(correctedIn(6, true)).toEqual([['contested', 6]]);
});
