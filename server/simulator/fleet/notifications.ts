import { day } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import { alwaysAlive } from '../controllers/control-plane.ts';
import { holdLease } from '../controllers/lease-holder.ts';
import { createDeployment, fluxDeployment } from '../objects/deployment.ts';
import { appliedObject } from '../objects/metadata.ts';
import type { ClusterParts } from './cluster-parts.ts';

const namespace = 'flux-system';
const controller = 'notification-controller';

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
  const alert = appliedObject(commonKinds.alert, { name: 'on-call', namespace }, createdAt, random);
  const providerRef = { name: found.provider ?? 'slack' };
  plane.store.put({ ...alert, spec: { eventSeverity: 'error', providerRef, ...found.alert } }, commonKinds.alert);
  if (found.provider === null) return;
  const names = { name: found.provider, namespace };
  const provider = appliedObject(commonKinds.notificationProvider, names, createdAt, random);
  const spec = { type: 'slack', channel: 'platform', secretRef: { name: 'slack-address' } };
  plane.store.put({ ...provider, spec }, commonKinds.notificationProvider);
}
