// What proves that a loop turns, and which words name the proof that is missing. See docs/design/heartbeats.md.
import { describe, expect, it } from 'vitest';
import { controllerLiveness, type ControllerSigns, type Heartbeat } from './controller-liveness.ts';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { judge } from '../verdict/judge.ts';
import type { ObjectRef } from '../observation/ref.ts';
import { around, good, lease, managed, noon, observed, source, standing, tracked } from '../testing/observed.ts';
import type { Observation } from '../observation/observation.ts';
import type { Surroundings } from '../verdict/subject.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { minute } from '../time/length.ts';

const revision: ObjectRef = {
  cluster: 'c1',
  group: 'pkg.crossplane.io',
  kind: 'ProviderRevision',
  namespace: '',
  name: 'aws-1',
};
const core = { type: 'controller', cluster: 'c1', namespace: 'crossplane-system', name: 'crossplane' } as const;

function heartbeat(signs: ControllerSigns, name = 'kustomize-controller'): Heartbeat {
  return {
    ...controllerLiveness(signs),
    cluster: 'c1',
    namespace: 'flux-system',
    name,
    at: noon - minute,
    awaitedSince: null,
    interval: null,
    lease: `flux-system/${name}-leader-election`,
    deployment: `flux-system/${name}`,
  };
}

const alive = heartbeat({ lease: 'none', deployment: 'available', elects: null }, 'aws-1');
const dead = heartbeat({ lease: 'none', deployment: 'unavailable', elects: null }, 'aws-1');
const unseen = heartbeat({ lease: 'none', deployment: 'unknown', elects: null }, 'aws-1');

function judged(observation: Observation, part: Partial<Surroundings>) {
  return judge({ track: tracked(observation) }, around(part), defaultPolicy, noon);
}

function provider(verdict: Verdict) {
  const observation = managed({ ref: revision, role: 'package' });
  const found = standing(observation, verdict, { awaySince: noon - minute });
  return found.judgement ? { ...found, judgement: { ...found.judgement, rootCause: core } } : found;
}

describe('a managed resource lives by the pods of its provider, not by Crossplane core', () => {
  it.each<[Verdict, string]>([
    // of its provider revision: with pods that live | that are gone | of which nothing is known
    ['converged', 'converged | stale | converged | converged'],
    ['unhealthy', 'stale | stale | stale | stale'],
    ['diverged', 'stale | stale | stale | stale'],
    ['stale', 'converged | stale | unconfirmed | unconfirmed'],
    ['unconfirmed', 'converged | stale | unconfirmed | unconfirmed'],
    ['unobserved', 'converged | stale | unconfirmed | unconfirmed'],
    ['suspended', 'converged | stale | unconfirmed | unconfirmed'],
    ['progressing', 'converged | stale | unconfirmed | unconfirmed'],
  ])('its revision is %s: %s', (verdict, expected) => {
    const by = [alive, dead, unseen, null].map((runtime) => {
      const found = judged(managed(), { heartbeat: null, provider: provider(verdict), runtime });
      return found.verdict;
    });
    expect(by.join(' | ')).toBe(expected);
  });

  it('whose lease has not been seen moving again proves nothing by its revision alone', () => {
    const unmoved = heartbeat({ lease: 'unmoved', deployment: 'unknown', elects: null }, 'aws-1');
    const runtime = { ...unmoved, awaitedSince: noon - minute };
    expect(judged(managed(), { heartbeat: null, provider: provider('converged'), runtime })).toMatchObject({
      verdict: 'unconfirmed',
      sentence:
        'Nothing proves that its provider aws-1 still runs: the lease of aws-1 has not been seen moving since the cluster is seen again.',
    });
  });

  it('where core is dead, it is named as what keeps the word from being confirmed', () => {
    const found = judged(managed(), { heartbeat: null, provider: provider('stale'), runtime: unseen });
    expect(found).toMatchObject({ verdict: 'unconfirmed', reason: 'ProviderUnconfirmed', rootCause: core });
  });

  it('without any provider that is known, it is said that none names its kind', () => {
    expect(judged(managed(), { heartbeat: null })).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'NoHeartbeat',
      sentence:
        'Its last word is good, but nothing proves that this is still so: no active provider revision names its kind.',
    });
  });
});

describe('what is missing is named, in sentence and evidence', () => {
  it.each<[ControllerSigns, string, string]>([
    [
      { lease: 'stood', deployment: 'unknown', elects: null },
      'kustomize-controller has stopped: its lease does not move any more, so its last word proves nothing.',
      'lease flux-system/kustomize-controller-leader-election has not moved since',
    ],
    [
      { lease: 'stood', deployment: 'available', elects: true },
      'kustomize-controller is stuck: its pod is available, but its lease does not move any more, so its last word proves nothing.',
      'Deployment flux-system/kustomize-controller is available, but lease flux-system/kustomize-controller-leader-election has not moved since',
    ],
    [
      { lease: 'late', deployment: 'unavailable', elects: true },
      'kustomize-controller has no pod that is available, so its last word proves nothing.',
      'Deployment flux-system/kustomize-controller has no available pod',
    ],
    [
      { lease: 'none', deployment: 'scaled-to-zero', elects: null },
      'kustomize-controller is scaled to zero, so its last word proves nothing.',
      'Deployment flux-system/kustomize-controller is scaled to 0',
    ],
  ])('stale by %j', (signs, sentence, text) => {
    const found = judged(observed({ summary: good }), { heartbeat: heartbeat(signs) });
    expect(found).toMatchObject({ verdict: 'stale', reason: 'ControllerDead', sentence });
    expect(found.evidence).toContainEqual({ from: 'heartbeat', text, at: noon - minute });
    // What a lease says of a loop came about when its term was over; a pod is gone since its Deployment says so.
    expect(found.since).toBe(
      signs.deployment === 'unavailable' || signs.deployment === 'scaled-to-zero' ? noon - minute : null,
    );
    expect(found.rootCause).toEqual({
      type: 'controller',
      cluster: 'c1',
      namespace: 'flux-system',
      name: 'kustomize-controller',
    });
  });

  it.each<[Heartbeat, string, string]>([
    [
      { ...heartbeat({ lease: 'unmoved', deployment: 'unknown', elects: null }, 'source-controller'), at: null },
      'the lease of source-controller was never seen moving',
      'lease flux-system/source-controller-leader-election was never seen moving',
    ],
    [
      heartbeat({ lease: 'unmoved', deployment: 'unknown', elects: null }, 'source-controller'),
      'the lease of source-controller has not been seen moving since the cluster is seen again',
      'lease flux-system/source-controller-leader-election seen moving last',
    ],
    [
      heartbeat({ lease: 'none', deployment: 'unknown', elects: null }, 'source-controller'),
      'neither a lease nor a Deployment of source-controller can be seen',
      'no lease and no Deployment of source-controller can be seen',
    ],
    [
      { ...lease('unknown', 'source-controller'), sign: 'which-one' },
      'some of the instances of source-controller have stopped, and which of them it is of cannot be told',
      'some instances of source-controller live and some do not',
    ],
    [
      { ...lease('unknown', 'source-controller'), sign: 'nobody' },
      'no instance of source-controller is known that takes it',
      'no instance of source-controller takes objects of this namespace and shard',
    ],
  ])('unconfirmed by %j', (unknown, why, text) => {
    const found = judged(source(), { heartbeat: unknown });
    expect(found).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'NoHeartbeat',
      sentence: `Its last word is good, but nothing proves that this is still so: ${why}.`,
    });
    expect(found.evidence.map((evidence) => evidence.text)).toContain(text);
  });

  it.each([
    [
      'alive',
      'No pass of its loop has been seen for too long, though kustomize-controller lives, so its last word proves nothing.',
      null,
    ],
    [
      'unknown',
      'No pass of its loop has been seen for too long, so its last word proves nothing.',
      { type: 'controller', cluster: 'c1', namespace: 'flux-system', name: 'kustomize-controller' },
    ],
  ] as const)('no pass past its bound, with a controller that is %s', (state, sentence, cause) => {
    const silent = observed({ passes: { seenBy: 'history', last: noon - 31 * minute, total: 3 } });
    const found = judged(silent, { heartbeat: lease(state) });
    expect(found).toMatchObject({ verdict: 'stale', reason: 'NoPass', sentence });
    expect(found.evidence[0]).toEqual({ from: 'heartbeat', text: 'last pass', at: noon - 31 * minute });
    expect(found.rootCause).toEqual(cause);
  });
});

describe('an object that no known instance takes', () => {
  it.each<[string, number | null, string]>([
    ['passed before it was left alone: nobody is known to pass again', noon - minute, 'unconfirmed NoHeartbeat none'],
    ['has been left alone for nobody knows how long', null, 'unconfirmed NoHeartbeat none'],
    [
      'has passed since: somebody takes it who is not to be seen',
      noon - 20 * minute,
      'converged ReconciliationSucceeded pass',
    ],
  ])('%s', (_name, at, expected) => {
    const daily = observed({ passes: { seenBy: 'history', last: noon - 10 * minute, total: 3 } });
    const heartbeat = { ...lease('unknown'), sign: 'nobody', at } as const;
    const { verdict, reason, confirmation } = judged(daily, { heartbeat });
    expect(`${verdict} ${reason} ${confirmation}`).toBe(expected);
  });
});

describe('a package revision', () => {
  const installed = { ...managed({ ref: revision, role: 'package' }), controller: 'crossplane' };

  it('without pods is unhealthy: what it installed is there, and nothing works on it', () => {
    expect(judged(installed, { heartbeat: lease('alive', 'crossplane'), runtime: dead })).toMatchObject({
      verdict: 'unhealthy',
      reason: 'RuntimeNotRunning',
      sentence: 'ProviderRevision aws-1 is installed, but aws-1 has no pod that is available.',
    });
  });

  it('that is scaled to zero on purpose, because nothing of it is activated, is in order', () => {
    const scaled = heartbeat({ lease: 'none', deployment: 'scaled-to-zero', elects: null }, 'aws-1');
    const awaiting = { ...installed, summary: { said: 'good', reason: 'AwaitingActivation', message: '' } } as const;
    const around = { heartbeat: lease('alive', 'crossplane'), runtime: scaled };
    expect(judged(awaiting, around).verdict).toBe('converged');
    expect(judged(installed, around).verdict).toBe('unhealthy');
  });

  it('that is kept for a roll back runs nothing by design', () => {
    const kept = { ...installed, summary: { said: 'static' } } as const;
    expect(judged(kept, { heartbeat: lease('alive', 'crossplane'), runtime: dead }).verdict).toBe('converged');
  });
});
