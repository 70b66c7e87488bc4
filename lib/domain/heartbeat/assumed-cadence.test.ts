import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { judge } from '../verdict/judge.ts';
import { alone } from '../verdict/subject.ts';
import { noon, observed, tracked } from '../testing/observed.ts';
import { minute } from '../time/length.ts';

// An Argo CD Application: reconciledAt dates its passes, the interval stands in argocd-cm, which is not read.
function application(lastPass: number, assumed: boolean) {
  const observation = observed({
    reconciler: 'argocd',
    summary: { said: 'good', reason: 'Synced', message: '' },
    cadence: { interval: 3 * minute, retryInterval: null, timeout: null, ...(assumed ? { assumed: true } : {}) },
    passes: { seenBy: 'history', last: lastPass, total: null },
    controller: null,
  });
  return judge({ track: { ...tracked(observation), lastPassAt: lastPass } }, alone, defaultPolicy, noon);
}

it.each([
  ['a pass within three of its intervals confirms it', noon - 8 * minute, true, 'converged', 'pass'],
  ['later it is unconfirmed where the interval is only a default', noon - 10 * minute, true, 'unconfirmed', 'none'],
  ['and stale where the object tells it', noon - 10 * minute, false, 'stale', 'none'],
] as const)('%s', (_case, lastPass, assumed, verdict, confirmation) => {
  expect(application(lastPass, assumed)).toMatchObject({ verdict, confirmation });
});
