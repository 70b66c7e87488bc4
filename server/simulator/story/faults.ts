import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { second } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { awsKinds } from '../fleet/aws.ts';
import { componentPath, components } from '../fleet/plan.ts';
import { say } from '../objects/condition.ts';
import { annotateByHand, clearByHand } from '../objects/managed-fields.ts';
import type { TrueCause, TrueSummary } from '../truth.ts';
import type { Stage, Timing } from './stage.ts';

/** Message of kustomize about a file that is not there. */
export function buildFailure(stage: Stage, cluster: string, component = 'checkout', file = 'ingress-fr.yaml'): string {
  const plan = stage.cluster(cluster)?.plan;
  const directory = plan ? componentPath(plan, component) : component;
  const path = `/tmp/kustomization-3154795444/${directory}/${file}`;
  return `kustomize build failed: accumulating resources: accumulation err='accumulating resources from '${file}': open ${path}: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on '${path}' : lstat ${path}: no such file or directory`;
}

/** Cause for which web on eu-west-3 waits. */
export const checkoutBroken: TrueCause = {
  type: 'object',
  kind: 'Kustomization',
  name: 'checkout',
  cluster: 'eu-west-3',
};

/** Message of a health check about a Deployment that does not come up. */
export const healthFailure = "timeout waiting for: [Deployment/monitoring/blackbox-exporter status: 'InProgress']";

const refusals = {
  Instance: [awsKinds.instance, 'rds:ModifyDBInstance'],
  Role: [awsKinds.role, 'iam:UpdateAssumeRolePolicy'],
} as const;

/** The managed resource called `Instance/name` or `Role/name`, and the action that the cloud denies; null where there is none. */
function deniable(stage: Stage, cluster: string, key: string) {
  const one = stage.cluster(cluster);
  const handle = one?.managed.get(key);
  const [kindName, name] = key.split('/');
  if (!one || !handle || !name || (kindName !== 'Instance' && kindName !== 'Role')) return null;
  const [kind, action] = refusals[kindName];
  return { store: one.cluster.store, handle, object: handle.object, name, kind, action };
}

/** The cloud denies updates of a managed resource (`Instance/name` or `Role/name`) since `at` (ms). */
export function denied(stage: Stage, cluster: string, key: string, at: number): void {
  const found = deniable(stage, cluster, key);
  if (!found) return;
  const { store, handle, object, name, kind, action } = found;
  const failed = `async update failed: failed to update the resource: [{0 operation error ${action.split(':')[0]?.toUpperCase()}: api error AccessDenied: User: arn:aws:sts::123456789012:assumed-role/crossplane-provider/aws is not authorized to perform: ${action} on resource: ${name}}]`;
  const message = `update failed: ${failed}`;
  handle.outcome = { is: 'refused', message, event: 'CannotUpdateExternalResource' };
  object.metadata.generation = (object.metadata.generation ?? 1) + 1;
  say(object, at, ['Synced', 'False', 'ReconcileError', message]);
  say(object, at, ['LastAsyncOperation', 'False', 'AsyncUpdateFailure', failed]);
  store.put(object, kind);
  handle.poll();
  stage.stateObject(cluster, kind, '', name, 'diverged', { from: at, within: at < stage.now() ? 0 : 30 * second });
}

/** The cloud allows updates again. */
export function granted(stage: Stage, cluster: string, key: string): void {
  const found = deniable(stage, cluster, key);
  if (!found) return;
  found.handle.outcome = { is: 'ok' };
  say(found.object, stage.now(), ['LastAsyncOperation', 'True', 'Success'], ['Ready', 'True', 'Available']);
  found.handle.poll();
  stage.stateObject(cluster, found.kind, '', found.name, 'converged');
}

/** Someone changed the released Deployment of mail by hand; its HelmRelease only warns. */
export function mailDrift(stage: Stage, cluster: string, at: number): void {
  const release = stage.cluster(cluster)?.releases.get('mail');
  if (!release) return;
  release.outcome = { is: 'changed-by-hand', resource: 'Deployment/mail/mail' };
  const live = at >= stage.now();
  if (live) release.reconcile();
  const timing = { from: at, within: live ? 30 * second : 0 };
  stage.stateObject(cluster, commonKinds.helmRelease, 'mail', 'mail', 'drifted', timing);
}

/** The change was taken back by hand. */
export function mailMended(stage: Stage, cluster: string): void {
  const release = stage.cluster(cluster)?.releases.get('mail');
  if (!release) return;
  release.outcome = { is: 'ok' };
  release.reconcile();
  stage.stateObject(cluster, commonKinds.helmRelease, 'mail', 'mail', 'converged');
}

/** Sources and releases of a cluster: what its source-controller feeds. */
function fed(stage: Stage, cluster: string): readonly ObjectRef[] {
  const { group } = commonKinds.gitRepository;
  return stage.fleet.ledger
    .refs()
    .filter((ref) => ref.cluster === cluster && (ref.group === group || ref.kind === 'HelmRelease'));
}

/** States what is true on a cluster whose source- and kustomize-controller died at `at` (ms). */
export function stateDeadController(stage: Stage, cluster: string, at: number, within: number): void {
  const dead = (name: string): TrueCause => ({ type: 'controller', kind: '', name, cluster });
  const cause = dead('source-controller');
  const timing = { from: at, within, alsoRight: [], cause: dead('kustomize-controller'), alsoBy: cause };
  for (const { name } of components) stage.state(cluster, name, 'stale', timing);
  for (const ref of fed(stage, cluster)) stage.fleet.ledger.state(ref, { verdict: 'stale', from: at, within, cause });
}

/** States that the cluster's Flux is well again, from now. */
export function stateRevived(stage: Stage, cluster: string, within: number): void {
  // What waits for another comes after it, also now.
  const meanwhile = ['waiting', 'progressing'] as const;
  for (const { name } of components) stage.state(cluster, name, 'converged', { within, meanwhile });
  for (const ref of fed(stage, cluster))
    stage.fleet.ledger.state(ref, { verdict: 'converged', alsoRight: ['unconfirmed'], from: stage.now(), within });
}

const optedOut = { cluster: 'us-west-2', release: 'external-dns', by: 'kubectl-annotate' } as const;
const optOutKey = 'kustomize.toolkit.fluxcd.io/reconcile';

/** Somebody changes the annotations of a HelmRelease on the live cluster, and what is true of it changes. */
function annotate(stage: Stage, change: (object: KubeObject) => void, verdict: TrueSummary, timing: Timing = {}): void {
  const one = stage.cluster(optedOut.cluster);
  const release = one?.releases.get(optedOut.release);
  if (!one || !release) return;
  change(release.object);
  one.cluster.store.put(release.object, commonKinds.helmRelease);
  const { namespace = '', name } = release.object.metadata;
  stage.stateObject(optedOut.cluster, commonKinds.helmRelease, namespace, name, verdict, timing);
}

/** Somebody opts a HelmRelease out on the live cluster, at `at` (ms): Flux leaves it as it is from then on. */
export function optOut(stage: Stage, at: number): void {
  const change = (object: KubeObject): void => annotateByHand(object, optedOut.by, optOutKey, 'disabled', at);
  annotate(stage, change, 'unconfirmed', { from: at });
}

/** The opt-out is taken back. */
export function optIn(stage: Stage): void {
  annotate(stage, (object) => clearByHand(object, optedOut.by, optOutKey), 'converged');
}
