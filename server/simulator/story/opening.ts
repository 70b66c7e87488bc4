import { commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import { setCondition } from '../objects/condition.ts';
import type { Commit } from '../repository/control-repository.ts';
import { revisionOf } from '../repository/control-repository.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import { recordHistory } from '../objects/kustomization.ts';
import { hours, minutes } from './durations.ts';
import { buildFailure, denied, healthFailure, mailDrift, optOut, stateDeadController } from './faults.ts';
import type { Stage } from './stage.ts';

/** The clusters on which source- and kustomize-controller have been dead since before the story begins, and since when (ms). */
export function deadFromTheStart(now: number): Map<string, number> {
  return new Map([['stg-edge', now - minutes(21)]]);
}

/** The last commit whose subject begins with `start`, and the one before it. */
function commitCalled(stage: Stage, start: string): { readonly culprit: Commit; readonly good: Commit } | null {
  const commits = stage.fleet.repository.commits();
  const index = commits.findLastIndex((commit) => commit.subject.startsWith(start));
  const [good, culprit] = [commits[index - 1], commits[index]];
  return good && culprit ? { culprit, good } : null;
}

function say(
  object: Kustomization,
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  at: number,
): void {
  setCondition(object.status.conditions, { type, status, reason, message }, object.metadata.generation ?? 1, at);
}

/** Freezes what a Kustomization has applied at a commit, as at a time at which it still did. */
function frozenAt(object: Kustomization, commit: Commit, at: number): void {
  const revision = revisionOf(commit);
  object.status.lastAppliedRevision = revision;
  const newest = object.status.history?.[0];
  if (newest)
    object.status.history = [
      {
        ...newest,
        firstReconciled: kubeTime(commit.time + minutes(1)),
        lastReconciled: kubeTime(at),
        metadata: { revision },
      },
    ];
}

/** Faults that have been there for a while when the story begins. */
export function playOpening(stage: Stage): void {
  const now = stage.now();
  checkoutBuildFails(stage, now - minutes(47));
  mailDrifted(stage, now - hours(2) - minutes(4));
  searchIsBehind(stage, 'us-east-2', now - minutes(25));
  searchIsBehind(stage, 'us-east-1', now - minutes(25));
  monitoringIsUnhealthy(stage, now - minutes(33));
  policyIsSuspended(stage, now - hours(26));
  optOut(stage, now - hours(70));
  denied(stage, 'us-east-2', 'Instance/checkout-us-east-2', now - minutes(6));
  denied(stage, 'eu-central-1b', 'Role/checkout-eu-central-1b', now - minutes(6));
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
  const head = revisionOf(stage.fleet.repository.head());
  frozenAt(object, good, at - 20_000);
  object.status.lastAttemptedRevision = head;
  say(
    object,
    'Reconciling',
    'True',
    'ProgressingWithRetry',
    `Building manifests for revision ${head} with a timeout of ${object.spec.timeout}`,
    stage.now() - 9000,
  );
  say(object, 'Ready', 'False', 'BuildFailed', message, stage.now() - 9000);
  handle.outcomeOf = () => ({ is: 'build-failed', message });
  handle.write(stage.now() - 9000);
  stage.state('eu-west-3', 'checkout', 'diverged', { from: at, within: 0, culprit });
  const web = stage.kustomization('eu-west-3', 'web');
  if (!web) return;
  frozenAt(web.object, good, at - 15_000);
  web.object.status.lastAttemptedRevision = revisionOf(good);
  say(web.object, 'Ready', 'False', 'DependencyNotReady', "dependency 'flux-system/checkout' is not ready", at + 5000);
  web.write(at + 5000);
  stage.state('eu-west-3', 'web', 'waiting', { from: at, within: 0 });
}

function mailDrifted(stage: Stage, at: number): void {
  const release = stage.cluster('stg-us')?.releases.get('mail');
  if (!release) return;
  mailDrift(stage, 'stg-us', at);
  const message =
    'Cluster state of release mail/mail.v3 has drifted from the desired state:\nDeployment/mail/mail changed (0 additions, 1 changes, 0 removals)';
  setCondition(
    release.object.status.conditions,
    { type: 'Drifted', status: 'True', reason: 'DriftDetected', message },
    1,
    at,
  );
  stage.cluster('stg-us')?.cluster.store.put(release.object, commonKinds.helmRelease);
}

function searchIsBehind(stage: Stage, cluster: string, at: number): void {
  const handle = stage.kustomization(cluster, 'search');
  const found = commitCalled(stage, 'Promote search');
  if (!handle || !found) return;
  const { culprit, good } = found;
  const { object } = handle;
  const head = revisionOf(stage.fleet.repository.head());
  frozenAt(object, good, at - 12_000);
  object.status.lastAttemptedRevision = head;
  const message = `Running health checks for revision ${head} with a timeout of ${object.spec.timeout}`;
  say(object, 'Reconciling', 'True', 'Progressing', message, at + 3000);
  say(object, 'Ready', 'Unknown', 'Progressing', 'Reconciliation in progress', at + 3000);
  say(object, 'Healthy', 'Unknown', 'Progressing', message, at + 3000);
  handle.outcomeOf = () => ({ is: 'checking' });
  handle.write(at + 3000);
  stage.state(cluster, 'search', 'behind', {
    from: at,
    within: 0,
    alsoRight: ['progressing', 'unhealthy'],
    culprit,
  });
}

function monitoringIsUnhealthy(stage: Stage, at: number): void {
  const handle = stage.kustomization('ap-south-1', 'monitoring');
  const found = commitCalled(stage, 'Promote search');
  if (!handle || !found) return;
  const { object } = handle;
  const head = revisionOf(stage.fleet.repository.head());
  frozenAt(object, found.good, at - 30_000);
  object.status.lastAttemptedRevision = head;
  recordHistory(object, {
    digest: object.status.history?.[0]?.digest ?? '',
    status: 'HealthCheckFailed',
    revision: head,
    took: 30_013,
    at: stage.now() - 14_000,
  });
  const failed = stage.now() - 14_000;
  say(
    object,
    'Reconciling',
    'True',
    'ProgressingWithRetry',
    `Running health checks for revision ${head} with a timeout of ${object.spec.timeout}`,
    failed,
  );
  say(
    object,
    'Ready',
    'False',
    'HealthCheckFailed',
    `health check failed after 30.013032413s: ${healthFailure}`,
    failed,
  );
  say(object, 'Healthy', 'False', 'HealthCheckFailed', healthFailure, failed);
  handle.outcomeOf = () => ({ is: 'health-failed', message: healthFailure });
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
  const head = revisionOf(stage.fleet.repository.head());
  object.metadata.creationTimestamp = kubeTime(at);
  object.spec.timeout = '10m0s';
  object.status = { conditions: [], observedGeneration: -1, lastAttemptedRevision: head };
  say(
    object,
    'Reconciling',
    'True',
    'Progressing',
    `Running health checks for revision ${head} with a timeout of 10m0s`,
    at + 1000,
  );
  say(object, 'Ready', 'Unknown', 'Progressing', 'Reconciliation in progress', at + 1000);
  handle.outcomeOf = () => ({ is: 'checking' });
  handle.write(at + 1000);
  stage.state(cluster, name, 'progressing', { from: at, within: 0 });
}
