import { expect, it } from 'vitest';
import { createSignBudget } from './sign-budget.ts';

const refused = {
  state: 'failed',
  fault: {
    type: 'protocol',
    message: 'the namespaces of its controllers list 1,001 Leases together; at most 1,000 are read',
  },
};

it('refuses the list that is too much beside those of other namespaces, and takes it once there is room', () => {
  const budget = createSignBudget('Lease', 1_000, []);
  expect([budget.refuse('a', 600), budget.refuse('b', 400), budget.refuse('a', 600)]).toEqual([null, null, null]);
  expect(budget.refuse('c', 1)).toEqual(refused);
  budget.keep(['a', 'c']);
  expect([budget.refuse('c', 400), budget.refuse('c', 401)]).toEqual([null, refused]);
  // What was refused is not held, and counts no more.
  expect(budget.refuse('b', 400)).toBeNull();
});

it('leaves those where controllers usually run their room, however much others list', () => {
  const budget = createSignBudget('Lease', 1_000, ['flux-system', 'crossplane-system']);
  expect([budget.refuse('tenant', 1_000), budget.refuse('flux-system', 600)]).toEqual([null, null]);
  expect([budget.refuse('crossplane-system', 400), budget.refuse('crossplane-system', 401)]).toEqual([null, refused]);
  expect([budget.refuse('tenant', 400), budget.refuse('tenant', 401)]).toEqual([null, refused]);
});
