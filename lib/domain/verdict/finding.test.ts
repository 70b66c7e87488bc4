import { expect, it } from 'vitest';
import { worseFinding, type Finding } from './finding.ts';
import type { Verdict } from './verdict.ts';

const causeNamed = (name: string) =>
  ({ type: 'object', ref: { cluster: 'c1', group: '', kind: 'Secret', namespace: 'shop', name } }) as const;
const cause = causeNamed('key');

function finding(verdict: Verdict, part: Partial<Finding> = {}): Finding {
  const said = { reason: '', message: '', sentence: '', names: [], evidence: [] };
  return { ...said, rootCause: null, since: null, reviewAt: null, verdict, ...part };
}

it.each<[own: Verdict, other: Verdict, told: 'own' | 'other']>([
  ['waiting', 'diverged', 'other'],
  ['diverged', 'waiting', 'own'],
  ['waiting', 'waiting', 'own'],
])('of %s and %s the worse is told, and its own word where they are equal', (own, other, told) => {
  const found = worseFinding(
    finding(own, { reason: 'own', reviewAt: 7 }),
    finding(other, { reason: 'other', reviewAt: 5 }),
  );
  expect([found.reason, found.reviewAt]).toEqual([told, 5]);
});

it.each<[own: Verdict, other: Verdict, named: boolean]>([
  ['waiting', 'waiting', true],
  ['waiting', 'converged', false],
  ['diverged', 'waiting', false],
  ['stale', 'stale', false],
])('%s beside %s names the cause of the other: %s', (own, other, named) => {
  const { rootCause } = worseFinding(finding(own), finding(other, { rootCause: cause }));
  expect(rootCause).toEqual(named ? cause : null);
});

it('a cause of its own stays', () => {
  const own = finding('waiting', { rootCause: causeNamed('own') });
  expect(worseFinding(own, finding('waiting', { rootCause: cause })).rootCause).toEqual(causeNamed('own'));
  expect(worseFinding(own, null)).toBe(own);
});
