import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation.ts';
import { observed } from '../testing.ts';

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
    ['waits for approval', [condition('Ready', 'Unknown', 'TerraformPlannedWithChanges')], 'busy', 'not-measured'],
    ['nothing yet', [], 'nothing', 'not-measured'],
  ])('%s', (_case, conditions, words, drift) => {
    const { word, drift: found } = terraform(conditions);
    expect(word.said === 'bad' ? `bad ${word.fault}` : word.said).toBe(words);
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

  it('the raw plan is never kept', () => {
    const plan = '  + password = "canary"\n  + plain = "canary"';
    const conditions = [
      condition('Ready', 'False', 'DriftDetected', plan),
      condition('Plan', 'True', 'X', plan),
      condition('Ready', 'Unknown', 'TerraformPlannedWithChanges', plan),
    ];
    expect(JSON.stringify(terraform(conditions))).not.toContain('canary');
  });

  it('dates its passes and names its revisions', () => {
    const status = {
      lastPlanAt: '2026-11-21T08:00:00Z',
      lastSuccessfulReconcileAt: '2026-11-21T07:00:00Z',
      lastAppliedRevision: 'a',
      lastAttemptedRevision: 'b',
    };
    expect(terraform([], {}, status)).toMatchObject({
      passes: { last: Date.parse('2026-11-21T08:00:00Z') },
      revisions: { applied: 'a', attempted: 'b' },
      path: 'vpc',
    });
  });
});
