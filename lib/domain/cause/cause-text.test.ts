import { expect, it } from 'vitest';
import type { CurrentObject } from '../record/current.ts';
import { observed, recorded, revisionA, revisionB } from '../testing/observed.ts';
import type { Cause } from '../verdict/judgement.ts';
import { causeText } from './cause-text.ts';

const { ref } = observed();
const revisionC = `main@sha1:${'c'.repeat(40)}`;
const object: Cause = { type: 'object', ref };
const controller: Cause = { type: 'controller', cluster: 'c1', namespace: 'flux-system', name: 'kustomize-controller' };
const shared: Cause = { type: 'shared-error', cluster: 'c1', providerConfig: ref, message: 'access denied' };

function broken(reason: string, part: Partial<CurrentObject> = {}): CurrentObject {
  return recorded({ verdict: 'diverged', reason, ...part });
}

const applied = { applied: revisionA, attempted: null, offered: null };

it.each<[text: string, cause: Cause, beneath: [CurrentObject['verdict'], number][], ...selves: CurrentObject[]]>([
  ['build fails', object, [], broken('BuildFailed')],
  ['build fails, 1 object waits for it', object, [['waiting', 1]], broken('BuildFailed')],
  [
    'upgrade fails, 2 objects beneath stale, 3 objects wait for it',
    object,
    [
      ['waiting', 3],
      ['stale', 2],
    ],
    broken('UpgradeFailed'),
  ],
  ['1 object beneath unconfirmed', object, [['unconfirmed', 1]]],
  ['diverged', object, [], broken('')],
  ['diverged: Unheard', object, [], broken('Unheard')],
  ['cannot be made as declared', object, [], broken('ReconcileError', { message: '' })],
  ['gives no sign of life', object, [], broken('NoPass')],
  ['runs aaaaaaa, not what its source offers', object, [], broken('Behind', { revision: applied })],
  [
    'was made from aaaaaaa, not what its source offers',
    object,
    [],
    broken('Behind', { revision: applied, role: 'source' }),
  ],
  [
    'has not taken up what its source offers',
    object,
    [],
    broken('Behind', { revision: { ...applied, applied: null } }),
  ],
  ['stopped: 1 object stale', controller, [['stale', 1]]],
  [
    'stopped: 2 objects diverged, 3 stale, 1 unconfirmed',
    controller,
    [
      ['unconfirmed', 1],
      ['stale', 3],
      ['diverged', 2],
    ],
  ],
  [
    'not observed: 5 objects',
    { type: 'cluster', cluster: 'c1' },
    [
      ['unobserved', 4],
      ['stale', 1],
    ],
  ],
  ['cannot be read: 1 object', { type: 'feed', cluster: 'c1', group: 'g', kind: 'K' }, [['unobserved', 1]]],
  ['access denied: 6 objects', shared, [['diverged', 6]]],
])('%s', (text, cause, beneath, ...selves) => {
  expect(causeText({ cause, selves, absent: false, beneath: new Map(beneath) })).toBe(text);
});

it.each([
  ['ReconciliationFailed', 'cannot be applied'],
  ['HealthCheckFailed', 'health checks fail'],
  ['DriftDetected', 'differs from what is declared, left in place'],
  ['DriftNotUndone', 'differs from what is declared, and that is not undone'],
  ['InstallFailed', 'installation fails'],
  ['GitOperationFailed', 'cannot fetch'],
  ['OCIArtifactPullFailed', 'cannot fetch'],
  ['BucketOperationFailed', 'cannot fetch'],
  ['IndexationFailed', 'cannot fetch'],
  ['AuthenticationFailed', 'cannot fetch'],
  ['ControllerDead', 'gives no sign of life'],
  ['RuntimeNotRunning', 'has no pod that runs'],
])('%s is told as: %s', (reason, text) => {
  expect(causeText({ cause: object, selves: [broken(reason)], absent: true, beneath: new Map() })).toBe(text);
});

it.each([
  [null, null, ''],
  [revisionA, null, ' (worked at aaaaaaa; where it first failed is not known)'],
  [null, revisionA, ' (never worked, first failed at aaaaaaa)'],
])('worked at %s, first failed at %s: "%s"', (lastGood, firstBad, text) => {
  const self = broken('BuildFailed', { range: { lastGood, firstBad, seenBetween: 0, watched: true } });
  expect(causeText({ cause: object, selves: [self], absent: false, beneath: new Map() })).toBe(`build fails${text}`);
});

it('several that broke elsewhere are told by the first of them, by its name', () => {
  const range = { lastGood: revisionA, firstBad: revisionB, seenBetween: 0, watched: true };
  const first = broken('BuildFailed', { range });
  const text = (other: Partial<CurrentObject>) =>
    causeText({
      cause: object,
      selves: [first, broken('BuildFailed', other)],
      absent: false,
      beneath: new Map([
        ['waiting', 1],
        ['stale', 2],
      ]),
    });
  const worked = 'worked at aaaaaaa, first failed at bbbbbbb';
  const beneath = '2 objects beneath stale, 1 object waits for it';
  expect(text({ range })).toBe(`build fails (${worked}), ${beneath}`);
  expect(text({ range: null })).toBe(`build fails (checkout on c1 ${worked}), ${beneath}`);
  expect(text({ range: { ...range, firstBad: revisionC } })).toBe(`build fails (checkout on c1 ${worked}), ${beneath}`);
});

it('a cause that is not there is said to be missing', () => {
  const beneath = new Map([['stale', 1]] as const);
  expect(causeText({ cause: object, selves: [], absent: true, beneath })).toBe('is not there, 1 object beneath stale');
});
