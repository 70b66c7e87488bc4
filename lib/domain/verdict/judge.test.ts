import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { judge } from './judge.ts';
import type { Observation } from '../observation/observation.ts';
import type { Surroundings } from './subject.ts';
import {
  around,
  bad,
  good,
  judged,
  lease,
  managed,
  noon,
  observed,
  revisionA,
  revisionB,
  source,
  standing,
  tracked,
} from '../testing/observed.ts';
import { receive, settle, type Track } from '../observation/track.ts';
import type { Verdict } from './verdict.ts';
import { minute } from '../time/length.ts';

function verdictOf(
  observation: Observation,
  surroundings: Surroundings = around(),
  track: Track = tracked(observation),
) {
  return judge({ track }, surroundings, defaultPolicy, noon);
}

it('what has no conditions has what its status says for evidence', () => {
  const summary = { said: 'good', reason: 'Synced', message: '' } as const;
  expect(verdictOf(observed({ conditions: [], summary })).evidence).toContainEqual({
    from: 'field',
    text: 'its status says Synced',
    at: null,
  });
  expect(verdictOf(observed({ conditions: [], summary: { ...summary, reason: '' } })).evidence).toEqual([]);
});

it('gives its evidence once, also where its source has failed as well', () => {
  const failed = observed({ summary: bad('apply', 'BuildFailed') });
  const { verdict, evidence } = verdictOf(
    failed,
    around({ source: standing(source({ summary: bad('fetch', 'GitOperationFailed') }), 'diverged') }),
  );
  expect(verdict).toBe('diverged');
  expect(evidence).toEqual(verdictOf(failed).evidence);
});

const own: readonly [string, Partial<Observation>, Verdict, string][] = [
  ['a pass that succeeded', {}, 'converged', 'ReconciliationSucceeded'],
  ['BuildFailed cannot be made so', { summary: bad('apply', 'BuildFailed') }, 'diverged', 'BuildFailed'],
  ['HealthCheckFailed was applied', { summary: bad('health', 'HealthCheckFailed') }, 'unhealthy', 'HealthCheckFailed'],
  [
    'a blind reconciler proves nothing',
    { summary: bad('observe', 'ReconcileError', 'connect failed: no token') },
    'stale',
    'ReconcileError',
  ],
  [
    'a dependency carries the fault',
    {
      summary: bad('dependency', 'DependencyNotReady'),
      revisions: { applied: null, attempted: null, artifact: null, origin: null },
    },
    'waiting',
    'DependencyNotReady',
  ],
  [
    'drift that is left in place',
    { drift: { drift: 'found', message: 'changed', left: true } },
    'drifted',
    'DriftDetected',
  ],
  ['a deletion that takes a while', { deletedAt: noon - minute }, 'progressing', 'Terminating'],
  ['a deletion that hangs', { deletedAt: noon - 16 * minute, finalizers: ['x'] }, 'diverged', 'DeletionStuck'],
  [
    'an odd shape is not seen',
    { summary: { said: 'unrecognised', why: 'status is a list' } },
    'unobserved',
    'Unrecognised',
  ],
  [
    'no word yet, just born',
    { summary: { said: 'nothing' }, createdAt: noon - minute },
    'progressing',
    'NotReconciledYet',
  ],
  [
    'no word for half an hour',
    { summary: { said: 'nothing' }, createdAt: noon - 31 * minute },
    'diverged',
    'NeverSettled',
  ],
];

it('says a sentence of bounded length, whatever holds its deletion', () => {
  const finalizers = Array.from({ length: 32 }, (_, index) => `${'x'.repeat(250)}${index}`);
  const { sentence } = verdictOf(observed({ deletedAt: noon - 16 * minute, finalizers }));
  expect([sentence.length, sentence.at(-1)]).toEqual([1_024, '…']);
});

it('asks for another look in the future only, also at the very end of its proof', () => {
  const { validUntil } = verdictOf(observed());
  if (validUntil === null) throw new Error('no proof');
  const { reviewAt } = judge({ track: tracked(observed()) }, around(), defaultPolicy, validUntil);
  expect(reviewAt === null || reviewAt > validUntil).toBe(true);
});

describe('an object by its own words', () => {
  it.each(own)('%s', (_name, part, verdict, reason) => {
    expect(verdictOf(observed(part))).toMatchObject({ verdict, reason });
  });

  it('gives a managed resource an hour to be created', () => {
    const young = managed({ summary: { said: 'nothing' }, createdAt: noon - 31 * minute });
    const old = managed({ summary: { said: 'nothing' }, createdAt: noon - 61 * minute });
    const track = (observation: Observation): Track => ({ ...tracked(observation), settled: null });
    expect(verdictOf(young, around(), track(young)).verdict).toBe('progressing');
    expect(verdictOf(old, around(), track(old)).verdict).toBe('diverged');
  });

  it('keeps the last settled verdict while a pass is under way, as an overlay', () => {
    const before = observed();
    const busy = observed({
      resourceVersion: '2',
      summary: { said: 'busy', reason: 'Progressing', message: 'Building', before: null },
      reconciling: true,
    });
    const track = receive(tracked(before), busy, noon - 1_000);
    expect(verdictOf(before, around(), track)).toMatchObject({ verdict: 'converged', reconciling: true });
  });

  it('calls an object that never settles diverged', () => {
    const before = observed();
    const busy = observed({
      resourceVersion: '2',
      summary: { said: 'busy', reason: 'Progressing', message: '', before: null },
      cadence: { interval: 60 * minute, retryInterval: null, timeout: minute },
    });
    const track = receive(tracked(before), busy, noon - 31 * minute);
    expect(verdictOf(before, around(), track)).toMatchObject({ verdict: 'diverged', reason: 'NeverSettled' });
  });

  it('is not green at a generation that nobody has looked at', () => {
    const edited = observed({ resourceVersion: '2', generation: 2, observedGeneration: 1 });
    const track = receive(tracked(observed()), edited, noon - 20_000);
    expect(verdictOf(edited, around(), track)).toMatchObject({ verdict: 'progressing', reason: 'SpecNotObserved' });
  });
});

describe('drift that its reconciler is undoing', () => {
  const found = observed({ drift: { drift: 'found', message: 'Deployment/web changed', left: false } });
  const undoing = (since: number): Track => receive(tracked(observed()), { ...found, resourceVersion: '2' }, since);

  it('is told, and is no verdict for as long as undoing takes', () => {
    const at = noon - 20_000;
    expect(verdictOf(found, around(), settle(undoing(at), noon))).toMatchObject({
      verdict: 'converged',
      drift: 'found',
      sentence: 'Kustomization checkout was found to differ from what is declared, and that is being undone.',
      reviewAt: at + 30_000,
    });
  });

  it('is left in place after all where it is not undone, also while the reconciler goes on trying', () => {
    const busy = {
      ...found,
      resourceVersion: '3',
      summary: { said: 'busy', reason: '', message: '', before: good },
    } as const;
    for (const track of [settle(undoing(noon - 31_000), noon), receive(undoing(noon - 31_000), busy, noon - 1_000)])
      expect(verdictOf(found, around(), track)).toMatchObject({
        verdict: 'drifted',
        reason: 'DriftNotUndone',
        message: 'Deployment/web changed',
        drift: 'found',
      });
  });

  it('begins anew once it was undone', () => {
    const clean = { ...observed(), resourceVersion: '3' };
    const again = receive(
      receive(undoing(noon - 60_000), clean, noon - 50_000),
      { ...found, resourceVersion: '4' },
      noon,
    );
    expect(verdictOf(found, around(), settle(again, noon + 1_000)).verdict).toBe('converged');
  });
});

describe('what runs', () => {
  const revisions = { applied: revisionA, attempted: revisionB, artifact: null, origin: null };
  it.each([
    ['BuildFailed', bad('apply', 'BuildFailed'), revisionA, false],
    ['HealthCheckFailed', bad('health', 'HealthCheckFailed'), revisionB, false],
    ['PruneFailed', bad('apply', 'PruneFailed'), revisionB, false],
    ['ReconciliationFailed', bad('apply', 'ReconciliationFailed'), revisionA, true],
  ] as const)('after %s', (_reason, summary, revision, partly) => {
    expect(verdictOf(observed({ summary, revisions })).running).toEqual({ revision, partly });
  });
});

const overSource: readonly [string, Surroundings['source'], Verdict, string | null][] = [
  ['in order', standing(source(), 'converged'), 'converged', null],
  [
    'with a dead controller',
    standing(source(), 'stale', {
      judgement: judged('stale', {
        type: 'controller',
        cluster: 'c1',
        namespace: 'flux-system',
        name: 'source-controller',
      }),
    }),
    'stale',
    'controller',
  ],
  [
    'that cannot be seen',
    { ...standing(source(), 'converged'), state: 'unseen', judgement: null },
    'unobserved',
    'object',
  ],
  [
    'that is gone while its artifact is cached',
    { ...standing(source(), 'converged'), state: 'missing', observation: null, judgement: null },
    'stale',
    'object',
  ],
  ['that is suspended', standing(source(), 'suspended'), 'unconfirmed', 'object'],
  [
    'that failed to fetch a minute ago',
    standing(source(), 'diverged', { awaySince: noon - minute }),
    'converged',
    null,
  ],
  [
    'that has failed to fetch for 6 minutes',
    standing(source(), 'diverged', { awaySince: noon - 6 * minute }),
    'stale',
    'object',
  ],
  [
    'that is pinned and fails to fetch',
    standing(source({ target: { url: 'u', reference: 'commit', floating: false } }), 'diverged', {
      awaySince: noon - 60 * minute,
    }),
    'converged',
    null,
  ],
  ['that never had an artifact', standing(source({ hasArtifact: false }), 'diverged'), 'waiting', 'object'],
];

describe('over its source', () => {
  it.each(overSource)('a source %s', (_name, standingSource, verdict, cause) => {
    const judgement = verdictOf(observed({ source: source().ref }), around({ source: standingSource }));
    expect(judgement.verdict).toBe(verdict);
    expect(judgement.rootCause?.type ?? null).toBe(cause);
  });

  it('a chart of one version misses nothing while its index cannot be read, one of a range does', () => {
    const index = source({ ref: { ...source().ref, kind: 'HelmRepository', name: 'charts' } });
    const failing = around({ source: standing(index, 'diverged', { awaySince: noon - 60 * minute }) });
    const chart = source({ ref: { ...source().ref, kind: 'HelmChart' }, target: null, source: index.ref });
    const ranged = {
      ...chart,
      exemptions: [{ kind: 'floating-reference', field: 'spec.version', meaning: '', by: null, at: null, reach: null }],
    } as const;
    expect(verdictOf(chart, failing).verdict).toBe('converged');
    expect(verdictOf(ranged, failing).verdict).toBe('stale');
    const release = (of: Observation) =>
      verdictOf(
        observed({ source: chart.ref }),
        around({ source: standing(of, 'diverged', { awaySince: noon - 60 * minute }) }),
      ).verdict;
    expect([release(chart), release(ranged)]).toEqual(['converged', 'stale']);
  });

  it('keeps its own worse verdict', () => {
    const judgement = verdictOf(
      observed({ summary: bad('apply', 'BuildFailed') }),
      around({ source: standing(source(), 'stale') }),
    );
    expect(judgement).toMatchObject({ verdict: 'diverged', rootCause: null });
  });

  it('is behind only past the grace', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const soon = standing(newer, 'converged', { artifactSince: noon - 9 * minute });
    const late = standing(newer, 'converged', { artifactSince: noon - 11 * minute });
    expect(verdictOf(observed(), around({ source: soon }))).toMatchObject({
      verdict: 'converged',
      reviewAt: noon + minute,
    });
    expect(verdictOf(observed(), around({ source: late }))).toMatchObject({ verdict: 'behind', offered: revisionB });
  });

  it('has its grace from when it was pointed to another source or switched on again, however old the artifact is', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const old = standing(newer, 'converged', { artifactSince: noon - 60 * minute });
    const at = (now: number) =>
      judge(
        { track: { ...tracked(observed()), specSince: noon - minute } },
        around({ source: old }),
        defaultPolicy,
        now,
      );
    expect(at(noon)).toMatchObject({ verdict: 'converged', reviewAt: noon + 9 * minute });
    expect(at(noon + 10 * minute)).toMatchObject({ verdict: 'behind' });
  });

  it('ArtifactFailed is its own fault where the source has an artifact, else it waits', () => {
    const failing = observed({ summary: bad('artifact', 'ArtifactFailed') });
    expect(verdictOf(failing, around({ source: standing(source(), 'converged') })).verdict).toBe('diverged');
    expect(verdictOf(failing, around({ source: standing(source({ hasArtifact: false }), 'diverged') }))).toMatchObject({
      verdict: 'waiting',
      rootCause: { type: 'object', ref: source().ref },
    });
  });
});

describe('delivery', () => {
  const dependency = observed({ ref: { ...observed().ref, name: 'base' } });

  it.each(['diverged', 'stale', 'suspended', 'behind', 'progressing', 'unconfirmed'] as const)(
    'is at best unconfirmed under a delivery that is %s',
    (verdict) => {
      expect(verdictOf(observed(), around({ delivery: standing(dependency, verdict) }))).toMatchObject({
        verdict: 'unconfirmed',
        reason: 'DeliveryNotConverged',
      });
    },
  );
});

describe('heartbeats', () => {
  it('a dead controller makes stale, whatever was said, and remembers what', () => {
    for (const [summary, was] of [
      [good, 'converged'],
      [bad('apply', 'BuildFailed'), 'diverged'],
    ] as const) {
      expect(verdictOf(observed({ summary }), around({ heartbeat: lease('dead') }))).toMatchObject({
        verdict: 'stale',
        was,
        rootCause: { type: 'controller', name: 'kustomize-controller' },
      });
    }
  });

  it('what has given up makes no passes, and stays what it is', () => {
    const passes = { seenBy: 'writes', last: null, total: null } as const;
    const summary = { ...bad('apply', 'UpgradeFailed'), terminal: true };
    const observation = observed({ summary, passes, lastWriteAt: noon - 24 * 60 * minute });
    expect(verdictOf(observation, around(), tracked(observation, noon - 24 * 60 * minute))).toMatchObject({
      verdict: 'diverged',
      reason: 'UpgradeFailed',
      confirmation: 'controller',
    });
  });

  it('a lease that was left behind does not outvote passes that go on', () => {
    const left = { ...lease('dead'), at: noon - 60 * minute };
    expect(verdictOf(observed(), around({ heartbeat: left }))).toMatchObject({
      verdict: 'converged',
      confirmation: 'pass',
    });
    const silent = observed({
      passes: { seenBy: 'history', last: noon - 59 * minute, total: 3 },
      cadence: { interval: 60 * minute, retryInterval: null, timeout: minute },
    });
    expect(verdictOf(silent, around({ heartbeat: left })).verdict).toBe('stale');
  });

  it.each([
    ['an interval of 30 s after 3 min of silence', 30_000, 3, 'stale'],
    ['an interval of 24 h after 10 min of silence', 24 * 60 * minute, 10, 'converged'],
  ] as const)('%s', (_name, interval, minutes, verdict) => {
    const observation = observed({
      cadence: { interval, retryInterval: null, timeout: 20_000 },
      passes: { seenBy: 'history', last: noon - minutes * minute, total: 1 },
    });
    expect(verdictOf(observation).verdict).toBe(verdict);
  });

  it('a source confirms by its controller, and without any sign of life it is unconfirmed', () => {
    expect(verdictOf(source(), around({ heartbeat: lease('alive') }))).toMatchObject({
      verdict: 'converged',
      confirmation: 'controller',
    });
    expect(verdictOf(source(), around({ heartbeat: lease('unknown') }))).toMatchObject({
      verdict: 'unconfirmed',
      confirmation: 'none',
    });
  });

  it('a managed resource confirms by its provider', () => {
    const provider = managed({
      ref: { cluster: 'c1', group: 'pkg.crossplane.io', kind: 'ProviderRevision', namespace: '', name: 'aws-1' },
      role: 'package',
    });
    const by = (verdict: Verdict) =>
      verdictOf(managed(), around({ heartbeat: null, provider: standing(provider, verdict) }));
    expect(by('converged')).toMatchObject({ verdict: 'converged', confirmation: 'controller' });
    expect(by('unhealthy')).toMatchObject({ verdict: 'stale', rootCause: { type: 'object', ref: provider.ref } });
    expect(by('unconfirmed').verdict).toBe('unconfirmed');
    expect(verdictOf(managed(), around({ heartbeat: null })).verdict).toBe('unconfirmed');
  });

  it('never outlives its proof: a pass is valid for its bound', () => {
    expect(verdictOf(observed()).validUntil).toBe(noon - minute + 30 * minute);
  });
});

describe('switched off', () => {
  const suspended = { field: 'spec.suspend', by: 'flux', at: noon - minute };

  it.each([
    ['converged', good],
    ['diverged', bad('apply', 'BuildFailed')],
    ['unhealthy', bad('health', 'HealthCheckFailed')],
  ] as const)('keeps %s beneath', (was, summary) => {
    expect(verdictOf(observed({ summary, suspended }))).toMatchObject({ verdict: 'suspended', was });
  });

  it('keeps a drift beneath', () => {
    expect(verdictOf(observed({ suspended, drift: { drift: 'found', message: '', left: true } }))).toMatchObject({
      verdict: 'suspended',
      was: 'drifted',
      drift: 'found',
    });
  });

  it.each([
    ['a Kustomization', { seenBy: 'history', last: noon - 72 * 60 * minute, total: 1 }],
    ['a HelmRelease', { seenBy: 'writes', last: null, total: null }],
  ] as const)(
    '%s that is switched on again is neither stale nor diverged nor green before its next pass',
    (_what, passes) => {
      const off = observed({ suspended, passes, generation: 2, lastWriteAt: noon - 72 * 60 * minute });
      const track = receive(
        tracked(off, noon - 71 * 60 * minute),
        observed({
          resourceVersion: '2',
          passes,
          generation: 3,
          observedGeneration: 1,
          lastWriteAt: noon - 72 * 60 * minute,
        }),
        noon - 1_000,
      );
      expect(verdictOf(off, around(), settle(track, noon))).toMatchObject({
        verdict: 'unconfirmed',
        reason: 'NotPassedSinceResumed',
      });
    },
  );

  it('an object that was never reconciled has its time from when it is switched on', () => {
    const never = {
      summary: { said: 'nothing' },
      passes: { seenBy: 'writes', last: null, total: null },
      lastWriteAt: null,
    } as const;
    const track = receive(
      tracked(observed({ ...never, suspended })),
      observed({ ...never, resourceVersion: '2' }),
      noon - 1_000,
    );
    expect(verdictOf(observed(never), around(), settle(track, noon))).toMatchObject({ verdict: 'progressing' });
  });

  it('does not go stale for the passes that it must not make', () => {
    const observation = observed({ suspended, passes: { seenBy: 'history', last: noon - 24 * 60 * minute, total: 1 } });
    expect(verdictOf(observation)).toMatchObject({ verdict: 'suspended', was: 'converged', validUntil: null });
  });
});

describe('composites and shared errors', () => {
  it('a composite is no better than its worst part', () => {
    const composite = managed({
      role: 'composite',
      ref: { ...managed().ref, kind: 'XDatabase' },
      controller: 'crossplane',
    });
    const part = standing(managed(), 'diverged');
    expect(verdictOf(composite, around({ children: [standing(managed(), 'converged'), part] }))).toMatchObject({
      verdict: 'diverged',
      rootCause: { type: 'object', ref: managed().ref },
    });
    expect(verdictOf(composite, around({ children: [{ ...part, state: 'missing', judgement: null }] })).verdict).toBe(
      'diverged',
    );
    expect(verdictOf(composite, around({ children: [standing(managed(), 'suspended')] })).verdict).toBe('unconfirmed');
  });

  it('an error shared by many is one cause', () => {
    const providerConfig = {
      cluster: 'c1',
      group: 'aws.upbound.io',
      kind: 'ProviderConfig',
      namespace: '',
      name: 'aws',
    };
    const observation = managed({ providerConfig, summary: bad('apply', 'ReconcileError', 'access denied') });
    expect(verdictOf(observation, around({ sharedError: 'access denied' })).rootCause).toMatchObject({
      type: 'shared-error',
      providerConfig,
    });
  });

  it('what is in the inventory and not on the cluster for an interval is missing', () => {
    const ref = { ...managed().ref, name: 'gone' };
    expect(verdictOf(observed(), around({ missing: [{ ref, since: noon - minute }] }))).toMatchObject({
      verdict: 'converged',
      reviewAt: noon + 9 * minute,
    });
    expect(verdictOf(observed(), around({ missing: [{ ref, since: noon - 11 * minute }] }))).toMatchObject({
      verdict: 'diverged',
      reason: 'Missing',
    });
  });
});
