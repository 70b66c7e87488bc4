import { describe, expect, it } from 'vitest';
import { noon, recorded, seenCluster } from '#lib/domain/testing/observed.ts';
import { blindSpots, checkExitCode, checkOrder, checkSummary, checkTable, progressText } from './check.ts';

const release = { ...recorded().ref, kind: 'HelmRelease', namespace: 'apps', name: 'web' };

describe('the table of a check', () => {
  it('says of what is converged that nobody compares it, and of what is not its sentence and that', () => {
    const lines = checkTable([
      recorded({ verdict: 'diverged', reason: 'BuildFailed', sentence: 'The build of apps fails.' }),
      recorded({ ref: release, drift: 'not-measured', reason: 'UpgradeSucceeded' }),
      recorded({ ref: release, verdict: 'diverged', drift: 'not-measured', sentence: 'The upgrade of web fails.' }),
      recorded({ ref: release, verdict: 'converged' }),
    ]).map((line) => line.split(/ {2,}/).slice(5).join(''));
    expect(lines).toEqual([
      '',
      'The build of apps fails.',
      'Drift is not measured.',
      'The upgrade of web fails. Drift is not measured.',
      '',
    ]);
  });
});

describe('what a check comes to', () => {
  it.each([
    [[recorded()], null],
    [[recorded({ verdict: 'suspended' })], null],
    [[recorded(), recorded({ drift: 'not-measured' })], 'Of 2 objects: drift is not measured of 1'],
    [
      [recorded({ verdict: 'diverged' }), recorded({ verdict: 'unconfirmed' })],
      'Of 2 objects: 1 neither converged nor suspended, 1 not observed or not confirmed',
    ],
    [[recorded({ role: 'source', drift: 'not-measured' })], null],
  ])('%#', (objects, summary) => {
    expect(checkSummary(objects)).toBe(summary);
  });
});

describe('a check that found no object', () => {
  it('cannot be said, and is no success', () => {
    expect(checkExitCode([], [])).toBe(2);
    expect(checkSummary([])).toBe('That cannot be said: no object is known');
  });
});

describe('a stack that is only declared', () => {
  const stack = recorded({ role: 'declared', verdict: 'unobserved', drift: 'not-measured' });

  it('turns nothing: it can never be observed, and its row hides nothing', () => {
    const row = seenCluster({ name: 'not on a cluster', state: 'declared', feeds: [] });
    expect(blindSpots([row], noon)).toEqual([]);
    expect(checkExitCode([recorded(), stack], [])).toBe(0);
    expect(checkExitCode([recorded({ verdict: 'unobserved' }), stack], [])).toBe(2);
  });

  it('is counted apart', () => {
    expect(checkSummary([recorded(), stack])).toBe('1 declared stack is never observed');
    expect(checkSummary([recorded({ verdict: 'diverged' }), stack, stack])).toBe(
      'Of 1 object: 1 neither converged nor suspended. 2 declared stacks are never observed',
    );
  });

  it('stands in the table after all that deviates', () => {
    const found = [stack, recorded({ verdict: 'behind' }), recorded()].toSorted(checkOrder);
    expect(found.map(({ verdict }) => verdict)).toEqual(['behind', 'unobserved', 'converged']);
  });
});

it.each<[Parameters<typeof progressText>[0], RegExp, number?]>([
  [{ done: 0, reading: 0, clusters: 1 }, /^0 of 1 cluster read, 1 not answering yet$/],
  [{ done: 2, reading: 3, clusters: 6 }, /^2 of 6 clusters read, 1 not answering yet, 3 being read: about 20 s/],
  [{ done: 2, reading: 1, clusters: 3 }, /1 being read: about 5 s/, 5],
  [{ done: 6, reading: 0, clusters: 6 }, /^6 of 6 clusters read$/],
])('while it waits it says how far it is and why that takes: %o', (progress, words, timeout = 60) => {
  expect(progressText(progress, timeout)).toMatch(words);
});
