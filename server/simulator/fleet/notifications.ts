import { day } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { alwaysAlive } from '../controllers/control-plane.ts';
import { holdLease } from '../controllers/lease-holder.ts';
import { createDeployment, fluxDeployment } from '../objects/deployment.ts';
import { appliedObject } from '../objects/metadata.ts';
import type { ClusterParts } from './cluster-parts.ts';

const namespace = 'flux-system';
const controller = 'notification-controller';

/** An object that has a spec and no status, as Alerts and Providers have from v1beta3 on. */
interface Configured extends KubeObject {
  spec: object;
}

/** One cluster's Alert, and the Provider that it names, where there is one. */
interface NotificationPlan {
  readonly alert: object;
  readonly provider: string | null;
}

const kustomizations = [
  { kind: 'Kustomization', name: '*' },
  { kind: 'GitRepository', name: '*' },
];

/** The clusters on which Flux itself tells somebody, or was meant to: on one it works, on the others each time another link is broken. */
const plans: ReadonlyMap<string, NotificationPlan> = new Map([
  ['eu-west-3', { alert: { eventSources: kustomizations }, provider: 'slack' }],
  [
    'ap-south-1',
    { alert: { eventSources: kustomizations, exclusionList: ['timeout waiting for'] }, provider: 'slack' },
  ],
  ['us-east-2', { alert: { eventSources: kustomizations, suspend: true }, provider: 'slack' }],
  ['stg-us', { alert: { eventSources: [{ kind: 'HelmRelease', name: '*', namespace: 'mail' }] }, provider: null }],
]);

/** Adds Alerts and Providers with the controller that sends them, on the clusters that have any. */
export function addNotifications({ plan, plane, deps, random }: ClusterParts): void {
  const found = plans.get(plan.name);
  if (found === undefined) return;
  const { startedAt } = deps;
  holdLease(
    { ...plane, random: random.fork('lease') },
    alwaysAlive(controller),
    namespace,
    `${controller}-leader-election`,
    startedAt - random.between(100, 4900),
  );
  const pods = createDeployment(fluxDeployment(controller, 'v1.9.3'), startedAt, random, 'available');
  plane.store.put(pods, commonKinds.deployment);
  const createdAt = startedAt - 90 * day;
  const alert: Configured = {
    ...appliedObject(commonKinds.alert, { name: 'on-call', namespace }, createdAt, random),
    spec: { eventSeverity: 'error', providerRef: { name: found.provider ?? 'slack' }, ...found.alert },
  };
  plane.store.put(alert, commonKinds.alert);
  if (found.provider === null) return;
  const names = { name: found.provider, namespace };
  const provider: Configured = {
    ...appliedObject(commonKinds.notificationProvider, names, createdAt, random),
    spec: { type: 'slack', channel: 'platform', secretRef: { name: 'slack-address' } },
  };
  plane.store.put(provider, commonKinds.notificationProvider);
}
