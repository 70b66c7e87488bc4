import { crossplaneKinds } from '../fleet/crossplane-objects.ts';
import { overlay, overlayPath } from '../repository/manifests.ts';
import { authors, rollout } from '../repository/past.ts';
import type { Draft } from '../repository/control-repository.ts';
import { seconds } from './durations.ts';
import {
  buildFailure,
  denied,
  granted,
  healthFailure,
  mailDrift,
  mailMended,
  optIn,
  optOut,
  stateDeadController,
  stateRevived,
} from './faults.ts';
import type { Stage } from './stage.ts';
import { componentOf } from './stage.ts';

const searchClusters = ['us-east-2', 'us-east-1'] as const;
const [ines, tomasz, priya] = [authors[0], authors[1] ?? authors[0], authors[2] ?? authors[0]];

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
  const version = stage.fleet.versions.raise(one);
  const plans = clusters.flatMap((name) => stage.cluster(name)?.plan ?? []);
  const files = new Map(plans.map((plan) => [overlayPath(plan, one), overlay(one, version, more)]));
  return { subject: subject.replace('$', version), author, time: stage.now(), files };
}

/** An overlay that names a file which is not there. */
export function breakCheckout(stage: Stage): void {
  const handle = stage.kustomization('eu-west-3', 'checkout');
  if (!handle) return;
  const message = buildFailure(stage, 'eu-west-3');
  handle.outcomeOf = () => ({ is: 'build-failed', message });
  const culprit = stage.push(
    change(stage, 'checkout', ['eu-west-3'], 'checkout $: split the ingress of eu-west-3 by country', ines, [
      'ingress-fr.yaml',
    ]),
  );
  // It comes after three others, and the next commit may begin its wait anew.
  stage.state('eu-west-3', 'checkout', 'diverged', { alsoRight: [], culprit, within: seconds(90) });
  stage.state('eu-west-3', 'web', 'waiting', { alsoRight: [], within: seconds(90) });
}

export function fixCheckout(stage: Stage): void {
  const handle = stage.kustomization('eu-west-3', 'checkout');
  if (!handle) return;
  handle.outcomeOf = () => ({ is: 'ok' });
  stage.push(
    change(stage, 'checkout', ['eu-west-3'], 'Revert "checkout: split the ingress of eu-west-3 by country"', ines),
  );
  stage.state('eu-west-3', 'checkout', 'converged');
  // It comes after checkout, and the next commit may begin its wait anew.
  stage.state('eu-west-3', 'web', 'converged', { within: seconds(150) });
}

export function driftMail(stage: Stage): void {
  mailDrift(stage, 'stg-us', stage.now());
}

export function mendMail(stage: Stage): void {
  mailMended(stage, 'stg-us');
}

/** A rollout whose new pods take minutes to be ready: the health checks run on, and what is applied stays the old revision. */
export function slowSearch(stage: Stage): void {
  const draft = change(stage, 'search', searchClusters, 'search $: warm the index before ready', tomasz);
  const culprit = stage.push(draft);
  for (const name of searchClusters) {
    const handle = stage.kustomization(name, 'search');
    if (handle) handle.outcomeOf = () => ({ is: 'checking' });
    // Behind only once the grace (behindAfter, two minutes in the demo) is over.
    stage.state(name, 'search', 'behind', { within: seconds(180), alsoRight: ['progressing', 'unhealthy'], culprit });
  }
}

export function finishSearch(stage: Stage, cluster: string): void {
  const handle = stage.kustomization(cluster, 'search');
  if (!handle) return;
  handle.outcomeOf = () => ({ is: 'ok' });
  handle.reconcile();
  stage.state(cluster, 'search', 'converged');
}

export function breakMonitoring(stage: Stage): void {
  const handle = stage.kustomization('ap-south-1', 'monitoring');
  if (!handle) return;
  handle.outcomeOf = () => ({ is: 'health-failed', message: healthFailure });
  handle.reconcile();
  stage.state('ap-south-1', 'monitoring', 'unhealthy', { alsoRight: [] });
}

export function mendMonitoring(stage: Stage): void {
  const handle = stage.kustomization('ap-south-1', 'monitoring');
  if (!handle) return;
  handle.outcomeOf = () => ({ is: 'ok' });
  handle.reconcile();
  stage.state('ap-south-1', 'monitoring', 'converged');
}

export function suspendPolicy(stage: Stage): void {
  stage.kustomization('stg-eu', 'policy')?.setSuspended(true, 'kubectl-edit');
  stage.state('stg-eu', 'policy', 'suspended', { alsoRight: [] });
}

export function resumePolicy(stage: Stage): void {
  stage.kustomization('stg-eu', 'policy')?.setSuspended(false, 'kubectl-edit');
  stage.state('stg-eu', 'policy', 'converged');
}

export function optOutExternalDns(stage: Stage): void {
  optOut(stage, stage.now());
}

export function optInExternalDns(stage: Stage): void {
  optIn(stage);
}

export function suspendExternalDns(stage: Stage): void {
  stage.kustomization('eu-central-1a', 'external-dns')?.setSuspended(true, 'flux');
  stage.state('eu-central-1a', 'external-dns', 'suspended', { alsoRight: [] });
}

export function resumeExternalDns(stage: Stage): void {
  stage.kustomization('eu-central-1a', 'external-dns')?.setSuspended(false, 'flux');
  stage.state('eu-central-1a', 'external-dns', 'converged');
}

/** Nothing comes of it: what breaks there soon after breaks elsewhere too. */
export function upgradeStgUs(stage: Stage): void {
  stage.cluster('stg-us')?.pods.upgrade('kustomize-controller');
}

/** Known with the next look at their Deployments: their leases do not move either. */
export function killStgEdge(stage: Stage): void {
  stage.setFluxAlive('stg-edge', false);
  stateDeadController(stage, 'stg-edge', stage.now(), seconds(90));
}

export function reviveStgEdge(stage: Stage): void {
  stage.setFluxAlive('stg-edge', true);
  stateRevived(stage, 'stg-edge', seconds(120));
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
  stage.fleet.ledger.lose('ap-northeast-1', stage.now(), seconds(45));
  void one.cluster.server.gate.setReach('refused');
}

export function regainApNortheast(stage: Stage): void {
  const one = stage.cluster('ap-northeast-1');
  if (!one) return;
  stage.fleet.ledger.regain('ap-northeast-1', stage.now(), seconds(120));
  void one.cluster.server.gate.setReach('open');
}

export function promoteCatalogue(stage: Stage): void {
  const plans = stage.clusters('production').map((one) => one.plan);
  const catalogue = componentOf('catalogue');
  const version = stage.fleet.versions.raise(catalogue);
  stage.push(rollout(catalogue, version, plans, `Promote catalogue ${version} to production`, priya, stage.now()));
}

/** Ends the first reconciliation of a Kustomization that was new when the story began. */
export function finishFirst(stage: Stage, cluster: string, name: string): void {
  const handle = stage.kustomization(cluster, name);
  if (!handle || handle.object.status.history) return;
  handle.outcomeOf = () => ({ is: 'ok' });
  handle.reconcile();
  stage.state(cluster, name, 'converged');
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
  for (const ref of stage.fleet.ledger.refs()) {
    if (
      ref.cluster !== cluster ||
      !(ref.group.endsWith('.upbound.io') || crossplaneKinds.some((kind) => kind.kind === ref.kind))
    )
      continue;
    const managed = ref.group.endsWith('.upbound.io');
    const statement = { from: stage.now(), within: seconds(60) };
    if (good) stage.fleet.ledger.state(ref, { ...statement, verdict: 'converged', alsoRight: ['unconfirmed'] });
    else
      stage.fleet.ledger.state(ref, {
        ...statement,
        verdict: 'stale',
        alsoRight: managed ? [] : ['unconfirmed', 'unhealthy', 'diverged'],
      });
  }
}

const accountsClusters = ['stg-us', 'stg-eu', 'stg-ap'] as const;

export function breakAccounts(stage: Stage): void {
  const culprit = stage.push(
    change(stage, 'accounts', accountsClusters, 'accounts $: keep sessions in the new store (staging)', tomasz, [
      'session-store.yaml',
    ]),
  );
  for (const name of accountsClusters) {
    const handle = stage.kustomization(name, 'accounts');
    if (!handle) continue;
    const message =
      'Widget/accounts/session-store dry-run failed: no matches for kind "Widget" in version "example.org/v1"\n';
    handle.outcomeOf = () => ({ is: 'apply-failed', message });
    stage.state(name, 'accounts', 'diverged', { alsoRight: [], culprit });
  }
}

export function fixAccounts(stage: Stage): void {
  for (const name of accountsClusters) {
    const handle = stage.kustomization(name, 'accounts');
    if (!handle) continue;
    handle.outcomeOf = () => ({ is: 'ok' });
    stage.state(name, 'accounts', 'converged');
  }
  stage.push(
    change(stage, 'accounts', accountsClusters, 'accounts $: bring back the old session store (staging)', tomasz),
  );
}
