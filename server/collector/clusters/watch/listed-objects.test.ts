import { expect, it } from 'vitest';
import { whyTooLong } from './listed-objects.ts';

const entries = (count: number) => Array.from({ length: count }, () => ({ id: 'a_b__ConfigMap', v: 'v1' }));

it.each([
  ['an inventory', { inventory: { entries: entries(4) } }],
  ['what a generator made', { inventory: entries(4) }],
  ['the resources of an Application', { resources: entries(4) }],
])('%s has a bound', (_what, status) => {
  expect(whyTooLong('Kustomization', { status }, 4)).toBeNull();
  expect(whyTooLong('Kustomization', { status }, 3)).toBe(
    'one Kustomization lists 4 objects; at most 3 are read of one',
  );
});

it('an object that lists nothing is taken', () => {
  expect(whyTooLong('Bucket', {}, 0)).toBeNull();
});
