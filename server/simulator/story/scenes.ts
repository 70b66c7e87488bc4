import { second } from '#lib/domain/time/length.ts';
import type { Outcome } from '../controllers/kustomization-item.ts';
import { crossplaneKinds } from '../fleet/crossplane-objects.ts';
import { componentOf } from '../fleet/plan.ts';
import { authors, rollout } from '../repository/past.ts';
import type { Draft } from '../repository/control-repository.ts';
import {
  buildFailure,
  checkoutBroken,
  denied,
  granted,
  healthFailure,
  stateDeadController,
  stateRevived,
} from './faults.ts';
import type { Stage } from './stage.ts';

const searchClusters = ['us-east-2', 'us-east-1'] as const;
const [ines, tomasz, priya] = authors;

/** A commit to one component's overlay on some clusters. */
function change(
  stage: Stage,
  component: string,
  clusters: readonly string[],
  subject: string,
  author: Draft['author'],
  more: readonly string[] = [],
): Draft {
  const one = componentOf(component);
  const plans = clusters.flatMap((name) => stage.cluster(name)?.plan ?? []);
  return rollout(one, stage.fleet.versions.raise(one), plans, subject, author, stage.now(), more);
}

/** Lets the passes of a Kustomization end in another way, the next one at once; false where there is none. */
function passes(stage: Stage, cluster: string, name: string, outcome: Outcome): boolean {
  const handle = stage.kustomization(cluster, name);
  if (!handle) return false;
  handle.outcome = outcome;
  handle.reconcile();
  return true;
}

/** Whatever was wrong with a Kustomization is over. */
export function mend(stage: Stage, cluster: string, name: string): void {
  if (passes(stage, cluster, name, { is: 'ok' })) stage.state(cluster, name, 'converged');
}

/** Ends the first reconciliation of a Kustomization that was new when the story began. */
export function finishFirst(stage: Stage, cluster: string, name: string): void {
  if (!stage.kustomization(cluster, name)?.object.status.history) mend(stage, cluster, name);
}

/** An overlay that names a file which is not there. */
export function breakCheckout(stage: Stage): void {
  const handle = stage.kustomization('eu-west-3', 'checkout');
  if (!handle) return;
  handle.outcome = { is: 'build-failed', message: buildFailure(stage, 'eu-west-3') };
  const subject = 'checkout $: split the ingress of eu-west-3 by country';
  const culprit = stage.push(change(stage, 'checkout', ['eu-west-3'], subject, ines, ['ingress-fr.yaml']));
  // It comes after three others, and the next commit may begin its wait anew.
  stage.state('eu-west-3', 'checkout', 'diverged', { alsoRight: [], culprit, within: 90 * second });
  stage.state('eu-west-3', 'web', 'waiting', { alsoRight: [], within: 90 * second, cause: checkoutBroken });
}

export function fixCheckout(stage: Stage): void {
  const handle = stage.kustomization('eu-west-3', 'checkout');
  if (!handle) return;
  handle.outcome = { is: 'ok' };
  const subject = 'Revert "checkout: split the ingress of eu-west-3 by country"';
  stage.push(change(stage, 'checkout', ['eu-west-3'], subject, ines));
  stage.state('eu-west-3', 'checkout', 'converged');
  // It comes after checkout, and the next commit may begin its wait anew.
  stage.state('eu-west-3', 'web', 'converged', { within: 150 * second });
}

/** A rollout whose new pods take minutes to be ready: the health checks run on, and what is applied stays the old revision. */
export function slowSearch(stage: Stage): void {
  const draft = change(stage, 'search', searchClusters, 'search $: warm the index before ready', tomasz);
  const culprit = stage.push(draft);
  for (const name of searchClusters) {
    const handle = stage.kustomization(name, 'search');
    if (handle) handle.outcome = { is: 'checking' };
    // Behind only once the grace (behindAfter, two minutes in the demo) is over.
    stage.state(name, 'search', 'behind', { within: 180 * second, alsoRight: ['progressing', 'unhealthy'], culprit });
  }
}

export function breakMonitoring(stage: Stage): void {
  if (passes(stage, 'ap-south-1', 'monitoring', { is: 'health-failed', message: healthFailure }))
    stage.state('ap-south-1', 'monitoring', 'unhealthy', { alsoRight: [] });
}

/** Somebody suspends a Kustomization by hand. */
export function suspend(stage: Stage, cluster: string, name: string, manager: string): void {
  stage.kustomization(cluster, name)?.setSuspended(true, manager);
  stage.state(cluster, name, 'suspended', { alsoRight: [] });
}

/** Somebody resumes it. */
export function resume(stage: Stage, cluster: string, name: string, manager: string): void {
  stage.kustomization(cluster, name)?.setSuspended(false, manager);
  stage.state(cluster, name, 'converged');
}

/** Nothing comes of it: what breaks there soon after breaks elsewhere too. */
export function upgradeStgUs(stage: Stage): void {
  stage.cluster('stg-us')?.pods.upgrade('kustomize-controller');
}

/** Known with the next look at their Deployments: their leases do not move either. */
export function killStgEdge(stage: Stage): void {
  stage.setFluxAlive('stg-edge', false);
  stateDeadController(stage, 'stg-edge', stage.now(), 90 * second);
}

export function reviveStgEdge(stage: Stage): void {
  stage.setFluxAlive('stg-edge', true);
  stateRevived(stage, 'stg-edge', 120 * second);
}

export function denyAccess(stage: Stage): void {
  denied(stage, 'us-east-2', 'Instance/checkout-us-east-2', stage.now());
  denied(stage, 'eu-central-1b', 'Role/checkout-eu-central-1b', stage.now());
}

export function grantAccess(stage: Stage): void {
  granted(stage, 'us-east-2', 'Instance/checkout-us-east-2');
  granted(stage, 'eu-central-1b', 'Role/checkout-eu-central-1b');
}

/** The next pass says "configured" at the revision that is applied already. */
export function correctDrift(stage: Stage): void {
  const handle = stage.kustomization('us-west-2', 'accounts');
  handle?.drift('Deployment/accounts/accounts-api');
  handle?.reconcile();
}

export function changeBucket(stage: Stage): void {
  const handle = stage.cluster('us-west-2')?.managed.get('Bucket/media-us-west-2');
  handle?.changeOutside();
  handle?.poll();
}

export function loseApNortheast(stage: Stage): void {
  const one = stage.cluster('ap-northeast-1');
  if (!one) return;
  stage.fleet.ledger.lose('ap-northeast-1', stage.now(), 45 * second);
  void one.cluster.server.gate.setReach('refused');
}

export function regainApNortheast(stage: Stage): void {
  const one = stage.cluster('ap-northeast-1');
  if (!one) return;
  stage.fleet.ledger.regain('ap-northeast-1', stage.now(), 120 * second);
  void one.cluster.server.gate.setReach('open');
}

export function promoteCatalogue(stage: Stage): void {
  const production = stage.clusters('production').map(({ plan }) => plan.name);
  stage.push(change(stage, 'catalogue', production, 'Promote catalogue $ to production', priya));
}

/** The providers of a cluster lose their credentials, or get them back: one cause beneath every managed resource. */
export function setCredentials(stage: Stage, cluster: string, good: boolean): void {
  const one = stage.cluster(cluster);
  if (!one) return;
  const message =
    'connect failed: cannot get terraform setup: failed to retrieve AWS credentials: operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 400, ExpiredTokenException: Token expired: current date/time must be before the expiration date/time';
  for (const handle of one.managed.values()) {
    handle.outcome = good ? { is: 'ok' } : { is: 'refused', message, event: 'CannotConnectToProvider' };
    stage.scheduler.after(stage.random.between(0, 8000), () => handle.poll());
  }
  const { ledger } = stage.fleet;
  const when = { from: stage.now(), within: 60 * second };
  for (const ref of ledger.refs()) {
    const managed = ref.group.endsWith('.upbound.io');
    if (ref.cluster !== cluster || !(managed || crossplaneKinds.some(({ kind }) => kind === ref.kind))) continue;
    // Namespaced resources have another configuration of their provider.
    const kind = ref.namespace === '' || ref.kind === 'Database' ? 'ProviderConfig' : 'ClusterProviderConfig';
    const alsoRight = managed ? [] : (['unconfirmed', 'unhealthy', 'diverged'] as const);
    ledger.state(
      ref,
      good
        ? { ...when, verdict: 'converged', alsoRight: ['unconfirmed'] }
        : { ...when, verdict: 'stale', alsoRight, cause: { type: 'shared-error', kind, name: 'aws', cluster } },
    );
  }
}

const accountsBroken = { type: 'object', kind: 'Kustomization', name: 'accounts', cluster: null } as const;
const accountsClusters = ['stg-us', 'stg-eu', 'stg-ap'] as const;

export function breakAccounts(stage: Stage): void {
  const subject = 'accounts $: keep sessions in the new store (staging)';
  const culprit = stage.push(change(stage, 'accounts', accountsClusters, subject, tomasz, ['session-store.yaml']));
  const message =
    'Widget/accounts/session-store dry-run failed: no matches for kind "Widget" in version "example.org/v1"\n';
  for (const name of accountsClusters) {
    const handle = stage.kustomization(name, 'accounts');
    if (!handle) continue;
    handle.outcome = { is: 'apply-failed', message };
    stage.state(name, 'accounts', 'diverged', { alsoRight: [], culprit, cause: accountsBroken });
  }
}

export function fixAccounts(stage: Stage): void {
  for (const name of accountsClusters) {
    const handle = stage.kustomization(name, 'accounts');
    if (!handle) continue;
    handle.outcome = { is: 'ok' };
    stage.state(name, 'accounts', 'converged');
  }
  const subject = 'accounts $: bring back the old session store (staging)';
  stage.push(change(stage, 'accounts', accountsClusters, subject, tomasz));
}
