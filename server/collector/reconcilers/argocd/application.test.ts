import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { observed } from '../testing.ts';

const healing = { syncPolicy: { automated: { prune: true, selfHeal: true } } };

function application(status: object, spec: object = healing, metadata: object = {}): Observation {
  const source = { repoURL: 'https://u:canary@git.example.org/acme/apps', path: './web', targetRevision: 'main' };
  return observed({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd', ...metadata },
    spec: { source, destination: { server: 'https://kubernetes.default.svc', namespace: 'web' }, ...spec },
    status,
  });
}

const synced = { status: 'Synced', revision: 'bbb' };
const out = { status: 'OutOfSync', revision: 'bbb' };

const healthy = { health: { status: 'Healthy' } };
const tried = (revision: string, phase = 'Succeeded') => ({ operationState: { phase, syncResult: { revision } } });
const ended = (revision: string, finishedAt: string) => ({
  operationState: { phase: 'Succeeded', finishedAt, syncResult: { revision } },
});
const automated = { syncPolicy: { automated: {} } };
const keeping = { syncPolicy: { automated: { selfHeal: true } } };
const toPrune = { status: 'OutOfSync', requiresPruning: true };

// Shapes and rules: argo-cd pkg/apis/application/v1alpha1/types.go, controller/appcontroller.go (autoSync, alreadyAttemptedSync).
describe('Argo CD Application', () => {
  it.each<readonly [string, object, object, string, string]>([
    ['well', { sync: synced, ...healthy }, healing, 'good', 'none'],
    ['out of sync without automation is drift left in place', { sync: out, ...healthy }, {}, 'good', 'found'],
    ['automated without selfHeal too', { sync: out, ...healthy, ...tried('bbb') }, automated, 'good', 'found'],
    [
      'automated that is switched off too',
      { sync: out, ...healthy, ...tried('aaa') },
      { syncPolicy: { automated: { selfHeal: true, enabled: false } } },
      'good',
      'found',
    ],
    [
      'with selfHeal it is drift about to be undone',
      { sync: out, ...healthy, ...tried('bbb') },
      healing,
      'good',
      'found',
    ],
    ['a newer commit is about to be synced', { sync: out, ...tried('aaa') }, automated, 'busy', 'not-measured'],
    ['also where the sync before failed', { sync: out, ...tried('aaa', 'Failed') }, healing, 'busy', 'not-measured'],
    ['never synced yet', { sync: out }, automated, 'busy', 'not-measured'],
    [
      'a newer commit of which only pruning is left, which is not allowed, is never synced by itself',
      { sync: out, ...healthy, ...tried('aaa'), resources: [{ status: 'Synced' }, toPrune] },
      keeping,
      'good',
      'found',
    ],
    [
      'one of which more is left is',
      { sync: out, ...tried('aaa'), resources: [{ status: 'OutOfSync' }, toPrune] },
      keeping,
      'busy',
      'not-measured',
    ],
    [
      'and where pruning is allowed',
      { sync: out, ...tried('aaa'), resources: [toPrune] },
      healing,
      'busy',
      'not-measured',
    ],
    [
      'synced in the second of the comparison: what that found is no longer known',
      { sync: out, ...ended('bbb', '2026-11-21T02:00:05Z'), reconciledAt: '2026-11-21T02:00:05Z' },
      healing,
      'busy',
      'not-measured',
    ],
    [
      'compared after that it is drift',
      { sync: out, ...healthy, ...ended('bbb', '2026-11-21T02:00:05Z'), reconciledAt: '2026-11-21T02:00:06Z' },
      healing,
      'good',
      'found',
    ],
    ['the sync of this commit failed', { sync: out, ...tried('bbb', 'Failed') }, healing, 'bad apply', 'found'],
    ['or ended in an error', { sync: out, ...tried('bbb', 'Error') }, automated, 'bad apply', 'found'],
    ['an operation runs', { sync: out, operationState: { phase: 'Running' } }, {}, 'busy', 'found'],
    [
      'an operation that failed is tried again',
      { sync: out, operationState: { phase: 'Running', retryCount: 4 } },
      healing,
      'bad apply',
      'not-measured',
    ],
    ['an operation is being stopped', { sync: out, operationState: { phase: 'Terminating' } }, {}, 'busy', 'found'],
    ['degraded', { sync: synced, health: { status: 'Degraded' } }, healing, 'bad health', 'none'],
    ['missing', { sync: synced, health: { status: 'Missing' } }, healing, 'bad health', 'none'],
    ['health on its way', { sync: synced, health: { status: 'Progressing' } }, healing, 'busy', 'none'],
    [
      'what it applied is paused on purpose',
      { sync: synced, health: { status: 'Suspended' } },
      healing,
      'good',
      'none',
    ],
    ['health cannot be told', { sync: synced, health: { status: 'Unknown' } }, healing, 'bad observe', 'none'],
    ['could not be compared', { sync: { status: 'Unknown' } }, healing, 'bad observe', 'not-measured'],
    [
      'ComparisonError',
      { sync: synced, conditions: [{ type: 'ComparisonError', message: 'x' }] },
      healing,
      'bad observe',
      'none',
    ],
    ['SyncError', { sync: out, conditions: [{ type: 'SyncError', message: 'x' }] }, {}, 'bad apply', 'found'],
    ['DeletionError', { sync: out, conditions: [{ type: 'DeletionError', message: 'x' }] }, {}, 'bad apply', 'found'],
    [
      'InvalidSpecError',
      { conditions: [{ type: 'InvalidSpecError', message: 'x' }] },
      healing,
      'bad apply',
      'not-measured',
    ],
    [
      'a warning is no failure',
      { sync: synced, ...healthy, conditions: [{ type: 'OrphanedResourceWarning' }] },
      healing,
      'good',
      'none',
    ],
    ['nothing yet', {}, healing, 'nothing', 'not-measured'],
    ['before its first comparison', { sync: { status: '' }, health: {} }, healing, 'nothing', 'not-measured'],
    ['a comparison of another make', { sync: { status: 'Elsewhere' } }, healing, 'unrecognised', 'not-measured'],
  ])('%s', (_case, status, spec, words, drift) => {
    const { summary, drift: found } = application(status, spec);
    expect(summary.said === 'bad' ? `bad ${summary.fault}` : summary.said).toBe(words);
    expect(found.drift).toBe(drift);
  });

  it.each([
    [healing, false],
    [automated, true],
    [{}, true],
  ])('drift under %j is left: %s', (spec, left) => {
    const { drift } = application({ sync: out, ...healthy, ...tried('bbb') }, spec);
    expect(drift).toMatchObject({ drift: 'found', left });
  });

  it('its comparison to git is its pass, bounded by the default that it does not tell', () => {
    const observation = application({ sync: synced, reconciledAt: '2026-11-21T08:00:00Z' });
    expect(observation).toMatchObject({
      passes: { seenBy: 'history', last: Date.parse('2026-11-21T08:00:00Z') },
      cadence: { interval: 180_000, assumed: true },
      controller: 'argocd-application-controller',
    });
  });

  it('its generation counts every write of its status, and is not taken for edits of its spec', () => {
    expect(application({ sync: synced }, healing, { generation: 4711 }).generation).toBe(0);
  });

  it('with several sources the first names path, repository and revision; all of them tell what is new', () => {
    const sources = [
      { repoURL: 'https://git.example.org/acme/apps', path: 'web', targetRevision: 'main' },
      { repoURL: 'https://charts.example.org', chart: 'redis', targetRevision: '7.0.1' },
    ];
    const spec = { source: undefined, sources, ...automated };
    const status = (tried: readonly string[]) => ({
      sync: { status: 'OutOfSync', revisions: ['bbb', '7.0.1'] },
      operationState: { phase: 'Succeeded', syncResult: { revisions: tried } },
    });
    expect(application(status(['bbb', '7.0.0']), spec)).toMatchObject({
      summary: { said: 'busy' },
      revisions: { applied: 'bbb', attempted: 'bbb' },
      path: 'web',
      target: { url: 'https://git.example.org/acme/apps', reference: 'main' },
    });
    expect(application(status(['bbb', '7.0.1']), spec).drift).toMatchObject({ drift: 'found', left: true });
  });

  it('out of sync it runs what was synced last, not what is compared', () => {
    const status = {
      sync: out,
      operationState: { phase: 'Succeeded', syncResult: { revision: 'aaa' } },
      reconciledAt: '2026-11-21T08:00:00Z',
    };
    expect(application(status)).toMatchObject({
      revisions: { applied: 'aaa', attempted: 'bbb' },
      passes: { last: Date.parse('2026-11-21T08:00:00Z') },
    });
    const failed = {
      sync: out,
      operationState: { phase: 'Failed', syncResult: { revision: 'bbb' } },
      history: [{ revision: 'a0' }, { revision: 'aaa' }],
    };
    expect(application(failed).revisions.applied).toBe('aaa');
  });

  // As v3.2.11 writes them (test/real, chapter argocd).
  it('what could not be compared names a branch as its revision, and no commit', () => {
    const message =
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = apps/no-path: app path does not exist';
    const status = {
      sync: { status: 'Unknown', revision: 'main', comparedTo: { source: { targetRevision: 'main' } } },
      ...healthy,
      conditions: [{ type: 'ComparisonError', message, lastTransitionTime: '2026-11-23T06:02:56Z' }],
      reconciledAt: '2026-11-23T06:02:56Z',
    };
    expect(application(status)).toMatchObject({
      summary: { said: 'bad', fault: 'observe', reason: 'ComparisonError', message },
      revisions: { applied: null, attempted: null },
    });
  });

  it('what only pruning would undo is left in place, whether or not it heals', () => {
    const kept = application({ sync: out, ...healthy, ...tried('aaa'), resources: [toPrune] }, keeping);
    expect(kept.drift).toMatchObject({ drift: 'found', left: true });
  });

  it('between its attempts a sync that fails is said to run: it fails, in the words of the resource', () => {
    const operationState = {
      phase: 'Running',
      message: 'one or more synchronization tasks are not valid. Retrying attempt #4 at 11:49AM.',
      retryCount: 4,
      startedAt: '2026-11-23T06:03:05Z',
      finishedAt: '2026-11-23T06:04:15Z',
      syncResult: {
        revision: 'bbb',
        resources: [
          { kind: 'ConfigMap', name: 'a', status: 'Synced', message: 'configmap/a configured' },
          { kind: 'Gadget', name: 'b', status: 'SyncFailed', message: 'The Kubernetes API could not find Gadget' },
        ],
      },
    };
    expect(application({ sync: out, ...healthy, operationState })).toMatchObject({
      summary: {
        said: 'bad',
        fault: 'apply',
        reason: 'SyncFailed',
        message: 'The Kubernetes API could not find Gadget',
      },
      revisions: { applied: null, attempted: 'bbb' },
    });
    expect(application({ sync: out, operationState: { ...operationState, syncResult: {} } }).summary).toMatchObject({
      message: 'one or more synchronization tasks are not valid.',
    });
  });

  it('a commit that changed nothing for it needs no sync to be in effect', () => {
    expect(application({ sync: synced, ...tried('aaa') }).revisions).toMatchObject({
      applied: 'bbb',
      attempted: 'bbb',
    });
  });

  it('points to its repository without user information', () => {
    const observation = application({});
    expect(observation).toMatchObject({
      target: { url: 'https://git.example.org/acme/apps', reference: 'main', floating: true },
      path: 'web',
    });
    expect(JSON.stringify(observation)).not.toContain('canary');
  });

  it('what it applies is an inventory here, or elsewhere', () => {
    const status = {
      resources: [
        { group: 'apps', kind: 'Deployment', namespace: 'web', name: 'web' },
        { kind: 'Namespace', name: 'web' },
        { kind: 'Job', namespace: 'web', name: 'migrate', hook: true },
        { kind: 'ConfigMap', namespace: 'web', name: 'new', status: 'OutOfSync' },
        { kind: 'Secret', namespace: 'web', name: 'gone', status: 'OutOfSync', health: { status: 'Missing' } },
      ],
    };
    expect(application(status).inventory).toEqual(['web_web_apps_Deployment', '_web__Namespace']);
    const far = application(status, { destination: { server: 'https://10.0.0.1' } });
    expect(far).toMatchObject({ inventory: [], remote: true });
  });

  // Argo CD heals what never differed where it compares with what it remembers from before a sync; under load it does (test/real).
  it.each([
    [
      ['configmap/a configured', 'service/b unchanged'],
      ['ConfigMap/web/a configured', true],
    ],
    [
      ['configmap/a created', 'service/b configured'],
      ['ConfigMap/web/a created, Service/web/b configured', true],
    ],
    [
      ['configmap/a pruned', 'service/b serverside-applied'],
      ['ConfigMap/web/a pruned, Service/web/b synced', true],
    ],
    [
      ['configmap/a unchanged', 'service/b serverside-applied'],
      ['Service/web/b synced', false],
    ],
    [['configmap/a unchanged', 'service/b unchanged'], null],
  ])('self-heal that says %j undid %j', ([first, second], expected) => {
    const resources = [
      { kind: 'ConfigMap', namespace: 'web', name: 'a', message: first },
      { kind: 'Service', namespace: 'web', name: 'b', message: second },
    ];
    const operation = { initiatedBy: { automated: true }, sync: { resources: [{ kind: 'ConfigMap', name: 'a' }] } };
    const operationState = {
      phase: 'Succeeded',
      finishedAt: '2026-11-21T02:00:05Z',
      operation,
      syncResult: { revision: 'bbb', resources },
    };
    const { drift } = application({ sync: synced, ...healthy, operationState });
    const undone = drift.drift === 'none' ? drift.undone : undefined;
    expect(undone ? [undone.said, undone.isSure] : null).toEqual(expected);
  });

  it.each([
    [{}, 'busy', true],
    [{ operationState: { phase: 'Succeeded' } }, 'good', false],
  ])(
    'an operation that is asked for has not begun before the state of the one before is gone: %j',
    (status, said, reconciling) => {
      const asked = observed({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'web', namespace: 'argocd' },
        spec: healing,
        operation: { sync: {} },
        status: { sync: synced, ...healthy, ...status },
      });
      expect([asked.summary.said, asked.reconciling]).toEqual([said, reconciling]);
    },
  );

  it('long names, statuses and times are told in part', () => {
    const long = 'n '.repeat(200);
    const resources = [{ kind: 'A', name: long, status: 'OutOfSync' }];
    const { drift } = application({ sync: out, ...healthy, ...tried('bbb'), resources });
    expect(drift.drift === 'found' ? drift.message : null).toHaveLength('Out of sync: '.length + 128);
    const { summary } = application({ sync: { status: long } });
    expect(summary.said === 'unrecognised' ? summary.why : null).toHaveLength('status.sync.status is '.length + 64);
    const operation = { initiatedBy: { automated: true }, sync: { resources: [{ kind: 'A', name: 'a' }] } };
    const times = { startedAt: 's'.repeat(80), finishedAt: '2026-11-21T02:00:05Z' };
    const operationState = { phase: 'Succeeded', operation, syncResult: { revision: 'bbb', resources }, ...times };
    const healed = application({ sync: synced, ...healthy, operationState }).drift;
    const undone = healed.drift === 'none' ? healed.undone : undefined;
    expect([undone?.said.length, undone?.id]).toEqual([256, 's'.repeat(80)]);
  });

  it('says nothing of a health that says nothing of itself', () => {
    const { summary } = application({ sync: synced, health: { status: 'Degraded' } });
    expect(summary).toEqual({ said: 'bad', fault: 'health', reason: 'Degraded', message: '', terminal: false });
  });

  it('is switched off by skip-reconcile', () => {
    const off = application(
      {},
      { ignoreDifferences: [{ kind: 'X' }] },
      { annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
    );
    expect(off.suspended?.field).toBe('metadata.annotations[argocd.argoproj.io/skip-reconcile]');
    expect(off.exemptions[0]).toMatchObject({
      kind: 'suspended',
      meaning: 'changes in git do not arrive, drift is not undone',
    });
  });
});

describe('what another Application has as well', () => {
  it.each([
    [
      'Secret/nextcloud-db is part of applications argocd/nextcloud and databases',
      [['Secret', 'nextcloud-db', 'databases']],
    ],
    ['Deployment/web is part of applications argocd/a and b and more', []],
    ['something else', []],
  ])('%s', (message, expected) => {
    const { rivals } = application({ conditions: [{ type: 'SharedResourceWarning', message }] });
    expect(rivals.map((rival) => (rival.type === 'shared' ? [rival.kind, rival.name, ...rival.others] : []))).toEqual(
      expected,
    );
  });
});
