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
  return corrected(passes, shared).entry.state.corrections.map(({ certainty, count }) => [certainty, count] as const);
}

/** The object of `correctedIn`, and what each of its events and passes was taken for. */
function corrected(passes: number, shared: boolean, said: (n: number) => string = () => 'apps/shared') {
  const told: boolean[] = [];
  const entry = newEntry(observed().ref, tracked(passed(noon)), true);
  const weights: number[] = [];
  const around = {
    conflicts: { explains: () => shared, noteCorrections: () => undefined },
    graph: { weigh: (_entry: unknown, weight: number) => void weights.push(weight) },
  };
  noteCorrection(entry, null, noon, around);
  for (let n = 1; n <= passes; n += 1) {
    const at = noon + n * 10 * minute;
    const event = observedEvent({
      uid: `e${n}`,
      reason: 'Progressing',
      message: `ConfigMap/${said(n)} configured`,
      lastAt: at - 1_000,
    });
    told.push(noteCorrection(entry, event, at, around));
    entry.change({ track: tracked(passed(at)) });
    told.push(noteCorrection(entry, null, at, around));
  }
  return { entry, told, weights };
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

it('tells which event or pass made a correction known, and forgets the shape that was written', () => {
  const { entry, told } = corrected(2, false);
  expect(told.filter((one) => one)).toHaveLength(2);
  expect(told).toHaveLength(4);
  expect([entry.state.shape, entry.state.unrecorded.length]).toEqual(['', 2]);
});

it('keeps the 20 newest', () => {
  const { entry } = corrected(21, false, (n) => `apps/a${n}`);
  expect(entry.state.corrections.map(({ said }) => said)).toEqual(
    Array.from({ length: 20 }, (_, index) => `ConfigMap/apps/a${21 - index} configured`),
  );
});

it('what the record cannot be told for long is told together in the end, with its number', () => {
  const { entry } = corrected(200, false, (n) => `apps/a${n}`);
  const { unrecorded } = entry.state;
  expect(unrecorded).toHaveLength(20);
  expect(unrecorded.reduce((sum, { count }) => sum + count, 0)).toBe(200);
  expect(unrecorded.at(-1)?.said).toBe('ConfigMap/apps/a200 configured');
});

it('long words of corrections weigh, those of usual length do not', () => {
  const plain = corrected(20, false).weights;
  expect(new Set(plain).size).toBe(1);
  const { weights } = corrected(20, false, (n) => `apps/${'x'.repeat(900)}${n}`);
  expect((weights.at(-1) ?? 0) - (plain.at(-1) ?? 0)).toBeGreaterThan(20 * 900);
});
