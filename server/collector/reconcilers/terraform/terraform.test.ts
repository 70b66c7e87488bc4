import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { noCorrections, type CorrectionMemory } from '../correction-run.ts';
import { observed } from '../testing.ts';
import { undoneDrift } from './adapter.ts';

function terraform(conditions: object[], spec: object = {}, status: object = {}): Observation {
  return observed({
    apiVersion: 'infra.contrib.fluxcd.io/v1alpha2',
    kind: 'Terraform',
    metadata: { name: 'vpc', namespace: 'flux-system', generation: 1 },
    spec: {
      interval: '10m',
      approvePlan: 'auto',
      path: './vpc',
      sourceRef: { kind: 'GitRepository', name: 'g' },
      ...spec,
    },
    status: { conditions, ...status },
  });
}

function condition(type: string, status: string, reason: string, message = ''): object {
  return { type, status, reason, message, observedGeneration: 1 };
}

describe('Terraform', () => {
  it.each<readonly [string, object[], string, string]>([
    ['no drift', [condition('Ready', 'True', 'NoDrift')], 'good', 'none'],
    ['outputs written', [condition('Ready', 'True', 'TerraformOutputsWritten')], 'good', 'none'],
    [
      'Plan=True means changes, and is no word of its own',
      [condition('Ready', 'True', 'NoDrift'), condition('Plan', 'True', 'TerraformPlannedWithChanges')],
      'good',
      'none',
    ],
    ['drift', [condition('Ready', 'False', 'DriftDetected', 'plan')], 'good', 'found'],
    ['could not look for drift', [condition('Ready', 'False', 'DriftDetectionFailed')], 'bad observe', 'not-measured'],
    ['apply failed', [condition('Ready', 'False', 'TFExecApplyFailed')], 'bad apply', 'not-measured'],
    ['no artifact', [condition('Ready', 'False', 'ArtifactFailed')], 'bad artifact', 'not-measured'],
    ['unhealthy', [condition('Ready', 'False', 'HealthChecksFailed')], 'bad health', 'not-measured'],
    [
      'the state is locked (True is bad)',
      [condition('Ready', 'True', 'NoDrift'), condition('StateLocked', 'True', 'LockHeld')],
      'bad apply',
      'none',
    ],
    ['is about to be applied', [condition('Ready', 'Unknown', 'TerraformPlannedWithChanges')], 'busy', 'not-measured'],
    [
      'what it depends on is not ready',
      [condition('Ready', 'False', 'DependencyNotReady')],
      'bad dependency',
      'not-measured',
    ],
    [
      'others depend on it while it is deleted',
      [condition('Ready', 'False', 'DeletionBlockedByDependants')],
      'bad dependency',
      'not-measured',
    ],
    [
      'applied, outputs not written yet',
      [condition('Ready', 'Unknown', 'TerraformAppliedSucceed')],
      'busy',
      'not-measured',
    ],
    [
      'a webhook refuses the plan',
      [condition('Ready', 'False', 'PostPlanningWebhookFailed')],
      'bad apply',
      'not-measured',
    ],
    [
      'given up',
      [condition('Ready', 'False', 'TFExecApplyFailed'), condition('Stalled', 'True', 'RetryLimitReached')],
      'bad apply for good',
      'not-measured',
    ],
    ['nothing yet', [], 'nothing', 'not-measured'],
  ])('%s', (_case, conditions, words, drift) => {
    const { summary, drift: found } = terraform(conditions);
    const end = summary.said === 'bad' && summary.terminal ? ' for good' : '';
    expect(summary.said === 'bad' ? `bad ${summary.fault}${end}` : summary.said).toBe(words);
    expect(found.drift).toBe(drift);
  });

  it.each<readonly [string, object, object, string]>([
    ['a pending drift plan is drift', {}, { plan: { pending: 'plan-1', isDriftDetectionPlan: true } }, 'found'],
    ['a pending plan hides drift', {}, { plan: { pending: 'plan-1' } }, 'not-measured'],
    ['switched off', { disableDriftDetection: true }, {}, 'not-measured'],
    ['to be destroyed', { destroy: true }, {}, 'not-measured'],
    [
      'lastDriftDetectedAt is never cleared and proves nothing',
      {},
      { lastDriftDetectedAt: '2026-11-21T08:00:00Z' },
      'none',
    ],
  ])('%s', (_case, spec, status, drift) => {
    expect(terraform([condition('Ready', 'True', 'NoDrift')], spec, status).drift.drift).toBe(drift);
  });

  const planned = [condition('Ready', 'Unknown', 'TerraformPlannedWithChanges', 'the plan')];
  const pending = { plan: { pending: 'plan-main-b8e362c206' } };

  // tofu-controller docs/use-tf-controller (plan and manually apply, plan only, drift detection); tf_controller_apply.go shouldApply.
  it.each<readonly [string, object, object, string, string]>([
    ['by hand it waits for an approval', { approvePlan: '' }, pending, 'bad approval', 'not-measured'],
    [
      'approved by name it is about to be applied',
      { approvePlan: 'plan-main-b8e362c206' },
      pending,
      'busy',
      'not-measured',
    ],
    ['approved by the beginning of its name too', { approvePlan: 'plan-main-b8e3' }, pending, 'busy', 'not-measured'],
    [
      'an approval of the former plan approves nothing',
      { approvePlan: 'plan-main-0000' },
      pending,
      'bad approval',
      'not-measured',
    ],
    ['forced it is applied', { approvePlan: '', force: true }, pending, 'busy', 'not-measured'],
    ['planned only, the difference is left', { planOnly: true }, pending, 'good', 'found'],
    [
      'a drift plan that nobody has approved is drift',
      { approvePlan: '' },
      { plan: { ...pending.plan, isDriftDetectionPlan: true } },
      'good',
      'found',
    ],
  ])('a plan with changes: %s', (_case, spec, status, words, drift) => {
    const { summary, drift: found } = terraform(planned, spec, status);
    expect(summary.said === 'bad' ? `bad ${summary.fault}` : summary.said).toBe(words);
    expect(found.drift).toBe(drift);
  });

  it.each<readonly [string, string, boolean]>([
    ['auto: it is being undone', 'auto', false],
    ['by hand: it is left', '', true],
    ['disable: it is only looked for', 'disable', true],
  ])('drift under approvePlan %s', (_case, approvePlan, left) => {
    expect(terraform([condition('Ready', 'False', 'DriftDetected', 'plan')], { approvePlan }).drift).toMatchObject({
      drift: 'found',
      left,
    });
  });

  it('drift that was applied by itself is a correction, with a new commit in between only probably', () => {
    const at = Date.parse('2026-11-21T08:00:00Z');
    const drifted = terraform([condition('Ready', 'False', 'DriftDetected', 'p')], {}, { lastAttemptedRevision: 'a' });
    const well = terraform([condition('Ready', 'True', 'NoDrift')], {}, { lastAttemptedRevision: 'a' });
    const newer = terraform([condition('Ready', 'True', 'NoDrift')], {}, { lastAttemptedRevision: 'b' });
    const play = (...all: readonly Observation[]): readonly (string | undefined)[] => {
      let memory: CorrectionMemory = noCorrections;
      return all.map((observation, index) => {
        const step = undoneDrift(memory, observation, at + index * 15_000);
        memory = step.memory;
        return step.correction ? `${step.correction.count} ${step.correction.certainty}` : undefined;
      });
    };
    expect(play(well, drifted, drifted, well, well)).toEqual([
      undefined,
      undefined,
      undefined,
      '1 confirmed',
      undefined,
    ]);
    const open = undoneDrift(null, drifted, at).memory;
    expect(open.claims).toEqual([
      {
        at,
        said: 'what it had found to differ was undone',
        count: 1,
        revision: 'a',
        generation: 1,
        passKnown: null,
      },
    ]);
    expect(undoneDrift(open, well, at).correction?.said).toBe('what it had found to differ was undone');
    expect(play(drifted, newer)).toEqual([undefined, '1 probable']);
    const left = terraform([condition('Ready', 'False', 'DriftDetected', 'p')], { approvePlan: '' });
    expect(play(left, well)).toEqual([undefined, undefined]);
  });

  it.each<readonly [string, object, object, object]>([
    [
      'what is planned only is left',
      { planOnly: true },
      pending,
      { drift: 'found', message: 'What it plans is not applied, by its spec; the plan is not kept here.', left: true },
    ],
    [
      'so is what approvePlan holds back',
      { approvePlan: 'disable' },
      pending,
      { drift: 'found', message: 'What it plans is not applied, by its spec; the plan is not kept here.', left: true },
    ],
    [
      'a drift plan tells of drift',
      {},
      { plan: { ...pending.plan, isDriftDetectionPlan: true } },
      { drift: 'found', message: 'The plan to undo it is not kept here.', left: false },
    ],
    ['one that is pending no more tells of none', {}, { plan: { isDriftDetectionPlan: true } }, { drift: 'none' }],
    [
      'a plan hides drift',
      { approvePlan: '' },
      pending,
      { drift: 'not-measured', why: 'a plan waits for approval, drift is not looked for meanwhile' },
    ],
    ['to be destroyed', { destroy: true }, {}, { drift: 'not-measured', why: 'spec.destroy is set' }],
    [
      'switched off',
      { disableDriftDetection: true },
      {},
      { drift: 'not-measured', why: 'spec.disableDriftDetection is set' },
    ],
  ])('its drift: %s', (_case, spec, status, drift) => {
    expect(terraform([condition('Ready', 'True', 'NoDrift')], spec, status).drift).toEqual(drift);
  });

  it.each<readonly [string, object, true | undefined]>([
    ['it was', { lastAppliedRevision: 'a', lastAttemptedRevision: 'a' }, true],
    [
      'not known where a newer one could not be applied',
      { lastAppliedRevision: 'a', lastAttemptedRevision: 'b' },
      undefined,
    ],
    ['not known where nothing was', { lastAttemptedRevision: 'b' }, undefined],
    ['not known where no revision is told', {}, undefined],
  ])('drift that came later than what was applied: %s', (_case, status, later) => {
    const { drift } = terraform([condition('Ready', 'False', 'DriftDetected', 'p')], {}, status);
    expect(drift).toEqual({
      drift: 'found',
      message: 'The plan to undo it is not kept here.',
      left: false,
      ...(later && { later }),
    });
  });

  it('a plan that is left in place may be of a newer revision: it is not known to have come later', () => {
    const revisions = { lastAppliedRevision: 'a', lastAttemptedRevision: 'a' };
    const { drift } = terraform(
      [condition('Ready', 'True', 'NoDrift')],
      { planOnly: true },
      { ...pending, ...revisions },
    );
    expect(drift).not.toHaveProperty('later');
  });

  it.each([
    ['Plan', 'X', 'p', 'plan-1', 'The plan plan-1 is not kept here: it may hold anything.'],
    ['Plan', 'X', 'p', '', 'The plan is not kept here: it may hold anything.'],
    ['Plan', 'X', 'p', 'x'.repeat(100), `The plan ${'x'.repeat(100)} is not kept here: it may hold anything.`],
    ['Plan', 'X', 'p', 'x'.repeat(101), 'The plan is not kept here: it may hold anything.'],
    ['Plan', 'X', '', 'plan-1', ''],
    ['Ready', 'NoDrift', 'm', 'plan-1', 'm'],
    ['Ready', 'DriftDetected', 'p', 'plan-1', 'The plan plan-1 is not kept here: it may hold anything.'],
    ['Ready', 'TerraformPlannedWithChanges', 'p', '', 'The plan is not kept here: it may hold anything.'],
  ])('of %s %s %j with the plan %j is kept: %s', (type, reason, message, name, kept) => {
    const { conditions } = terraform([condition(type, 'True', reason, message)], {}, { plan: { pending: name } });
    expect(conditions.map((each) => each.message)).toEqual([kept]);
  });

  it('the raw plan is never kept', () => {
    const plan = '  + password = "canary"\n  + plain = "canary"';
    const conditions = [
      condition('Ready', 'False', 'DriftDetected', plan),
      condition('Plan', 'True', 'X', plan),
      condition('Ready', 'Unknown', 'TerraformPlannedWithChanges', plan),
    ];
    for (const spec of [{}, { approvePlan: '' }, { planOnly: true }])
      for (const status of [{}, pending, { plan: { pending: plan, isDriftDetectionPlan: true } }])
        expect(JSON.stringify(terraform(conditions, spec, status))).not.toContain('canary');
  });

  it('names its revisions; only what every pass stamps dates its passes', () => {
    const status = {
      lastPlanAt: '2026-11-21T08:00:00Z',
      lastAppliedRevision: 'a',
      lastAttemptedRevision: 'b',
    };
    expect(terraform([], {}, status)).toMatchObject({
      passes: { seenBy: 'writes', last: null },
      revisions: { applied: 'a', attempted: 'b' },
      path: 'vpc',
      source: { group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', namespace: 'flux-system', name: 'g' },
    });
    expect(terraform([], {}, { lastSuccessfulReconcileAt: '2026-11-21T07:00:00Z' }).passes.last).toBe(
      Date.parse('2026-11-21T07:00:00Z'),
    );
  });

  it.each([
    ['a plan that finds nothing to change has its revision in effect', 'False', 'TerraformPlannedNoChanges', 'b'],
    ['one that finds something has not', 'True', 'TerraformPlannedWithChanges', 'a'],
    ['nor one that was refused', 'False', 'PostPlanningWebhookFailed', 'a'],
  ] as const)('%s', (_case, status, reason, applied) => {
    const conditions = [condition('Plan', status, reason, ''), condition('Ready', 'Unknown', 'Progressing', '')];
    const revisions = { lastAppliedRevision: 'a', lastPlannedRevision: 'b', lastAttemptedRevision: 'b' };
    expect(terraform(conditions, {}, revisions).revisions.applied).toBe(applied);
  });

  it.each<readonly [string, object, number]>([
    ['15 s unless the spec says otherwise', {}, 15_000],
    ['what the spec says', { retryInterval: '1m' }, 60_000],
    ['a day at most where it grows', { retryStrategy: 'ExponentialBackoff', retryInterval: '1m' }, day],
    ['or its own bound', { retryStrategy: 'ExponentialBackoff', maxRetryInterval: '1h' }, hour],
  ])('its retry interval is %s', (_case, spec, ms) => {
    expect(terraform([], spec).cadence.retryInterval).toBe(ms);
  });

  it('with broken glass its loop stands still', () => {
    const fieldsV1 = { 'f:spec': { 'f:breakTheGlass': {} } };
    const object = {
      apiVersion: 'infra.contrib.fluxcd.io/v1alpha2',
      kind: 'Terraform',
      metadata: { name: 'vpc', managedFields: [{ manager: 'kubectl-edit', fieldsV1 }] },
      spec: { breakTheGlass: true },
      status: { conditions: [condition('Ready', 'Unknown', 'Progressing')] },
    };
    expect(observed(object)).toMatchObject({
      suspended: { field: 'spec.breakTheGlass', by: 'kubectl-edit', at: null },
      reconciling: false,
      observedGeneration: 1,
    });
    expect(observed({ ...object, spec: {} })).toMatchObject({ suspended: null, reconciling: true });
    expect(terraform([], {}, { observedGeneration: 7 }).observedGeneration).toBe(7);
  });
});
