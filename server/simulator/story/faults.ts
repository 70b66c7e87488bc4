import { commonKinds } from '../api/kinds.ts';
import { awsKinds } from '../fleet/aws.ts';
import { componentPath, components } from '../fleet/plan.ts';
import { setCondition } from '../objects/condition.ts';
import { annotateByHand, clearByHand } from '../objects/managed-fields.ts';
import { seconds } from './durations.ts';
import type { Stage } from './stage.ts';

/** Message of kustomize about a file that is not there. */
export function buildFailure(stage: Stage, cluster: string, component = 'checkout', file = 'ingress-fr.yaml'): string {
  const plan = stage.cluster(cluster)?.plan;
  const directory = plan ? componentPath(plan, component) : component;
  const path = `/tmp/kustomization-3154795444/${directory}/${file}`;
  return `kustomize build failed: accumulating resources: accumulation err='accumulating resources from '${file}': open ${path}: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on '${path}' : lstat ${path}: no such file or directory`;
}

/** Message of a health check about a Deployment that does not come up. */
export const healthFailure = "timeout waiting for: [Deployment/monitoring/blackbox-exporter status: 'InProgress']";

const refusals = {
  Instance: [awsKinds.instance, 'rds:ModifyDBInstance'],
  Role: [awsKinds.role, 'iam:UpdateAssumeRolePolicy'],
} as const;

/** The cloud denies updates of a managed resource (`Instance/name` or `Role/name`) since `at` (ms). */
export function denied(stage: Stage, cluster: string, key: string, at: number): void {
  const one = stage.cluster(cluster);
  const handle = one?.managed.get(key);
  const [kindName, name] = key.split('/');
  if (!one || !handle || !name || (kindName !== 'Instance' && kindName !== 'Role')) return;
  const [kind, action] = refusals[kindName];
  const message = `update failed: async update failed: failed to update the resource: [{0 operation error ${action.split(':')[0]?.toUpperCase()}: api error AccessDenied: User: arn:aws:sts::123456789012:assumed-role/crossplane-provider/aws is not authorized to perform: ${action} on resource: ${name}}]`;
  handle.outcome = { is: 'refused', message, event: 'CannotUpdateExternalResource' };
  const { object } = handle;
  object.metadata.generation = (object.metadata.generation ?? 1) + 1;
  setCondition(
    object.status.conditions,
    { type: 'Synced', status: 'False', reason: 'ReconcileError', message },
    object.metadata.generation,
    at,
  );
  setCondition(
    object.status.conditions,
    {
      type: 'LastAsyncOperation',
      status: 'False',
      reason: 'AsyncUpdateFailure',
      message: message.replace('update failed: ', ''),
    },
    object.metadata.generation,
    at,
  );
  one.cluster.store.put(object, kind);
  handle.poll();
  stage.stateObject(cluster, kind, '', name, 'diverged', { from: at, within: at < stage.now() ? 0 : seconds(30) });
}

/** The cloud allows updates again. */
export function granted(stage: Stage, cluster: string, key: string): void {
  const one = stage.cluster(cluster);
  const handle = one?.managed.get(key);
  const [kindName, name] = key.split('/');
  if (!one || !handle || !name || (kindName !== 'Instance' && kindName !== 'Role')) return;
  handle.outcome = { is: 'ok' };
  const { conditions } = handle.object.status;
  const generation = handle.object.metadata.generation ?? 1;
  setCondition(conditions, { type: 'LastAsyncOperation', status: 'True', reason: 'Success' }, generation, stage.now());
  setCondition(conditions, { type: 'Ready', status: 'True', reason: 'Available' }, generation, stage.now());
  handle.poll();
  stage.stateObject(cluster, refusals[kindName][0], '', name, 'converged');
}

/** Someone changed the released Deployment of mail by hand; its HelmRelease only warns. */
export function mailDrift(stage: Stage, cluster: string, at: number): void {
  const release = stage.cluster(cluster)?.releases.get('mail');
  if (!release) return;
  release.outcome = { is: 'changed-by-hand', resource: 'Deployment/mail/mail' };
  const live = at >= stage.now();
  if (live) release.reconcile();
  stage.stateObject(cluster, commonKinds.helmRelease, 'mail', 'mail', 'drifted', {
    from: at,
    within: live ? seconds(30) : 0,
  });
}

/** The change was taken back by hand. */
export function mailMended(stage: Stage, cluster: string): void {
  const release = stage.cluster(cluster)?.releases.get('mail');
  if (!release) return;
  release.outcome = { is: 'ok' };
  release.reconcile();
  stage.stateObject(cluster, commonKinds.helmRelease, 'mail', 'mail', 'converged');
}

/** States what is true on a cluster whose source- and kustomize-controller died at `at` (ms). */
export function stateDeadController(stage: Stage, cluster: string, at: number, within: number): void {
  for (const component of components)
    stage.state(cluster, component.name, 'stale', { from: at, within, alsoRight: [] });
  for (const ref of stage.fleet.ledger.refs()) {
    if (ref.cluster !== cluster) continue;
    if (ref.group === commonKinds.gitRepository.group || ref.kind === 'HelmRelease')
      stage.fleet.ledger.state(ref, { verdict: 'stale', from: at, within });
  }
}

/** States that the cluster's Flux is well again, from now. */
export function stateRevived(stage: Stage, cluster: string, within: number): void {
  // What waits for another comes after it, also now.
  for (const component of components)
    stage.state(cluster, component.name, 'converged', { within, meanwhile: ['waiting', 'progressing'] });
  for (const ref of stage.fleet.ledger.refs()) {
    if (ref.cluster !== cluster) continue;
    if (ref.group !== commonKinds.gitRepository.group && ref.kind !== 'HelmRelease') continue;
    stage.fleet.ledger.state(ref, { verdict: 'converged', alsoRight: ['unconfirmed'], from: stage.now(), within });
  }
}

const optedOut = { cluster: 'us-west-2', release: 'external-dns', by: 'kubectl-annotate' } as const;
const optOutKey = 'kustomize.toolkit.fluxcd.io/reconcile';

/** Somebody opts a HelmRelease out on the live cluster, at `at` (ms): Flux leaves it as it is from then on. */
export function optOut(stage: Stage, at: number): void {
  const one = stage.cluster(optedOut.cluster);
  const release = one?.releases.get(optedOut.release);
  if (!one || !release) return;
  annotateByHand(release.object, optedOut.by, optOutKey, 'disabled', at);
  one.cluster.store.put(release.object, commonKinds.helmRelease);
  const { namespace = '', name } = release.object.metadata;
  stage.stateObject(optedOut.cluster, commonKinds.helmRelease, namespace, name, 'unconfirmed', { from: at });
}

/** The opt-out is taken back. */
export function optIn(stage: Stage): void {
  const one = stage.cluster(optedOut.cluster);
  const release = one?.releases.get(optedOut.release);
  if (!one || !release) return;
  clearByHand(release.object, optedOut.by, optOutKey);
  one.cluster.store.put(release.object, commonKinds.helmRelease);
  const { namespace = '', name } = release.object.metadata;
  stage.stateObject(optedOut.cluster, commonKinds.helmRelease, namespace, name, 'converged');
}
