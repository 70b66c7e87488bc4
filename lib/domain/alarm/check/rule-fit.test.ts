import { expect, it } from 'vitest';
import type { Verdict } from '../../verdict/verdict.ts';
import type { Matcher } from '../fact.ts';
import { ruleFact } from '../testing/facts.ts';
import { bestFitting } from './rule-fit.ts';

function rule(name: string, ...states: readonly Matcher[]) {
  return ruleFact({ name, selectors: [{ metric: 'crossplane_resource_info', scope: 'x', states }] });
}

const notTrue = (name: string): Matcher => ({ name, operator: '!=', value: 'True' });
const rules = [
  ruleFact({ name: 'Absent', query: 'absent(crossplane_resource_info)' }),
  rule('Paused', { name: 'synced_reason', operator: '=', value: 'ReconcilePaused' }),
  rule('Anything'),
  rule('Unready', notTrue('ready')),
  rule('Desynced', notTrue('synced'), { name: 'synced_reason', operator: '!=', value: 'ReconcilePaused' }),
];

it.each<[Verdict, string]>([
  ['suspended', 'Paused'],
  ['diverged', 'Desynced'],
  ['drifted', 'Desynced'],
  ['unhealthy', 'Unready'],
  ['stale', 'Unready'],
])('of an object that is %s the rule %s is named', (verdict, name) => {
  expect(bestFitting(rules, verdict)?.name).toBe(name);
});

it('of rules that fit alike it is the first, and none of none', () => {
  expect(bestFitting([rule('A', notTrue('ready')), rule('B', notTrue('ready'))], 'diverged')?.name).toBe('A');
  expect(bestFitting([], 'diverged')).toBeNull();
});
