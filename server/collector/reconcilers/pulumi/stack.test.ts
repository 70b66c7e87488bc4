import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { hour } from '#lib/domain/time/length.ts';
import { observed } from '../testing.ts';

function stack(status: object, spec: object = {}, metadata: object = {}): Observation {
  return observed({
    apiVersion: 'pulumi.com/v1',
    kind: 'Stack',
    metadata: { name: 'edge', namespace: 'infra', generation: 2, ...metadata },
    spec: {
      stack: 'acme/edge/prod',
      projectRepo: 'https://u:canary@git.example.org/acme/edge',
      branch: 'main',
      ...spec,
    },
    status,
  });
}

function condition(type: string, status: string, reason: string, message = 'm'): object {
  return { type, status, reason, message, observedGeneration: 2 };
}

const ready = condition('Ready', 'True', 'ProcessingCompleted');
const stalled = (reason: string): object[] => [
  condition('Ready', 'False', 'NotReadyStalled'),
  condition('Stalled', 'True', reason),
];
const reconciling = (reason: string): object[] => [
  condition('Ready', 'False', 'NotReadyInProgress'),
  condition('Reconciling', 'True', reason),
];

// Shapes: argo-cd resource_customizations/pulumi.com/Stack/testdata, pulumi-kubernetes-operator operator/api/pulumi/v1/stack_types.go.
describe('Pulumi Stack', () => {
  it.each<readonly [string, object[], string]>([
    ['processed', [ready], 'good'],
    ['being processed', reconciling('StackProcessing'), 'busy'],
    ['to be tried again after a failure', reconciling('RetryingAfterFailure'), 'bad apply'],
    ['a preview failed', reconciling('PreviewFailed'), 'bad apply'],
    ['a stack before it is not there yet', reconciling('PrerequisiteNotSatisfied'), 'bad dependency'],
    ['a spec that cannot be', stalled('SpecInvalid'), 'bad apply for good'],
    ['its source cannot be had', stalled('SourceUnavailable'), 'bad artifact for good'],
    ['somebody else is updating it', stalled('UpdateConflict'), 'bad apply for good'],
    ['given up after failures', stalled('UpdateFailed'), 'bad apply for good'],
    ['its workspace cannot be made', stalled('WorkspaceFailed'), 'bad apply for good'],
    ['not ready without a reason of its own', [condition('Ready', 'False', 'NotReadyInProgress')], 'bad apply'],
    ['nothing yet', [], 'nothing'],
  ])('%s', (_case, conditions, words) => {
    const { summary } = stack({ conditions });
    const end = summary.said === 'bad' && summary.terminal ? ' for good' : '';
    expect(summary.said === 'bad' ? `bad ${summary.fault}${end}` : summary.said).toBe(words);
  });

  it.each<readonly [string, object, string | null]>([
    ['a failed update is the last word', { state: 'failed', generation: 1 }, 'bad'],
    ['a good one of this spec too', { state: 'succeeded', generation: 2 }, 'good'],
    ['one of the former spec says nothing of this', { state: 'succeeded', generation: 1 }, null],
  ])('while it is being processed, %s', (_case, lastUpdate, said) => {
    const { summary } = stack({ conditions: reconciling('StackProcessing'), lastUpdate });
    expect(summary.said === 'busy' && (summary.before?.said ?? null)).toBe(said);
  });

  it.each<readonly [string, object | null]>([
    ['failed', { said: 'bad', fault: 'apply', reason: 'UpdateFailed', message: '', terminal: false }],
    ['succeeded', { said: 'good', reason: 'ProcessingCompleted', message: '' }],
  ])('what is told of an update that %s', (state, before) => {
    const conditions = reconciling('StackProcessing');
    const found = stack({ conditions, lastUpdate: { state, generation: 2 } });
    expect(found).toMatchObject({ summary: { before }, reconciling: true, observedGeneration: 2 });
  });

  it.each<readonly [object, object]>([
    [{ commit: 'abc' }, { url: 'https://git.example.org/acme/edge', reference: 'commit abc', floating: false }],
    [{ branch: undefined }, { url: 'https://git.example.org/acme/edge', reference: 'branch ', floating: true }],
    [{ branch: 'b' }, { url: 'https://git.example.org/acme/edge', reference: 'branch b', floating: true }],
  ])('with %j it points to %j', (spec, target) => {
    expect(stack({}, { commit: undefined, ...spec }).target).toEqual(target);
  });

  it('without a repository it points nowhere; it may run a folder of one', () => {
    expect(stack({}, { projectRepo: '' }).target).toBeNull();
    expect(stack({}, { repoDir: './edge/' })).toMatchObject({ path: 'edge', observedGeneration: null });
    expect(stack({}, {}).path).toBe('');
  });

  it.each<readonly [object, object[], object, object]>([
    [
      { refresh: false },
      [ready],
      {},
      { drift: 'not-measured', why: 'spec.refresh is off, so nobody looks at what is really there' },
    ],
    [
      { continueResyncOnCommitMatch: false },
      [ready],
      {},
      { drift: 'not-measured', why: 'spec.continueResyncOnCommitMatch is off, so it runs for new commits only' },
    ],
    [{}, reconciling('StackProcessing'), { state: 'succeeded', generation: 2 }, { drift: 'none' }],
    [
      {},
      reconciling('StackProcessing'),
      { state: 'failed' },
      { drift: 'not-measured', why: 'its last update did not end well' },
    ],
    [{}, [], {}, { drift: 'not-measured', why: 'its last update did not end well' }],
  ])('drift with %j, %j and %j is %j', (spec, conditions, update, drift) => {
    const whole = { refresh: true, continueResyncOnCommitMatch: true, ...spec };
    expect(stack({ conditions, lastUpdate: update }, whole).drift).toEqual(drift);
  });

  const lastUpdate = {
    state: 'succeeded',
    lastAttemptedCommit: 'bbb',
    lastSuccessfulCommit: 'aaa',
    lastResyncTime: '2026-11-21T08:00:00Z',
  };

  it('runs the commit that last succeeded; without resyncs it makes no pass between two commits', () => {
    expect(stack({ conditions: [ready], lastUpdate })).toMatchObject({
      revisions: { applied: 'aaa', attempted: 'bbb' },
      passes: { seenBy: 'none', last: null },
      cadence: { interval: null },
      target: { url: 'https://git.example.org/acme/edge', reference: 'branch main', floating: true },
      source: null,
      controller: 'pulumi-kubernetes-operator',
    });
  });

  it.each<readonly [string, object, number]>([
    ['a minute by default', {}, 60_000],
    ['and at least', { resyncFrequencySeconds: 5 }, 60_000],
    ['else what the spec says', { resyncFrequencySeconds: 3600 }, hour],
  ])('with resyncs its updates are passes: %s', (_case, spec, interval) => {
    expect(stack({ lastUpdate }, { continueResyncOnCommitMatch: true, ...spec })).toMatchObject({
      passes: { seenBy: 'history', last: Date.parse('2026-11-21T08:00:00Z') },
      cadence: { interval },
    });
  });

  it('from a Flux source it has digests, which no revision can be told from', () => {
    const fluxSource = {
      sourceRef: { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', name: 'control' },
      dir: './edge/',
    };
    const observation = stack({ lastUpdate }, { projectRepo: undefined, branch: undefined, fluxSource });
    expect(observation).toMatchObject({
      revisions: { incomparable: true },
      source: { group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', namespace: 'infra', name: 'control' },
      path: 'edge',
      target: null,
    });
    expect(stack({ lastUpdate }).revisions.incomparable).toBeUndefined();
  });

  it.each<readonly [object, object[], string]>([
    [{ refresh: true, continueResyncOnCommitMatch: true }, [ready], 'none'],
    [{ refresh: true, continueResyncOnCommitMatch: true }, stalled('UpdateFailed'), 'not-measured'],
    [{ refresh: true }, [ready], 'not-measured'],
    [{ continueResyncOnCommitMatch: true }, [ready], 'not-measured'],
    [{}, [ready], 'not-measured'],
  ])('drift under %j', (spec, conditions, drift) => {
    expect(stack({ conditions }, spec).drift.drift).toBe(drift);
  });

  it('depends on the stacks that must come before it', () => {
    expect(stack({}, { prerequisites: [{ name: 'vpc' }] }).dependsOn).toEqual([
      { cluster: 'test', group: 'pulumi.com', kind: 'Stack', namespace: 'infra', name: 'vpc' },
    ]);
  });

  it('what weakens it is listed', () => {
    const spec = { targets: ['urn:x'], destroyOnFinalize: true, envRefs: { A: { type: 'Secret' } } };
    expect(stack({}, spec).exemptions.map(({ kind, field }) => [kind, field])).toEqual([
      ['drift-detection-disabled', 'spec.continueResyncOnCommitMatch'],
      ['apply-restricted', 'spec.targets'],
      ['deletion-deletes', 'spec.destroyOnFinalize'],
      ['branch-reference', 'spec.branch'],
      ['external-substitution', 'spec.envRefs'],
    ]);
    const whole = { refresh: true, continueResyncOnCommitMatch: true, branch: undefined, commit: 'aaa' };
    expect(stack({}, whole).exemptions).toEqual([]);
    const rare = stack({}, { ...whole, resyncFrequencySeconds: 86_400 }).exemptions;
    expect(rare.map(({ kind, field }) => [kind, field])).toEqual([['rare-passes', 'spec.resyncFrequencySeconds']]);
  });

  it('configuration, secrets, environment and outputs are never read', () => {
    const secret = { type: 'Literal', literal: { value: 'canary' } };
    const observation = stack(
      { conditions: [ready], outputs: { password: 'canary' }, lastUpdate: { ...lastUpdate, permalink: 'canary' } },
      {
        config: { a: 'canary' },
        secrets: { b: 'canary' },
        secretsRef: { c: secret },
        envRefs: { D: secret },
        gitAuth: { accessToken: secret },
        workspaceTemplate: { spec: { env: [{ name: 'X', value: 'canary' }] } },
      },
    );
    expect(JSON.stringify(observation)).not.toContain('canary');
  });
});
