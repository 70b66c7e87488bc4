import { expect, it } from 'vitest';
import type { Rival } from '#lib/domain/observation/conflict.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { observed } from '#lib/domain/testing/observed.ts';
import { createRivals } from './rivals.ts';

it('looks at a bounded number of rivals, however many objects tell however many, and counts all', () => {
  const rivals = createRivals(() => undefined);
  const many = Array.from({ length: 120 }, (_, number): Rival => ({
    type: 'fields',
    managers: ['kustomize-controller', `m${number}`],
    byHand: false,
    fields: [],
    at: null,
  }));
  for (let number = 0; number < 1_000; number += 1)
    rivals.note(refKey({ ...observed().ref, name: `app-${number}` }), many);
  const { some, total } = rivals.conflicts();
  expect([some.length, total]).toEqual([1_000, 120_000]);
});
