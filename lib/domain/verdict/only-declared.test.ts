import { expect, it } from 'vitest';
import { recorded } from '../testing/observed.ts';
import { countsObserved, declaredKind, isOnlyDeclared, objectRank } from './only-declared.ts';
import { verdicts, worse } from './verdict.ts';

it('what is only declared stands after all that deviates, before what is in order', () => {
  const declared = recorded({ role: 'declared', verdict: 'unobserved' });
  const others = verdicts.map((verdict) => recorded({ verdict }));
  const order = [declared, ...others].toSorted((a, b) => objectRank(a) - objectRank(b));
  expect(order.map(({ role, verdict }) => `${role} ${verdict}`)).toEqual([
    ...verdicts.slice(0, -1).map((verdict) => `applier ${verdict}`),
    'declared unobserved',
    'applier converged',
  ]);
  expect([isOnlyDeclared(declared), ...others.map(isOnlyDeclared)].filter(Boolean)).toHaveLength(1);
  expect(declaredKind).toEqual({ group: 'declared', kind: 'Stack' });
});

it('counts leave out what is only declared', () => {
  expect(countsObserved({ unobserved: 3, stale: 1 }, 2)).toEqual({ unobserved: 1, stale: 1 });
  expect(countsObserved({ unobserved: 3 }, 1)).toEqual({ unobserved: 2 });
  expect(countsObserved({ stale: 1 }, 0)).toEqual({ stale: 1 });
});

it('of two verdicts the worse is told, whichever comes first', () => {
  for (const [at, verdict] of verdicts.entries())
    for (const better of verdicts.slice(at))
      expect([worse(verdict, better), worse(better, verdict)]).toEqual([verdict, verdict]);
});
