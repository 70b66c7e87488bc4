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

it('leaves each namespace its turn, however many objects of another tell how many', () => {
  const rivals = createRivals(() => undefined);
  const one: Rival = { type: 'fields', managers: ['flux', 'helm'], byHand: false, fields: [], at: null };
  const key = (namespace: string, name: string): string => refKey({ ...observed().ref, namespace, name });
  for (let number = 0; number < 2_000; number += 1) rivals.note(key('evil', `app-${number}`), [one]);
  rivals.note(key('flux-system', 'infra'), [one]);
  const told = (): readonly string[] => rivals.conflicts().some.map(({ resource }) => resource.namespace);
  expect(told().filter((namespace) => namespace === 'flux-system')).toHaveLength(1);
  rivals.note(key('flux-system', 'infra'), []);
  expect([told().includes('flux-system'), rivals.conflicts().total]).toEqual([false, 2_000]);
});
