import { label, type StateMetric } from '#lib/domain/alarm/state-metric.ts';

const isRead = label('skip_reconcile', '!=', 'true');

/**
 * Applications of Argo CD, of whatever namespace. Its own argocd_app_info comes from the application-controller, and is gone where that is dead.
 * Source: argo-cd pkg/apis/application/v1alpha1/types.go.
 */
export const argocdMetric: StateMetric = {
  prefix: 'argocd',
  name: 'resource_info',
  labelsOf: () => ({
    sync_status: ['status', 'sync', 'status'],
    health_status: ['status', 'health', 'status'],
    skip_reconcile: ['metadata', 'annotations', 'argocd.argoproj.io/skip-reconcile'],
    revision: ['status', 'sync', 'revision'],
  }),
  conditionsOf: () => ['sync_status', 'health_status'],
  alerts: [
    {
      alert: 'ArgoCDApplicationOutOfSync',
      when: [[label('sync_status', '!=', 'Synced'), isRead]],
      severity: 'critical',
      says: 'is not synced',
      means: 'What is in git is not what runs, or Argo CD cannot compare them.',
    },
    {
      alert: 'ArgoCDApplicationUnhealthy',
      // Suspended is a health that somebody chose, as a paused rollout.
      when: [[label('health_status', '!~', 'Healthy|Suspended'), isRead]],
      severity: 'critical',
      says: 'is not healthy',
      means: 'What was applied does not work, or nobody knows whether it does.',
    },
    {
      alert: 'ArgoCDApplicationSkipped',
      when: [[label('skip_reconcile', '=', 'true')]],
      severity: 'warning',
      says: 'is not reconciled (skip-reconcile)',
      means: 'Changes in git do not arrive, and drift is not undone.',
    },
  ],
};
