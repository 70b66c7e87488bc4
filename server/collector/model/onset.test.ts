import { expect, it } from 'vitest';
import type { Condition, Observation } from '#lib/domain/observation.ts';
import { minute, noon, observed } from '#lib/domain/testing/observed.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import { firstOnset } from './onset.ts';

const stamp = noon - 20 * minute;

function condition(type: string, status: Condition['status']): Condition {
  return { type, status, reason: '', message: '', lastTransitionTime: stamp, observedGeneration: 1 };
}

function history(status: string, first: number): Observation['history'] {
  return [{ digest: 'sha256:1', status, revision: null, first, last: noon - minute, total: 3 }];
}

const failed: Observation['word'] = {
  said: 'bad',
  fault: 'apply',
  reason: 'BuildFailed',
  message: '',
  terminal: false,
};

it.each<[string, Partial<Observation>, Verdict, number]>([
  [
    'what follows from a part is not dated by its own good word',
    { conditions: [condition('Synced', 'True'), condition('Ready', 'True')] },
    'diverged',
    noon,
  ],
  [
    'what is missing is not dated by its own good word',
    { conditions: [condition('Ready', 'True')], history: history('ReconciliationSucceeded', noon - 90 * minute) },
    'diverged',
    noon,
  ],
  [
    'a deletion that hangs goes back to when it was due',
    { deletedAt: noon - 40 * minute, conditions: [condition('Ready', 'True')] },
    'diverged',
    noon - 25 * minute,
  ],
  [
    'a failure goes back to its history where that names it',
    { word: failed, conditions: [condition('Ready', 'False')], history: history('BuildFailed', noon - 90 * minute) },
    'diverged',
    noon - 90 * minute,
  ],
  [
    'a failure goes back to its condition at least',
    { word: failed, conditions: [condition('Ready', 'False')] },
    'diverged',
    stamp,
  ],
  [
    'a managed resource to the condition that says so',
    {
      word: failed,
      conditions: [condition('Ready', 'True'), { ...condition('Synced', 'False'), lastTransitionTime: stamp - minute }],
    },
    'diverged',
    stamp - minute,
  ],
  [
    'convergence to the first pass of the newest history',
    { history: history('ReconciliationSucceeded', noon - 90 * minute), conditions: [condition('Ready', 'True')] },
    'converged',
    noon - 90 * minute,
  ],
  [
    'a history of failures does not date convergence',
    { history: history('BuildFailed', noon - 90 * minute), conditions: [condition('Ready', 'True')] },
    'converged',
    stamp,
  ],
  [
    'a suspension to who made it',
    { suspended: { field: 'spec.suspend', by: 'kubectl-edit', at: noon - 5 * minute } },
    'suspended',
    noon - 5 * minute,
  ],
  [
    'a suspension of unknown age to now',
    { suspended: { field: 'spec.suspend', by: null, at: null } },
    'suspended',
    noon,
  ],
  ['a first reconcile to its creation', { createdAt: noon - 2 * minute }, 'progressing', noon - 2 * minute],
  [
    'a drift to its own condition',
    {
      conditions: [
        condition('Ready', 'True'),
        { ...condition('Drifted', 'True'), lastTransitionTime: noon - 7 * minute },
      ],
    },
    'drifted',
    noon - 7 * minute,
  ],
  [
    'nothing is dated into the future',
    { word: failed, conditions: [{ ...condition('Ready', 'False'), lastTransitionTime: noon + minute }] },
    'diverged',
    noon,
  ],
])('%s', (_name, part, verdict, at) => {
  expect(firstOnset(observed(part), verdict, noon)).toEqual({ at, bound: 'at-least' });
});
