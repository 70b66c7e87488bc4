import { expect, it } from 'vitest';
import { driftGoesUnseen } from './drift.ts';

it.each([
  ['applier', 'not-measured', true],
  ['managed', 'not-measured', true],
  ['claim', 'not-measured', true],
  ['source', 'not-measured', false],
  ['package', 'not-measured', false],
  ['definition', 'not-measured', false],
  ['declared', 'not-measured', false],
  ['applier', 'none', false],
  ['applier', 'found', false],
] as const)('%s, %s: %s', (role, drift, unseen) => {
  expect(driftGoesUnseen({ role, drift })).toBe(unseen);
});
