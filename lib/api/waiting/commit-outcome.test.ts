import { expect, it } from 'vitest';
import { commitOutcome } from './commit-outcome.ts';

const none = {
  stuck: 0,
  'failed-later': 0,
  unknown: 0,
  'on-its-way': 0,
  superseded: 0,
  converged: 0,
  'not-concerned': 5,
};

it.each([
  [{}, 'nothing'],
  [{ converged: 2 }, 'arrived'],
  [{ superseded: 1 }, 'arrived'],
  [{ converged: 2, 'on-its-way': 1 }, 'waiting'],
  [{ converged: 2, 'on-its-way': 1, unknown: 1 }, 'unknown'],
  [{ converged: 2, unknown: 1, stuck: 1 }, 'failed'],
  [{ converged: 2, 'failed-later': 1 }, 'failed'],
] as const)('%j is %s', (counts, outcome) => {
  expect(commitOutcome({ ...none, ...counts })).toBe(outcome);
});
