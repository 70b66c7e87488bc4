import type { ServedKind } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { say } from './condition.ts';
import type { Said, StatusCondition } from './condition.ts';
import { setManagedFields } from './managed-fields.ts';
import { appliedObject } from './metadata.ts';
import type { Names } from './metadata.ts';

/** A managed resource of an upjet provider, a composite or a claim; or a package or a definition, with what else their `Status` has. */
export interface CrossplaneObject<Status extends object = object> extends KubeObject {
  spec: { managementPolicies?: string[] } & { [key: string]: unknown };
  status: { conditions: StatusCondition[]; atProvider?: object; observedGeneration?: number } & Status;
}

/** Plan of a managed resource. Time in ms. */
export interface ManagedResourcePlan {
  readonly kind: ServedKind;
  readonly name: string;
  readonly namespace: string;
  readonly region: string;
  readonly providerConfig: string;
  /** The Kustomization that delivers it, null where a composite does. */
  readonly deliveredBy: string | null;
  readonly owner: CrossplaneObject | null;
  readonly createdAt: number;
  /** The name in the cloud, where it is not its own. */
  readonly externalName?: string;
  /** Other fields of its spec. */
  readonly more?: object;
}

/** An ownerReference as controllers write it. */
export function controllerOwner(owner: KubeObject): object {
  const { apiVersion: version, kind, metadata } = owner;
  return {
    apiVersion: version,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Keeps managedFields true: Flux or a composite owns the spec, the provider the rest. */
export function stampManagedResource(object: CrossplaneObject, statusAt: number): void {
  const composed = object.metadata.ownerReferences && { owner: 'apiextensions.crossplane.io/composed' };
  setManagedFields(object, { ...composed, controller: 'provider', statusAt });
}

function parameters(kind: string, region: string, random: Random): { [key: string]: unknown } {
  const tags = {
    environment: 'production',
    team: random.pick(['payments', 'search', 'platform', 'mail']),
    'managed-by': 'crossplane',
  };
  switch (kind) {
    case 'Instance':
      return {
        region,
        engine: 'postgres',
        engineVersion: '16.4',
        instanceClass: 'db.r6g.large',
        allocatedStorage: 100,
        multiAz: true,
        storageEncrypted: true,
        tags,
      };
    case 'Role':
      return {
        assumeRolePolicy:
          '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity"}]}',
        maxSessionDuration: 3600,
        tags,
      };
    case 'Queue':
      return {
        region,
        messageRetentionSeconds: 345_600,
        visibilityTimeoutSeconds: 30,
        kmsMasterKeyId: 'alias/aws/sqs',
        tags,
      };
    default:
      return { region, tags };
  }
}

function observed(plan: ManagedResourcePlan, random: Random): { [key: string]: unknown } {
  const service = plan.kind.group.split('.')[0];
  const account = '123456789012';
  return {
    ...parameters(plan.kind.kind, plan.region, random),
    arn: `arn:aws:${service}:${plan.region}:${account}:${plan.externalName ?? plan.name}`,
    id: plan.externalName ?? plan.name,
    tagsAll: {
      'crossplane-kind': `${plan.kind.kind.toLowerCase()}.${plan.kind.group}`,
      'crossplane-name': plan.name,
      'crossplane-providerconfig': plan.providerConfig,
    },
  };
}

/** Conditions of a managed resource or composite that is well. */
const well: readonly Said[] = [
  ['Ready', 'True', 'Available'],
  ['Synced', 'True', 'ReconcileSuccess'],
];

/** A managed resource that exists in the cloud and is up to date. */
export function createManagedResource(plan: ManagedResourcePlan, random: Random): CrossplaneObject {
  const modern = plan.kind.namespaced;
  const providerConfigRef = modern
    ? { kind: 'ClusterProviderConfig', name: plan.providerConfig }
    : { name: plan.providerConfig };
  const finalizer = 'finalizer.managedresource.crossplane.io';
  const applied = appliedObject(plan.kind, plan, plan.createdAt, random, finalizer);
  const { metadata } = applied;
  metadata.generation = 2;
  metadata.annotations = {
    'crossplane.io/external-name': plan.externalName ?? plan.name,
    'crossplane.io/external-create-pending': kubeTime(plan.createdAt),
    'crossplane.io/external-create-succeeded': kubeTime(plan.createdAt + 2000),
    'upjet.crossplane.io/provider-meta': '{"schema_version":"2"}',
  };
  if (plan.owner) {
    metadata.ownerReferences = [controllerOwner(plan.owner)];
    metadata.labels = { 'crossplane.io/composite': plan.owner.metadata.name };
    metadata.annotations['crossplane.io/composition-resource-name'] = plan.kind.kind.toLowerCase();
  }
  const object: CrossplaneObject = {
    ...applied,
    spec: {
      ...(modern ? {} : { deletionPolicy: 'Delete' }),
      forProvider: parameters(plan.kind.kind, plan.region, random),
      initProvider: {},
      managementPolicies: ['*'],
      providerConfigRef,
      ...plan.more,
    },
    status: { atProvider: observed(plan, random), conditions: [], observedGeneration: 2 },
  };
  say(object, plan.createdAt + 45_000, ...well);
  const finished = { lastTransitionTime: kubeTime(plan.createdAt + 40_000), status: 'True' } as const;
  object.status.conditions.push({ ...finished, reason: 'Success', type: 'LastAsyncOperation' });
  stampManagedResource(object, plan.createdAt + 45_000);
  return object;
}

/** A composite or claim whose resources are all ready. `refs` are its composed resources. */
export function createComposite(
  kind: ServedKind,
  names: Names,
  spec: { readonly [key: string]: unknown },
  createdAt: number,
  random: Random,
): CrossplaneObject {
  const at = createdAt + 60_000;
  const object: CrossplaneObject = {
    ...appliedObject(kind, names, createdAt, random, 'composite.apiextensions.crossplane.io'),
    spec: { ...spec },
    status: { conditions: [] },
  };
  say(object, at, ...well);
  if (kind.categories.includes('composite')) say(object, at, ['Responsive', 'True', 'WatchCircuitClosed']);
  setManagedFields(object, { controller: 'crossplane', statusAt: at });
  return object;
}
