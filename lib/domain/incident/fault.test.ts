import { describe, expect, it } from 'vitest';
import { causeKey } from '../cause/cause.ts';
import type { CurrentObject } from '../record/current.ts';
import { observed, recorded } from '../testing/observed.ts';
import type { Cause } from '../verdict/judgement.ts';
import { verdicts, type Verdict } from '../verdict/verdict.ts';
import { countsAtOnceOnly, faultOf, faultOfLoss, isLoss, opensIncident, type Fault } from './fault.ts';

const { ref } = observed();
const rev = (letter: string): string => `main@sha1:${letter.repeat(40)}`;
const range = { lastGood: rev('a'), firstBad: rev('b'), seenBetween: null, watched: true };
const controller: Cause = { type: 'controller', cluster: 'c1', namespace: 'flux-system', name: 'kustomize-controller' };

function failing(part: Partial<CurrentObject> = {}): CurrentObject {
  return recorded({
    ref,
    verdict: 'diverged',
    reason: 'BuildFailed',
    message: 'kustomize build failed: no such file',
    repository: 'https://git.example.org/acme/control.git',
    rootCause: null,
    range,
    ...part,
  });
}

const share = (a: Fault, b: Fault): boolean => a.keys.some((key) => b.keys.includes(key));
const on = (cluster: string, name = ref.name) => ({ ...ref, cluster, name });

describe('the verdicts that open an incident', () => {
  it.each<readonly [Verdict, boolean]>(
    verdicts.map((verdict) => [verdict, ['diverged', 'drifted', 'unhealthy', 'stale', 'behind'].includes(verdict)]),
  )('%s: %s', (verdict, opens) => {
    expect(opensIncident(verdict)).toBe(opens);
  });
});

describe('a fault of an object', () => {
  it('that fails itself has itself as its cause, and keeps its range', () => {
    const cause = { type: 'object', ref };
    expect(faultOf(failing())).toMatchObject({ own: true, opens: true, cause, range, reason: 'BuildFailed' });
    expect(faultOf(failing()).keys[0]).toBe(causeKey({ type: 'object', ref }));
  });

  it('beneath another has only the key of that, and no range', () => {
    const fault = faultOf(failing({ verdict: 'stale', rootCause: controller }));
    expect(fault).toMatchObject({ own: false, cause: controller, range: null, keys: [causeKey(controller)] });
  });

  it('that waits, or has not settled, is like no other', () => {
    for (const verdict of ['waiting', 'progressing'] as const) {
      const fault = faultOf(failing({ verdict }));
      expect(fault).toMatchObject({ opens: false, keys: [causeKey({ type: 'object', ref })] });
    }
  });
});

describe('two faults are of one incident', () => {
  it.each<readonly [string, boolean, Fault, Fault]>([
    [
      'beneath one controller',
      true,
      faultOf(failing({ verdict: 'stale', rootCause: controller })),
      faultOf(failing({ ref: on('c1', 'payments'), verdict: 'behind', rootCause: controller })),
    ],
    [
      'beneath controllers of one name on two clusters: no',
      false,
      faultOf(failing({ verdict: 'stale', rootCause: controller })),
      faultOf(failing({ ref: on('c2'), verdict: 'stale', rootCause: { ...controller, cluster: 'c2' } })),
    ],
    [
      'a source and what is beneath it',
      true,
      faultOf(failing({ verdict: 'stale', reason: 'GitOperationFailed', range: null })),
      faultOf(failing({ ref: on('c1', 'payments'), verdict: 'stale', rootCause: { type: 'object', ref } })),
    ],
    ['one name on two clusters', true, faultOf(failing()), faultOf(failing({ ref: on('c2') }))],
    [
      'one name on two clusters with two errors: no',
      false,
      faultOf(failing()),
      faultOf(failing({ ref: on('c2'), message: 'no space left on device', range: null })),
    ],
    ['another name after the same commit', true, faultOf(failing()), faultOf(failing({ ref: on('c2', 'payments') }))],
    [
      'another name that tries the same commit, and broke by others: no',
      false,
      faultOf(failing()),
      faultOf(failing({ ref: on('c2', 'payments'), range: { ...range, lastGood: rev('x'), firstBad: rev('y') } })),
    ],
    ['two clusters unreachable', true, faultOfLoss('c1', 'unreachable'), faultOfLoss('c2', 'unreachable')],
    [
      'one cluster unreachable, another unauthorized: no',
      false,
      faultOfLoss('c1', 'unreachable'),
      faultOfLoss('c2', 'unauthorized'),
    ],
    [
      'a cluster and an object on it: no, the object was away for another reason',
      false,
      faultOfLoss('c1', 'unreachable'),
      faultOf(failing()),
    ],
  ])('%s', (_, isOne, a, b) => {
    expect(share(a, b)).toBe(isOne);
  });
});

describe('the loss of a cluster', () => {
  it.each([
    ['unreachable', true],
    ['unauthorized', true],
    ['misconfigured', true],
    ['live', false],
    ['connecting', false],
    ['forgotten', false],
  ])('%s: %s', (state, lost) => {
    expect(isLoss(state)).toBe(lost);
  });

  it('has a key of its own for ever, and one that counts only at once', () => {
    const { keys } = faultOfLoss('c1', 'unreachable');
    expect(keys.map(countsAtOnceOnly)).toEqual([false, true]);
    expect(faultOf(failing()).keys.some(countsAtOnceOnly)).toBe(false);
  });
});
