import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { judge } from '../verdict/judge.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { Observation } from '../observation/observation.ts';
import type { RelatedObject, Surroundings } from '../verdict/subject.ts';
import {
  around,
  bad,
  judged,
  managed,
  noon,
  observed,
  revisionA,
  revisionB,
  source,
  standing,
  tracked,
} from '../testing/observed.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { minute } from '../time/length.ts';

function judgeOf(observation: Observation, surroundings: Partial<Surroundings>): Judgement {
  return judge({ track: tracked(observation) }, around(surroundings), defaultPolicy, noon);
}

function named(kind: string, name: string, part: Partial<Observation> = {}): Observation {
  return source({ ref: { ...source().ref, kind, name }, ...part });
}

const offers = (artifact: string | null, origin: string | null = null): Observation['revisions'] => ({
  applied: null,
  attempted: null,
  artifact,
  origin,
});

describe('what else goes into a source', () => {
  const generator = named('ArtifactGenerator', 'gen', { target: null, source: source().ref });
  const lib = named('GitRepository', 'lib');
  const first = standing(source(), 'converged');

  it.each<readonly [string, Partial<RelatedObject>, Verdict, Verdict, string]>([
    ['fails for long', { awaySince: noon - 60 * minute }, 'diverged', 'stale', 'SourceFailing'],
    ['has failed for a moment', { awaySince: noon - minute }, 'diverged', 'converged', ''],
    ['is stale', {}, 'stale', 'stale', 'SourceStale'],
    ['is switched off', {}, 'suspended', 'unconfirmed', 'SourceSuspended'],
    ['cannot be seen', { state: 'unseen', judgement: null }, 'unobserved', 'unobserved', 'SourceNotObserved'],
    ['is not there', { state: 'missing', judgement: null }, 'converged', 'stale', 'SourceMissing'],
  ])('of two sources of an ArtifactGenerator the second %s', (_name, part, verdict, expected, reason) => {
    const second = standing(lib, verdict, part);
    const judgement = judgeOf(generator, { source: first, otherSources: [second] });
    expect(judgement.verdict).toBe(expected);
    if (expected === 'converged') return;
    expect(judgement).toMatchObject({ reason, rootCause: { type: 'object', ref: lib.ref } });
    expect(judgement.sentence).toMatch(/which it is made from|cannot fetch any more|is suspended/);
  });

  it('an include that never had an artifact is what a GitRepository waits for, though its own commit is pinned', () => {
    const empty = standing({ ...lib, hasArtifact: false }, 'diverged');
    const pinned = { url: 'https://git.example.org/x', reference: 'commit aa', floating: false };
    const waits = source({ target: pinned, summary: bad('artifact', 'IncludeUnavailable') });
    expect(judgeOf(waits, { otherSources: [empty] })).toMatchObject({
      verdict: 'waiting',
      rootCause: { type: 'object', ref: lib.ref },
    });
    const failing = standing(lib, 'diverged', { awaySince: noon - 60 * minute });
    expect(judgeOf(source({ target: pinned }), { otherSources: [failing] }).verdict).toBe('stale');
  });

  it('two hops down the Kustomization names the repository that fails, not what lies between', () => {
    const cause = { type: 'object', ref: source().ref } as const;
    const made = standing(named('ExternalArtifact', 'app', { target: null }), 'stale', {
      judgement: judged('stale', cause),
    });
    expect(judgeOf(observed(), { source: made })).toMatchObject({ verdict: 'stale', rootCause: cause });
  });
});

describe('an artifact that cannot be had', () => {
  const failing = observed({ summary: bad('artifact', 'ArtifactFailed') });

  it('is the fault of a source that is gone', () => {
    const gone = standing(source(), 'converged', { state: 'missing', observation: null, judgement: null });
    expect(judgeOf(failing, { source: gone })).toMatchObject({
      verdict: 'diverged',
      reason: 'ArtifactFailed',
      rootCause: { type: 'object', ref: source().ref },
    });
  });

  it('is the fault of the controller that serves it no more', () => {
    const cause = { type: 'controller', cluster: 'c1', namespace: 'flux-system', name: 'source-controller' } as const;
    const dead = standing(source(), 'stale', { judgement: judged('stale', cause) });
    expect(judgeOf(failing, { source: dead })).toMatchObject({ verdict: 'diverged', rootCause: cause });
  });
});

describe('waiting names what it waits for', () => {
  const at = (name: string) => ({ ...observed().ref, name });
  const waits = (message: string) => observed({ summary: bad('dependency', 'DependencyNotReady', message) });
  const calm = (name: string) => standing(observed({ ref: at(name) }), 'converged');

  it.each<readonly [string, string, readonly RelatedObject[], string | null]>([
    [
      'the one that its word names, of two in order',
      "dependency 'flux-system/b' is not ready",
      ['a', 'b'].map(calm),
      'b',
    ],
    ['the only one there is', 'Dependencies do not meet ready condition', [calm('a')], 'a'],
    ['none where nothing tells which', 'Dependencies do not meet ready condition', ['a', 'b'].map(calm), null],
    [
      'the one that is broken, where its word names another in order',
      "dependency 'flux-system/a' is not ready",
      [calm('a'), standing(observed({ ref: at('b') }), 'diverged')],
      'b',
    ],
    [
      'the one with a fault of its own, before one that waits itself',
      '',
      [standing(observed({ ref: at('a') }), 'waiting'), standing(observed({ ref: at('b') }), 'diverged')],
      'b',
    ],
  ])('%s', (_name, message, dependencies, cause) => {
    expect(judgeOf(waits(message), { dependencies })).toMatchObject({
      verdict: 'waiting',
      rootCause: cause === null ? null : { type: 'object', ref: at(cause) },
    });
  });
});

describe('behind', () => {
  const newer = standing(source({ revisions: offers(revisionB) }), 'converged', { artifactSince: noon - 11 * minute });

  it('names the dependency that holds it up, at the far end', () => {
    const far = { type: 'object', ref: { ...observed().ref, name: 'far' } } as const;
    const held = standing(observed({ ref: { ...observed().ref, name: 'base' } }), 'waiting', {
      judgement: judged('waiting', far),
    });
    expect(judgeOf(observed(), { source: newer, dependencies: [held] })).toMatchObject({
      verdict: 'behind',
      rootCause: far,
      sentence:
        'checkout runs aaaaaaa, though bbbbbbb is offered. It depends on Kustomization base, which is not in order.',
    });
    expect(judgeOf(observed(), { source: newer })).toMatchObject({ verdict: 'behind', rootCause: null });
  });

  it.each([
    [revisionA, 'not tried yet'],
    [revisionB, 'being tried'],
  ])('tells whether the newest is being tried (%#)', (attempted, expected) => {
    const observation = observed({ revisions: { applied: revisionA, attempted, artifact: null, origin: null } });
    const text = judgeOf(observation, { source: newer }).evidence.map((one) => one.text);
    expect(text).toContain(`applied aaaaaaa, offered bbbbbbb, ${expected}`);
  });

  it.each<readonly [string, string, Verdict]>([
    ['GitRepository', revisionA, 'behind'],
    ['Bucket', revisionA, 'behind'],
    ['GitRepository', revisionB, 'converged'],
    ['HelmRepository', revisionA, 'converged'],
  ])('a chart packaged out of a %s at %s', (kind, origin, verdict) => {
    const chart = named('HelmChart', 'web', { target: null, revisions: offers('0.1.0', origin) });
    const from = standing(named(kind, 'repo', { revisions: offers(revisionB) }), 'converged', {
      artifactSince: noon - 11 * minute,
    });
    const judgement = judgeOf(chart, { source: from });
    expect(judgement.verdict).toBe(verdict);
    const words = 'web was made from aaaaaaa, though bbbbbbb is offered.';
    expect(judgement.sentence === words).toBe(verdict === 'behind');
  });
});

describe('a managed resource under its composite', () => {
  const composite = managed({ ref: { ...managed().ref, kind: 'XDatabase', name: 'orders-xr' }, role: 'composite' });
  const alive = { provider: standing(managed(), 'converged'), heartbeat: null };

  it.each<readonly [Verdict, string, Verdict]>([
    ['diverged', 'ReconcileError', 'unconfirmed'],
    ['suspended', 'Suspended', 'unconfirmed'],
    ['stale', 'ControllerDead', 'unconfirmed'],
    ['unconfirmed', 'DeliveryNotConverged', 'unconfirmed'],
    // Readiness is cumulative: what it waits for is a part, and the others are applied all the same.
    ['progressing', 'Creating', 'converged'],
    ['unhealthy', 'Unavailable', 'converged'],
    ['drifted', 'Drifted', 'converged'],
    ['behind', 'Behind', 'converged'],
    ['waiting', 'DependencyNotReady', 'converged'],
    ['unobserved', 'NotObserved', 'unconfirmed'],
    ['diverged', 'NeverSettled', 'converged'],
    ['converged', 'Available', 'converged'],
  ])('that is itself %s (%s) is %s', (verdict, reason, expected) => {
    const composer = standing(composite, verdict, { judgement: { ...judged(verdict), reason } });
    expect(judgeOf(managed(), { ...alive, composer })).toMatchObject({
      verdict: expected,
      rootCause: expected === 'converged' ? null : { type: 'object', ref: composite.ref },
    });
  });

  it.each([
    ['missing', 'there', 'diverged', 'PartMissing'],
    ['unseen', 'seen', 'unobserved', 'PartNotObserved'],
  ] as const)(
    'that is %s, and of which nothing is known, is no cause; nor is such a part',
    (state, is, verdict, reason) => {
      const known = { observation: null, judgement: null, artifactSince: null, lastPassAt: null, busySince: null };
      const unknown = { ...standing(composite, 'diverged'), ...known, state, awaySince: 0 };
      expect(judgeOf(managed(), { ...alive, composer: unknown })).toMatchObject({
        verdict: 'unconfirmed',
        reason: 'CompositeNotSeen',
        sentence: `${composite.ref.kind} ${composite.ref.name}, which it is a part of, is not ${is}.`,
        rootCause: null,
      });
      expect(judgeOf(composite, { children: [unknown] })).toMatchObject({ verdict, reason, rootCause: null });
    },
  );

  it('does not suffer for a sister that fails: only what the composite is without its parts counts', () => {
    const sister = standing(managed({ ref: { ...managed().ref, name: 'sister' } }), 'diverged');
    const whole = judgeOf(composite, { children: [sister] });
    expect(whole).toMatchObject({ verdict: 'diverged', reason: 'PartNotConverged', rootCause: { ref: sister.ref } });
    expect(whole.withoutParts).toMatchObject({ verdict: 'converged', rootCause: null });
    const composer = standing(composite, 'diverged', { judgement: whole });
    expect(judgeOf(managed(), { ...alive, composer }).verdict).toBe('converged');
  });

  it('is not hidden from a delivery that broke by a sister that fails', () => {
    const sister = standing(managed({ ref: { ...managed().ref, name: 'sister' } }), 'diverged');
    const delivery = standing(observed(), 'diverged');
    const whole = judgeOf(composite, { children: [sister], delivery });
    const composer = standing(composite, 'diverged', { judgement: whole });
    expect(judgeOf(managed(), { ...alive, composer })).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'CompositeNotConverged',
      rootCause: { type: 'object', ref: observed().ref },
    });
  });
});

describe('delivered from another cluster', () => {
  const hub = { ...observed().ref, cluster: 'hub', name: 'apps' };

  it('names the cluster that its Kustomization is on', () => {
    const delivery = standing(observed({ ref: hub }), 'diverged');
    expect(judgeOf(observed(), { delivery })).toMatchObject({
      verdict: 'unconfirmed',
      sentence: 'Kustomization apps on hub, which delivers it, is diverged.',
      rootCause: { type: 'object', ref: hub },
    });
  });

  it('is unconfirmed where its labels name one and no inventory tells so, once that had time to be written', () => {
    const claimed = { by: { ...hub, cluster: 'c1' }, since: noon - minute, contested: false };
    expect(judgeOf(observed(), { claimed })).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'DeliveryUncertain',
      sentence: 'Its labels name Kustomization apps, but no inventory that is read proves it.',
      rootCause: null,
    });
    const fresh = judgeOf(observed(), { claimed: { ...claimed, since: noon - minute + 1 } });
    expect(fresh).toMatchObject({ verdict: 'converged', reviewAt: noon + 1 });
    // Told in the same words, and looked at anew: that the other has gone is told by nobody.
    const contested = judgeOf(observed(), { claimed: { ...claimed, contested: true } });
    expect(contested).toEqual({ ...judgeOf(observed(), { claimed }), reviewAt: noon + minute });
  });

  it('is unconfirmed where several could be it, and says which', () => {
    const other = { ...hub, cluster: 'hub-2' };
    expect(judgeOf(observed(), { couldDeliver: [hub, other] })).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'DeliveryUncertain',
      sentence: 'Kustomization apps on hub and hub-2 could deliver it; which of them does cannot be told.',
    });
  });
});

describe('an opt-out on the live object', () => {
  const ref = { ...observed().ref, name: 'landlord' };
  const optOut = {
    kind: 'reconcile-disabled',
    field: 'metadata.annotations[kustomize.toolkit.fluxcd.io/reconcile]',
    meaning: '',
    by: 'kubectl-annotate',
    at: noon,
    reach: null,
  } as const;

  it('is never green: who delivers it leaves it as it is, and is in order', () => {
    const judgement = judgeOf(observed({ deliveredBy: ref, exemptions: [optOut] }), {
      delivery: standing(observed({ ref }), 'converged'),
    });
    expect(judgement).toMatchObject({ verdict: 'unconfirmed', reason: 'OptedOut', rootCause: null });
    expect(judgement.sentence).toBe(
      'Kustomization checkout is opted out (metadata.annotations[kustomize.toolkit.fluxcd.io/reconcile] by kubectl-annotate): Kustomization landlord leaves it as it is, whatever git says.',
    );
  });

  it('hides nothing that is worse', () => {
    const summary = bad('apply', 'BuildFailed');
    expect(judgeOf(observed({ deliveredBy: ref, exemptions: [optOut], summary }), {}).verdict).toBe('diverged');
  });

  it('takes nothing from what nobody delivers', () => {
    expect(judgeOf(observed({ exemptions: [optOut] }), {}).reason).not.toBe('OptedOut');
  });
});
