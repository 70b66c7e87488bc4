import { hour, minute } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import { progressing, say } from '../objects/condition.ts';
import type { Commit } from '../repository/control-repository.ts';
import { revisionOf } from '../repository/control-repository.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import { recordHistory } from '../objects/kustomization.ts';
import {
  buildFailure,
  checkoutBroken,
  denied,
  healthFailure,
  mailDrift,
  optOut,
  stateDeadController,
} from './faults.ts';
import type { Stage } from './stage.ts';

/** The clusters on which source- and kustomize-controller have been dead since before the story begins, and since when (ms). */
export function deadFromTheStart(now: number): Map<string, number> {
  return new Map([['stg-edge', now - 21 * minute]]);
}

/** The last commit whose subject begins with `start`, and the one before it. */
function commitCalled(stage: Stage, start: string): { readonly culprit: Commit; readonly good: Commit } | null {
  const commits = stage.fleet.repository.commits();
  const index = commits.findLastIndex((commit) => commit.subject.startsWith(start));
  const [good, culprit] = [commits[index - 1], commits[index]];
  return good && culprit ? { culprit, good } : null;
}

/** Message of a pass over what a Kustomization tries. */
function passing(object: Kustomization, what: string): string {
  return `${what} for revision ${object.status.lastAttemptedRevision} with a timeout of ${object.spec.timeout}`;
}

/** Freezes what a Kustomization has applied at a commit, as at a time at which it still did; what it tries now is `tried`. */
function frozenAt(object: Kustomization, commit: Commit, at: number, tried: Commit): void {
  const revision = revisionOf(commit);
  object.status.lastAppliedRevision = revision;
  object.status.lastAttemptedRevision = revisionOf(tried);
  const newest = object.status.history?.[0];
  const times = { firstReconciled: kubeTime(commit.time + minute), lastReconciled: kubeTime(at) };
  if (newest) object.status.history = [{ ...newest, ...times, metadata: { revision } }];
}

/** Faults that have been there for a while when the story begins. */
export function playOpening(stage: Stage): void {
  const now = stage.now();
  checkoutBuildFails(stage, now - 47 * minute);
  mailDrifted(stage, now - 124 * minute);
  searchIsBehind(stage, 'us-east-2', now - 25 * minute);
  searchIsBehind(stage, 'us-east-1', now - 25 * minute);
  monitoringIsUnhealthy(stage, now - 33 * minute);
  policyIsSuspended(stage, now - 26 * hour);
  optOut(stage, now - 70 * hour);
  denied(stage, 'us-east-2', 'Instance/checkout-us-east-2', now - 6 * minute);
  denied(stage, 'eu-central-1b', 'Role/checkout-eu-central-1b', now - 6 * minute);
  firstReconcile(stage, 'stg-eu', 'catalogue', now - 40_000);
  firstReconcile(stage, 'stg-ap', 'web', now - 25_000);
  for (const [name, since] of deadFromTheStart(now)) stateDeadController(stage, name, since, 0);
}

function checkoutBuildFails(stage: Stage, at: number): void {
  const handle = stage.kustomization('eu-west-3', 'checkout');
  const found = commitCalled(stage, 'checkout: split');
  if (!handle || !found) return;
  const { culprit, good } = found;
  const { object } = handle;
  const message = buildFailure(stage, 'eu-west-3');
  const failed = stage.now() - 9000;
  frozenAt(object, good, at - 20_000, stage.fleet.repository.head());
  say(object, failed, ['Reconciling', 'True', 'ProgressingWithRetry', passing(object, 'Building manifests')]);
  say(object, failed, ['Ready', 'False', 'BuildFailed', message]);
  handle.outcome = { is: 'build-failed', message };
  handle.write(failed);
  stage.state('eu-west-3', 'checkout', 'diverged', { from: at, within: 0, culprit });
  const web = stage.kustomization('eu-west-3', 'web');
  if (!web) return;
  frozenAt(web.object, good, at - 15_000, good);
  const unmet = "dependency 'flux-system/checkout' is not ready";
  say(web.object, at + 5000, ['Ready', 'False', 'DependencyNotReady', unmet]);
  web.write(at + 5000);
  stage.state('eu-west-3', 'web', 'waiting', { from: at, within: 0, cause: checkoutBroken });
}

function mailDrifted(stage: Stage, at: number): void {
  const release = stage.cluster('stg-us')?.releases.get('mail');
  if (!release) return;
  mailDrift(stage, 'stg-us', at);
  const message =
    'Cluster state of release mail/mail.v3 has drifted from the desired state:\nDeployment/mail/mail changed (0 additions, 1 changes, 0 removals)';
  say(release.object, at, ['Drifted', 'True', 'DriftDetected', message]);
  stage.cluster('stg-us')?.cluster.store.put(release.object, commonKinds.helmRelease);
}

function searchIsBehind(stage: Stage, cluster: string, at: number): void {
  const handle = stage.kustomization(cluster, 'search');
  const found = commitCalled(stage, 'Promote search');
  if (!handle || !found) return;
  const { culprit, good } = found;
  const { object } = handle;
  frozenAt(object, good, at - 12_000, stage.fleet.repository.head());
  const message = passing(object, 'Running health checks');
  say(object, at + 3000, ...progressing(message, 'Reconciliation in progress'));
  say(object, at + 3000, ['Healthy', 'Unknown', 'Progressing', message]);
  handle.outcome = { is: 'checking' };
  handle.write(at + 3000);
  const alsoRight = ['progressing', 'unhealthy'] as const;
  stage.state(cluster, 'search', 'behind', { from: at, within: 0, alsoRight, culprit });
}

function monitoringIsUnhealthy(stage: Stage, at: number): void {
  const handle = stage.kustomization('ap-south-1', 'monitoring');
  const found = commitCalled(stage, 'Promote search');
  if (!handle || !found) return;
  const { object } = handle;
  const head = stage.fleet.repository.head();
  const failed = stage.now() - 14_000;
  const reason = 'HealthCheckFailed';
  frozenAt(object, found.good, at - 30_000, head);
  const digest = object.status.history?.[0]?.digest ?? '';
  recordHistory(object, { digest, status: reason, revision: revisionOf(head), took: 30_013, at: failed });
  const message = `health check failed after 30.013032413s: ${healthFailure}`;
  say(object, failed, ['Reconciling', 'True', 'ProgressingWithRetry', passing(object, 'Running health checks')]);
  say(object, failed, ['Ready', 'False', reason, message], ['Healthy', 'False', reason, healthFailure]);
  handle.outcome = { is: 'health-failed', message: healthFailure };
  handle.write(failed);
  stage.state('ap-south-1', 'monitoring', 'unhealthy', { from: at, within: 0 });
}

function policyIsSuspended(stage: Stage, at: number): void {
  const handle = stage.kustomization('stg-eu', 'policy');
  if (!handle) return;
  const newest = handle.object.status.history?.[0];
  if (newest) newest.lastReconciled = kubeTime(at);
  handle.setSuspended(true, 'kubectl-edit', at);
  stage.state('stg-eu', 'policy', 'suspended', { from: at, within: 0 });
}

function firstReconcile(stage: Stage, cluster: string, name: string, at: number): void {
  const handle = stage.kustomization(cluster, name);
  if (!handle) return;
  const { object } = handle;
  const lastAttemptedRevision = revisionOf(stage.fleet.repository.head());
  object.metadata.creationTimestamp = kubeTime(at);
  object.spec.timeout = '10m0s';
  object.status = { conditions: [], observedGeneration: -1, lastAttemptedRevision };
  say(object, at + 1000, ...progressing(passing(object, 'Running health checks'), 'Reconciliation in progress'));
  handle.outcome = { is: 'checking' };
  handle.write(at + 1000);
  stage.state(cluster, name, 'progressing', { from: at, within: 0 });
}
