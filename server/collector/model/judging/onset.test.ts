import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Judgement } from '#lib/domain/verdict/judgement.ts';
import type { Condition, HistoryEntry, Observation } from '#lib/domain/observation/observation.ts';
import { bad, judged, noon, observed, tracked } from '#lib/domain/testing/observed.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import { newEntry } from '../objects/packed-entry.ts';
import { earlierSpans, firstOnset, neverGoodSince } from './onset.ts';
import { startBed } from '../testing/bed.ts';
import { ready as readyIs, kinds, kustomizationSpec, revision } from '../testing/objects.ts';

const stamp = noon - 20 * minute;

function condition(type: string, status: Condition['status']): Condition {
  return { type, status, reason: '', message: '', lastTransitionTime: stamp, observedGeneration: 1 };
}

/** An entry whose passes went on from so many minutes ago to so many minutes ago. */
function entry(status: string, first: number, last = 1): HistoryEntry {
  return {
    digest: 'sha256:1',
    status,
    revision: null,
    first: noon - first * minute,
    last: noon - last * minute,
    total: 3,
  };
}

const good = 'ReconciliationSucceeded';
const unready = [condition('Ready', 'False')];
const ready = [condition('Ready', 'True')];
const unapplied = { applied: null, attempted: null, artifact: null, origin: null };
const failed = (reason: string) => bad(reason === 'HealthCheckFailed' ? 'health' : 'apply', reason);

type Row = readonly [what: string, part: Partial<Observation>, verdict: Verdict, reason: string, minutesAgo: number];

it.each<Row>([
  [
    'what follows from a part is not dated by its own good word',
    { conditions: [condition('Synced', 'True'), condition('Ready', 'True')] },
    'diverged',
    'PartNotConverged',
    0,
  ],
  [
    'what is missing is not dated by its own good word',
    { conditions: ready, history: [entry(good, 90)] },
    'diverged',
    'Missing',
    0,
  ],
  [
    'nor by a bad word that says something else',
    { summary: failed('HealthCheckFailed'), conditions: unready, history: [entry('HealthCheckFailed', 90)] },
    'diverged',
    'Missing',
    0,
  ],
  [
    'a deletion that hangs goes back to when it was due',
    { deletedAt: noon - 40 * minute, conditions: ready },
    'diverged',
    'DeletionStuck',
    25,
  ],
  [
    'a deletion under way to when it was asked for',
    { deletedAt: noon - 4 * minute, conditions: ready },
    'progressing',
    'Terminating',
    4,
  ],
  [
    'a failure goes back to its history where that names it',
    {
      summary: failed('HealthCheckFailed'),
      conditions: unready,
      history: [entry('HealthCheckFailed', 90), entry(good, 300, 91)],
    },
    'unhealthy',
    'HealthCheckFailed',
    90,
  ],
  [
    'a failure whose content had failed before, and was well between, only to its last pass or its stamp',
    {
      summary: failed('HealthCheckFailed'),
      conditions: unready,
      history: [entry('HealthCheckFailed', 90, 2), entry(good, 60, 30)],
    },
    'unhealthy',
    'HealthCheckFailed',
    20,
  ],
  [
    'a failure before the build is in no history: the entry is of another end',
    { summary: failed('BuildFailed'), conditions: unready, history: [entry(good, 300, 40)] },
    'diverged',
    'BuildFailed',
    20,
  ],
  [
    'a failure goes back to its condition at least',
    { summary: failed('BuildFailed'), conditions: unready },
    'diverged',
    'BuildFailed',
    20,
  ],
  [
    'a managed resource to the condition that says so',
    {
      summary: failed('ReconcileError'),
      conditions: [...ready, { ...condition('Synced', 'False'), lastTransitionTime: stamp - minute }],
    },
    'diverged',
    'ReconcileError',
    21,
  ],
  [
    'a release that was deployed long ago has not failed since then',
    { summary: failed('UpgradeFailed'), conditions: unready, history: [entry('deployed', 300, 300)] },
    'diverged',
    'UpgradeFailed',
    20,
  ],
  [
    'convergence to the first pass of the newest history',
    { history: [entry(good, 90)], conditions: ready },
    'converged',
    good,
    90,
  ],
  [
    'convergence that was interrupted to the last pass: its first was before the interruption',
    { history: [entry(good, 90, 3), entry('HealthCheckFailed', 60, 30)], conditions: ready },
    'converged',
    good,
    3,
  ],
  [
    'an interruption before the first pass is none',
    { history: [entry(good, 90, 3), entry('HealthCheckFailed', 120, 100)], conditions: ready },
    'converged',
    good,
    90,
  ],
  [
    'a history of failures does not date convergence',
    { history: [entry('HealthCheckFailed', 90)], conditions: ready },
    'converged',
    good,
    20,
  ],
  [
    'a suspension to who made it',
    { suspended: { field: 'spec.suspend', by: 'kubectl-edit', at: noon - 5 * minute } },
    'suspended',
    'Suspended',
    5,
  ],
  [
    'a suspension of unknown age to now',
    { suspended: { field: 'spec.suspend', by: null, at: null } },
    'suspended',
    'Suspended',
    0,
  ],
  [
    'a first reconcile to its creation',
    { createdAt: noon - 2 * minute, revisions: unapplied },
    'progressing',
    'NotReconciledYet',
    2,
  ],
  [
    'a pass that goes on of what had been applied before only to its own beginning',
    { conditions: [condition('Ready', 'Unknown')], history: [entry(good, 300, 21)] },
    'progressing',
    'Progressing',
    20,
  ],
  [
    'also where it had worked and nothing of it is in place now',
    { conditions: [condition('Ready', 'Unknown')], history: [entry(good, 300, 21)], revisions: unapplied },
    'progressing',
    'Progressing',
    20,
  ],
  [
    'a drift to its own condition',
    { conditions: [...ready, { ...condition('Drifted', 'True'), lastTransitionTime: noon - 7 * minute }] },
    'drifted',
    'DriftDetected',
    7,
  ],
  [
    'silence to when its last pass ran out, three intervals after it',
    { passes: { seenBy: 'history', last: noon - 50 * minute, total: 3 } },
    'stale',
    'NoPass',
    20,
  ],
  [
    'drift goes back to the condition that is true of it',
    { conditions: [condition('Drifted', 'True')] },
    'drifted',
    'x',
    20,
  ],
  ['or to the one that is not true then', { conditions: [condition('UpToDate', 'False')] }, 'drifted', 'x', 20],
  [
    'and to no condition that says that there is none',
    { conditions: [condition('Drifted', 'False'), condition('UpToDate', 'True')] },
    'drifted',
    'x',
    0,
  ],
  [
    'a failure is not dated by a good condition',
    { summary: failed('ReconcileError'), conditions: [condition('Synced', 'True'), condition('Ready', 'True')] },
    'diverged',
    'ReconcileError',
    0,
  ],
  [
    'what waits is dated by its own word',
    { summary: bad('dependency', 'DependencyNotReady'), conditions: unready },
    'waiting',
    'DependencyNotReady',
    20,
  ],
  [
    'a pass that goes on is not dated by another condition that is unknown',
    { conditions: [condition('Healthy', 'Unknown'), condition('Ready', 'True')] },
    'progressing',
    'Progressing',
    0,
  ],
  ['what follows from silence is dated nowhere on the object', { conditions: ready }, 'unconfirmed', 'NoPass', 0],
  ['nor is what cannot be seen', { conditions: ready }, 'unobserved', 'Forbidden', 0],
  ['a dead controller is dated nowhere on the object', { conditions: ready }, 'stale', 'ControllerDead', 0],
  [
    'a blind reconciler to the condition that says so',
    { summary: bad('observe', 'ReconcileError'), conditions: [condition('Synced', 'False')] },
    'stale',
    'ReconcileError',
    20,
  ],
  [
    'nothing is dated into the future',
    {
      summary: failed('BuildFailed'),
      conditions: [{ ...condition('Ready', 'False'), lastTransitionTime: noon + minute }],
    },
    'diverged',
    'BuildFailed',
    0,
  ],
])('%s', (_name, part, verdict, reason, minutesAgo) => {
  const judgement: Judgement = { ...judged(verdict), reason };
  const at = noon - minutesAgo * minute;
  expect(firstOnset(tracked(observed(part)), judgement, defaultPolicy, noon)).toEqual({ at, bound: 'at-least' });
});

it('what is behind has been so since the grace of what is offered ran out', () => {
  const evidence: Judgement['evidence'] = [{ from: 'field', text: 'applied a, offered b', at: noon - 60 * minute }];
  const judgement: Judgement = { ...judged('behind'), reason: 'Behind', evidence };
  expect(firstOnset(tracked(observed()), judgement, defaultPolicy, noon).at).toBe(noon - 50 * minute);
});

it.each<Judgement['evidence']>([
  [{ from: 'field', text: 'applied a, offered b', at: null }],
  [{ from: 'condition', text: 'Ready', at: noon - 60 * minute }],
  [],
])('what is behind by %j is so since it was seen', (...evidence) => {
  const judgement: Judgement = { ...judged('behind'), reason: 'Behind', evidence };
  expect(firstOnset(tracked(observed()), judgement, defaultPolicy, noon).at).toBe(noon);
});

it.each<readonly [string, HistoryEntry, readonly object[]]>([
  ['a good one', entry(good, 90, 40), [{ from: noon - 90 * minute, to: noon - 40 * minute, good: true, status: good }]],
  ['a bad one', entry('BuildFailed', 90, 40), [{ good: false, status: 'BuildFailed' }]],
  ['up to where it was first seen', entry(good, 90, -10), [{ from: noon - 90 * minute, to: noon }]],
  ['no release', entry('deployed', 90, 40), []],
  ['none without a beginning', { ...entry(good, 90), first: null }, []],
  ['none without an end', { ...entry(good, 90), last: null }, []],
  ['none that began as it was first seen', entry(good, 0, 0), []],
])('of its earlier passes it tells %s', (_what, pass, expected) => {
  const observation = observed({ history: [pass] });
  const spans = earlierSpans(newEntry(observation.ref, tracked(observation, noon), true));
  expect(spans).toMatchObject(expected);
  expect(spans).toHaveLength(expected.length);
});

const never = { applied: null, attempted: null, artifact: null, origin: null };
const helm = { reconciler: 'helm', passes: { seenBy: 'writes', last: null, total: null } } as const;

it.each<readonly [string, Partial<Observation>, boolean]>([
  ['a Kustomization that was never applied', { summary: failed('BuildFailed'), revisions: never }, true],
  ['one that tried and failed', { summary: failed('BuildFailed'), revisions: { ...never, attempted: 'x' } }, true],
  ['one that waits for its dependency', { summary: bad('dependency', 'DependencyNotReady'), revisions: never }, true],
  ['one that has no word yet', { summary: { said: 'nothing' }, revisions: never }, true],
  ['one that was applied once', { summary: failed('BuildFailed') }, false],
  [
    'one whose history tells of a good pass',
    { summary: failed('BuildFailed'), revisions: never, history: [entry(good, 90, 40)] },
    false,
  ],
  ['a release that was never tried', { ...helm, summary: bad('artifact', 'SourceNotReady'), revisions: never }, true],
  [
    'a release that was tried: what it was before that is forgotten',
    { ...helm, summary: failed('InstallFailed'), revisions: { ...never, attempted: '1.0.0' } },
    false,
  ],
  [
    'an Application, which may have been found in place',
    { reconciler: 'argocd', summary: failed('SyncFailed'), revisions: never },
    false,
  ],
  [
    'a source, which forgets an artifact that is lost',
    { role: 'source', summary: failed('x'), revisions: never },
    false,
  ],
])('since its creation: %s', (_name, part, expected) => {
  const observation = observed(part);
  expect(neverGoodSince(tracked(observation))).toBe(expected ? observation.createdAt : null);
});

it('what was never good is away since its creation, and its verdict at least since it says so', () => {
  const bed = startBed();
  const now = bed.clock.now();
  const born = Math.trunc(now / 1000) * 1000 - 20 * minute;
  bed.open([
    [
      kinds.kustomization,
      bed.object(kinds.kustomization, 'never', {
        createdAt: born,
        spec: kustomizationSpec('control'),
        status: { conditions: [readyIs('False', 'BuildFailed', now - 22_000)], lastAttemptedRevision: revision('a') },
      }),
    ],
  ]);
  expect(bed.at('never')).toMatchObject({
    verdict: 'diverged',
    awaySince: { time: born, bound: 'exact', sinceMade: true },
    onset: { bound: 'at-least' },
  });
  bed.model.stop();
});

it('what fails from its birth before our eyes is away since it was made; what was there before may have been good', () => {
  const bed = startBed();
  bed.open([]);
  for (const [name, createdAt] of [
    ['young', bed.clock.now()],
    ['old', bed.clock.now() - 20 * minute],
  ] as const) {
    const status = {
      conditions: [readyIs('False', 'BuildFailed', bed.clock.now())],
      lastAppliedRevision: revision('a'),
    };
    bed.write(kinds.kustomization, bed.object(kinds.kustomization, name, { createdAt, status, spec: {} }));
  }
  bed.clock.advance(1_000);
  expect([bed.at('young'), bed.at('old')].map(({ awaySince }) => awaySince?.sinceMade)).toEqual([true, undefined]);
  bed.model.stop();
});
