import { describe, expect, it } from 'vitest';
import { defaultPolicy } from './guarantee.ts';
import { judge } from './judge.ts';
import type { Observation } from './observation.ts';
import type { Surroundings } from './subject.ts';
import {
  around,
  bad,
  good,
  judged,
  lease,
  managed,
  minute,
  noon,
  observed,
  revisionA,
  revisionB,
  source,
  standing,
  tracked,
} from './testing/observed.ts';
import { begin, receive, settle, type Track } from './track.ts';
import type { Verdict } from './verdict.ts';

function verdictOf(
  observation: Observation,
  surroundings: Surroundings = around(),
  track: Track = tracked(observation),
) {
  return judge({ track }, surroundings, defaultPolicy, noon);
}

it('what has no conditions has what its status says for evidence', () => {
  const word = { said: 'good', reason: 'Synced', message: '' } as const;
  expect(verdictOf(observed({ conditions: [], word })).evidence).toContainEqual({
    ...{ from: 'field', text: 'its status says Synced', at: null },
  });
  expect(verdictOf(observed({ conditions: [], word: { ...word, reason: '' } })).evidence).toEqual([]);
});

const own: readonly [string, Partial<Observation>, Verdict, string][] = [
  ['a pass that succeeded', {}, 'converged', 'ReconciliationSucceeded'],
  ['BuildFailed cannot be made so', { word: bad('apply', 'BuildFailed') }, 'diverged', 'BuildFailed'],
  ['HealthCheckFailed was applied', { word: bad('health', 'HealthCheckFailed') }, 'unhealthy', 'HealthCheckFailed'],
  [
    'a blind reconciler proves nothing',
    { word: bad('observe', 'ReconcileError', 'connect failed: no token') },
    'stale',
    'ReconcileError',
  ],
  [
    'a dependency carries the fault',
    {
      word: bad('dependency', 'DependencyNotReady'),
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
    { word: { said: 'unrecognised', why: 'status is a list' } },
    'unobserved',
    'Unrecognised',
  ],
  [
    'no word yet, just born',
    { word: { said: 'nothing' }, createdAt: noon - minute },
    'progressing',
    'NotReconciledYet',
  ],
  [
    'no word for half an hour',
    { word: { said: 'nothing' }, createdAt: noon - 31 * minute },
    'diverged',
    'NeverSettled',
  ],
];

describe('an object by its own words', () => {
  it.each(own)('%s', (_name, part, verdict, reason) => {
    expect(verdictOf(observed(part))).toMatchObject({ verdict, reason });
  });

  it('gives a managed resource an hour to be created', () => {
    const young = managed({ word: { said: 'nothing' }, createdAt: noon - 31 * minute });
    const old = managed({ word: { said: 'nothing' }, createdAt: noon - 61 * minute });
    const track = (observation: Observation): Track => ({ ...tracked(observation), settled: null });
    expect(verdictOf(young, around(), track(young)).verdict).toBe('progressing');
    expect(verdictOf(old, around(), track(old)).verdict).toBe('diverged');
  });

  it('keeps the last settled verdict while a pass is under way, as an overlay', () => {
    const before = observed();
    const busy = observed({
      resourceVersion: '2',
      word: { said: 'busy', reason: 'Progressing', message: 'Building', before: null },
      reconciling: true,
    });
    const track = receive(tracked(before), busy, noon - 1_000);
    expect(verdictOf(before, around(), track)).toMatchObject({ verdict: 'converged', reconciling: true });
  });

  it('calls an object that never comes to rest diverged', () => {
    const before = observed();
    const busy = observed({
      resourceVersion: '2',
      word: { said: 'busy', reason: 'Progressing', message: '', before: null },
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
      word: { said: 'busy', reason: '', message: '', before: good },
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
  ] as const)('after %s', (_reason, word, revision, partly) => {
    expect(verdictOf(observed({ word, revisions })).running).toEqual({ revision, partly });
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
  it.each(overSource)('B9.4 a source %s', (_name, standingSource, verdict, cause) => {
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
      observed({ word: bad('apply', 'BuildFailed') }),
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
    const failing = observed({ word: bad('artifact', 'ArtifactFailed') });
    expect(verdictOf(failing, around({ source: standing(source(), 'converged') })).verdict).toBe('diverged');
    expect(verdictOf(failing, around({ source: standing(source({ hasArtifact: false }), 'diverged') }))).toMatchObject({
      verdict: 'waiting',
      rootCause: { type: 'object', ref: source().ref },
    });
  });
});

describe('dependencies and delivery', () => {
  const waits = observed({ word: bad('dependency', 'DependencyNotReady') });
  const dependency = observed({ ref: { ...observed().ref, name: 'base' } });

  it('names the far end of the chain', () => {
    const far = { ...observed().ref, name: 'far' };
    const blocker = standing(dependency, 'waiting', { judgement: judged('waiting', { type: 'object', ref: far }) });
    expect(verdictOf(waits, around({ dependencies: [blocker] }))).toMatchObject({
      verdict: 'waiting',
      rootCause: { type: 'object', ref: far },
    });
  });

  const rolledFrom = (before: Observation, minutes: number): Track =>
    settle(
      receive(begin(before, noon - 60 * minute, true), { ...waits, resourceVersion: '2' }, noon - minutes * minute),
      noon - minutes * minute + 1_000,
    );
  const calm = around({ dependencies: [standing(dependency, 'converged')] });
  const onItsWay = standing(dependency, 'converged', {
    judgement: { ...judged('converged'), offered: revisionB },
    lastPassAt: noon - 5 * minute,
  });
  const wave = around({ dependencies: [onItsWay] });

  it('rolls with a wave, and waits once the wave takes too long', () => {
    expect(verdictOf(waits, wave, rolledFrom(observed(), 1))).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, wave, rolledFrom(observed(), 11))).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('waits where there is no wave: its dependency has arrived, and says why by its own words', () => {
    const arrived = standing(dependency, 'converged', { lastPassAt: noon - 5 * minute });
    const lacking = "dependency 'flux-system/base' is not ready according to readyExpr eval";
    const word = bad('dependency', 'DependencyNotReady', lacking);
    for (const [minutes, passedAt] of [
      [2, noon - 5 * minute],
      [0.5, noon - 20_000],
    ] as const) {
      const asked = noon - minutes * minute;
      const began = begin(observed(), noon - 60 * minute, true);
      const track = settle(receive(began, { ...waits, word, resourceVersion: '2' }, asked), asked + 1_000);
      const found = verdictOf(waits, around({ dependencies: [{ ...arrived, lastPassAt: passedAt }] }), track);
      expect(found).toMatchObject({ verdict: 'waiting', rolling: false, rootCause: { ref: dependency.ref } });
      expect(found.sentence).toMatch(
        /^It waits for Kustomization base, which does not meet its readyExpr\. The cluster/,
      );
    }
  });

  it('has its turn after a dependency that was in the middle of a pass when it asked, and no longer', () => {
    const asked = (seconds: number) => rolledFrom(observed(), seconds / 60);
    const passing = around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - 30_000 })] });
    const busy = around({ dependencies: [standing(dependency, 'converged', { busySince: noon - 31_000 })] });
    expect(verdictOf(waits, passing, asked(30.4))).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, busy, asked(30))).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, busy, asked(60))).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('before its first apply it waits for its dependency, whatever it said before', () => {
    const never = { revisions: { applied: null, attempted: null, artifact: null, origin: null } };
    const born = observed({ ...never, word: bad('artifact', 'ArtifactFailed'), createdAt: noon - 5 * minute });
    const asked = noon - 4 * minute;
    const next = { ...waits, ...never, resourceVersion: '2' };
    const track = settle(receive(begin(born, noon - 5 * minute, true), next, asked), asked + 1_000);
    expect(verdictOf(waits, wave, track)).toMatchObject({ verdict: 'waiting', rootCause: { ref: dependency.ref } });
  });

  it('what was diverged before the wave stays so: a wave makes nothing green', () => {
    const before = observed({ word: bad('apply', 'BuildFailed') });
    expect(verdictOf(waits, wave, rolledFrom(before, 1))).toMatchObject({
      verdict: 'diverged',
      reason: 'BuildFailed',
      rolling: false,
    });
  });

  it('rolls with a wave also where its dependency was judged before the new commit', () => {
    const from = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const fresh = standing(from, 'converged', { artifactSince: noon - minute });
    const arrived = { ...judged('converged'), offered: revisionA };
    const same = standing({ ...dependency, source: from.ref }, 'converged', { judgement: arrived });
    const track = rolledFrom(observed({ source: from.ref }), 1);
    const sourced = {
      ...track,
      settled: track.settled && { ...track.settled, observation: { ...waits, source: from.ref } },
    };
    expect(verdictOf(waits, around({ source: fresh, dependencies: [same] }), sourced)).toMatchObject({
      verdict: 'converged',
      rolling: true,
    });
  });

  it('rolls with a dependency that waits its own turn', () => {
    const rolling = standing({ ...waits, ref: dependency.ref }, 'converged');
    const judgement = verdictOf(waits, around({ dependencies: [rolling] }), rolledFrom(observed(), 1));
    expect(judgement).toMatchObject({ verdict: 'converged', rolling: true });
  });

  it('rolls also where its dependency is heard to pass a moment before it asked', () => {
    const just = around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - 30_900 })] });
    expect(verdictOf(waits, just, rolledFrom(observed(), 0.5))).toMatchObject({ verdict: 'converged', rolling: true });
  });

  it('rolls until the next try after its dependency has arrived, however deep the wave was', () => {
    const passed = (seconds: number) =>
      around({ dependencies: [standing(dependency, 'converged', { lastPassAt: noon - seconds * 1_000 })] });
    const track = rolledFrom(observed(), 2);
    expect(verdictOf(waits, passed(9), track)).toMatchObject({ verdict: 'converged', rolling: true });
    expect(verdictOf(waits, passed(61), track)).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('a wave covers nothing else that is the matter with it', () => {
    const edited = receive(rolledFrom(observed(), 1), { ...waits, resourceVersion: '3', generation: 2 }, noon - 30_000);
    expect(verdictOf(waits, wave, settle(edited, noon))).toMatchObject({
      verdict: 'progressing',
      reason: 'SpecNotObserved',
      rolling: false,
    });
  });

  it('a wave does not lengthen the grace of what is offered', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const late = standing(newer, 'converged', { artifactSince: noon - 11 * minute });
    const track = rolledFrom(observed({ source: newer.ref }), 1);
    expect(verdictOf(waits, { ...wave, source: late }, track)).toMatchObject({ verdict: 'waiting', rolling: false });
  });

  it('what takes nothing up is behind also where commits come faster than the grace', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const fresh = around({ source: standing(newer, 'converged', { artifactSince: noon - minute }) });
    const track = begin(observed({ source: newer.ref }), noon - minute, true);
    const since = (minutes: number) =>
      judge({ track, newerSince: noon - minutes * minute }, fresh, defaultPolicy, noon);
    expect(since(11)).toMatchObject({ verdict: 'behind' });
    expect(since(9)).toMatchObject({ verdict: 'converged', reviewAt: noon + minute });
  });

  it('who waits is not behind, however long', () => {
    const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
    const late = standing(newer, 'converged', { artifactSince: noon - 60 * minute });
    const blocked = around({ source: late, dependencies: [standing(dependency, 'diverged')] });
    expect(verdictOf({ ...waits, source: newer.ref }, blocked, rolledFrom(observed(), 50))).toMatchObject({
      verdict: 'waiting',
      rootCause: { ref: dependency.ref },
    });
  });

  describe('a pass that goes on beyond its dependencies', () => {
    const busy = observed({
      word: { said: 'busy', reason: 'Progressing', message: 'Reconciliation in progress', before: null },
      reconciling: true,
      resourceVersion: '3',
    });
    const passing = (track: Track, seconds: number): Track => receive(track, busy, noon - seconds * 1_000);

    it('waits for as long as it may still be looking at them', () => {
      const track = passing(rolledFrom(observed(), 11), 9);
      const judgement = judge({ track }, calm, defaultPolicy, noon);
      expect(judgement).toMatchObject({ verdict: 'waiting', reviewAt: noon + 1_000 });
    });

    it('is again what it was before it waited', () => {
      const track = passing(rolledFrom(observed(), 11), 10);
      expect(verdictOf(busy, calm, track)).toMatchObject({ verdict: 'converged', rolling: false, rootCause: null });
      const broken = passing(rolledFrom(observed({ word: bad('apply', 'BuildFailed') }), 11), 10);
      expect(verdictOf(busy, calm, broken)).toMatchObject({ verdict: 'diverged', reason: 'BuildFailed' });
    });

    it('has not come to rest where nothing is known of before', () => {
      const track = passing(begin(waits, noon - 20 * minute, true), 10);
      expect(verdictOf(busy, calm, track)).toMatchObject({ verdict: 'progressing', rootCause: null });
    });

    it('is behind once it takes too long', () => {
      const newer = source({ revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
      const late = standing(newer, 'converged', { artifactSince: noon - 11 * minute });
      const track = passing(rolledFrom(observed({ source: newer.ref }), 11), 10);
      const from = {
        ...track,
        settled: track.settled && {
          ...track.settled,
          observation: { ...track.settled.observation, source: newer.ref },
        },
      };
      expect(verdictOf(busy, { ...calm, source: late }, from)).toMatchObject({ verdict: 'behind' });
    });
  });

  it('what was never seen otherwise waits', () => {
    expect(verdictOf(waits, calm, begin(waits, noon - minute, true))).toMatchObject({
      verdict: 'waiting',
      rolling: false,
    });
  });

  it('does not roll over a dependency that is diverged', () => {
    expect(
      verdictOf(waits, around({ dependencies: [standing(dependency, 'diverged')] }), rolledFrom(observed(), 1)).verdict,
    ).toBe('waiting');
  });

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
    for (const [word, was] of [
      [good, 'converged'],
      [bad('apply', 'BuildFailed'), 'diverged'],
    ] as const) {
      expect(verdictOf(observed({ word }), around({ heartbeat: lease('dead') }))).toMatchObject({
        verdict: 'stale',
        was,
        rootCause: { type: 'controller', name: 'kustomize-controller' },
      });
    }
  });

  it('what has given up makes no passes, and stays what it is', () => {
    const passes = { seenBy: 'writes', last: null, total: null } as const;
    const word = { ...bad('apply', 'UpgradeFailed'), terminal: true };
    const observation = observed({ word, passes, lastWriteAt: noon - 24 * 60 * minute });
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
  ] as const)('keeps %s beneath', (was, word) => {
    expect(verdictOf(observed({ word, suspended }))).toMatchObject({ verdict: 'suspended', was });
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
      word: { said: 'nothing' },
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
    const observation = managed({ providerConfig, word: bad('apply', 'ReconcileError', 'access denied') });
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
