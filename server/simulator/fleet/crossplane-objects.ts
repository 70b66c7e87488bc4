import { day } from '#lib/domain/time/length.ts';
import { apiVersion, commonKinds, compositeKind, namespacedCompositeKind } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { ManagedResourceHandle } from '../controllers/crossplane-provider.ts';
import { createDeployment, providerDeployment } from '../objects/deployment.ts';
import { controllerOwner, createComposite, createManagedResource } from '../objects/managed-resource.ts';
import type { CrossplaneObject, ManagedResourcePlan } from '../objects/managed-resource.ts';
import { appliedObject } from '../objects/metadata.ts';
import { createProvider, createProviderRevision, createXrd } from '../objects/package.ts';
import type { Random } from '../random.ts';
import { awsKinds, awsProviderConfig, emptyAwsKinds } from './aws.ts';
import { register } from './cluster-parts.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { movedBucket, type ClusterPlan } from './plan.ts';

const group = 'platform.acme.example';
const xDatabase = compositeKind(group, 'XDatabase', 'xdatabases', 'composite');
const database = compositeKind(group, 'Database', 'databases', 'claim');
const objectStore = namespacedCompositeKind(group, 'ObjectStore', 'objectstores');

/** The kinds that the demo's CompositeResourceDefinitions make. */
export const crossplaneKinds: readonly ServedKind[] = [xDatabase, database, objectStore];

const teams = [
  'checkout',
  'catalogue',
  'search',
  'accounts',
  'mail',
  'web',
  'audit',
  'exports',
  'invoices',
  'media',
  'logs',
  'backups',
] as const;

/** Buckets that are kept when they are deleted here, and that are only looked at. */
const weakenedBuckets: { readonly [team: string]: object } = {
  backups: { deletionPolicy: 'Orphan' },
  audit: { managementPolicies: ['Observe'] },
};

/** Number of each kind on a cluster, by environment. */
const amounts: { readonly [environment in ClusterPlan['environment']]: readonly (readonly [ServedKind, number])[] } = {
  production: [
    [awsKinds.instance, 3],
    [awsKinds.subnetGroup, 2],
    [awsKinds.bucket, 12],
    [awsKinds.publicAccessBlock, 12],
    [awsKinds.role, 12],
    [awsKinds.policy, 8],
    [awsKinds.queue, 8],
    [awsKinds.namespacedBucket, 2],
    [awsKinds.namespacedQueue, 2],
  ],
  staging: [
    [awsKinds.instance, 2],
    [awsKinds.subnetGroup, 1],
    [awsKinds.bucket, 10],
    [awsKinds.publicAccessBlock, 10],
    [awsKinds.role, 10],
    [awsKinds.policy, 6],
    [awsKinds.queue, 6],
    [awsKinds.namespacedBucket, 1],
  ],
  sandbox: [[awsKinds.bucket, 6]],
};

type Placing = ReturnType<typeof createPlacing>;

/** Places Crossplane's objects on one cluster and registers them with the ledger. */
function createPlacing(parts: ClusterParts, createdAt: number) {
  const { plan, plane, providers, random } = parts;
  /** The managed ones so far, by `Kind/name`. */
  const handles = new Map<string, ManagedResourceHandle>();
  return {
    handles,
    addManaged(
      kind: ServedKind,
      name: string,
      owner: CrossplaneObject | null,
      part: Pick<ManagedResourcePlan, 'externalName' | 'more'> = {},
    ): CrossplaneObject {
      const namespace = kind.namespaced ? 'crossplane-system' : '';
      const names = { name, namespace, deliveredBy: owner ? null : 'crossplane' };
      const made = { ...names, kind, region: plan.cloudRegion, providerConfig: 'aws', owner, ...part };
      const object = createManagedResource({ ...made, createdAt: createdAt + random.between(0, 80) * day }, random);
      handles.set(`${kind.kind}/${name}`, providers.add(kind, object));
      register(parts, kind, names);
      return object;
    },
    put(kind: ServedKind, object: CrossplaneObject): void {
      plane.store.put(object, kind);
      const { name, namespace = '', labels } = object.metadata;
      register(parts, kind, { name, namespace, deliveredBy: labels?.['kustomize.toolkit.fluxcd.io/name'] ?? null });
    },
  };
}

/** Makes providers, managed resources, composites and claims of one cluster. Gives the managed ones by `Kind/name`. */
export function addCrossplaneObjects(parts: ClusterParts): Map<string, ManagedResourceHandle> {
  const { plan } = parts;
  const createdAt = parts.deps.startedAt - 150 * day;
  const placing = createPlacing(parts, createdAt);
  const { addManaged, handles } = placing;
  addPackages(parts, createdAt, placing);
  for (const [kind, count] of amounts[plan.environment]) {
    const suffix = kind.namespaced ? '-ns' : '';
    for (let index = 0; index < count; index++) {
      const team = teams[index] ?? `team-${index}`;
      const more = kind === awsKinds.bucket ? weakenedBuckets[team] : undefined;
      addManaged(kind, `${team}-${plan.name}${suffix}`, null, more ? { more } : {});
    }
  }
  if (plan.environment !== 'sandbox') {
    for (const team of ['orders', 'ledger']) addDatabase(team, parts.random, createdAt, placing);
    addObjectStore(parts.random, createdAt, placing);
  }
  if (plan.name === movedBucket.cluster)
    addManaged(awsKinds.namespacedBucket, `${movedBucket.team}-moved`, null, {
      externalName: `${movedBucket.team}-${plan.name}`,
    });
  return handles;
}

/** The kinds of one provider package ("aws-s3"); the family runs only its configurations. */
function runBy(service: string): readonly ServedKind[] {
  const prefix = `${service.replace(/^aws-/, '')}.aws.`;
  return [...Object.values(awsKinds), ...emptyAwsKinds].filter((kind) => kind.group.startsWith(prefix));
}

function addPackages({ plan, plane, deps, random }: ClusterParts, createdAt: number, { put }: Placing): void {
  const services = plan.environment === 'sandbox' ? ['s3'] : ['rds', 's3', 'iam', 'sqs'];
  for (const service of ['family-aws', ...services.map((name) => `aws-${name}`)]) {
    const name = `upbound-provider-${service}`;
    const revisionName = `${name}-${random.hex(12)}`;
    const provider = createProvider(name, revisionName, createdAt, random);
    const revision = createProviderRevision(provider, revisionName, runBy(service), createdAt, random);
    put(commonKinds.provider, provider);
    put(commonKinds.providerRevision, revision);
    const runtime = providerDeployment(revisionName, controllerOwner(revision), String(provider.spec['package']));
    plane.store.put(createDeployment(runtime, deps.startedAt, random, 'available'), commonKinds.deployment);
  }
  put(commonKinds.xrd, createXrd(xDatabase, database, createdAt, random));
  put(commonKinds.xrd, createXrd(objectStore, null, createdAt, random));
  const config = {
    ...appliedObject(awsProviderConfig, { name: 'aws', deliveredBy: 'crossplane' }, createdAt, random),
    spec: { credentials: { source: 'IRSA' } },
    status: { users: 40 },
  };
  plane.store.put(config, awsProviderConfig);
}

/** A team's Database: the claim, the composite and the instance. */
function addDatabase(team: string, random: Random, createdAt: number, { put, addManaged }: Placing): void {
  const at = createdAt + random.between(1, 40) * day;
  const name = `${team}-${random.hex(5)}`;
  const claimRef = { apiVersion: apiVersion(database), kind: 'Database', namespace: 'accounts', name: team };
  const resourceName = `${name}-${random.hex(5)}`;
  const resourceRefs = [{ apiVersion: apiVersion(awsKinds.instance), kind: 'Instance', name: resourceName }];
  const composition = {
    compositionRef: { name: 'xdatabases-postgres' },
    compositionRevisionRef: { name: 'xdatabases-postgres-6f1c2d8' },
  };
  const composite = createComposite(xDatabase, { name }, { ...composition, claimRef, resourceRefs }, at, random);
  composite.metadata.labels = {
    'crossplane.io/claim-name': team,
    'crossplane.io/claim-namespace': 'accounts',
    'crossplane.io/composite': name,
  };
  const resourceRef = { apiVersion: apiVersion(xDatabase), kind: 'XDatabase', name };
  const names = { name: team, namespace: 'accounts', deliveredBy: 'accounts' };
  put(database, createComposite(database, names, { ...composition, resourceRef, size: 'medium' }, at, random));
  addManaged(awsKinds.instance, resourceName, composite);
  put(xDatabase, composite);
}

/** The ObjectStore of the exports with its bucket: composites of Crossplane 2, without a claim. */
function addObjectStore(random: Random, createdAt: number, { put, addManaged }: Placing): void {
  const bucketName = `exports-${random.hex(5)}`;
  const refs = [{ apiVersion: apiVersion(awsKinds.namespacedBucket), kind: 'Bucket', name: bucketName }];
  const crossplane = { compositionRef: { name: 'objectstores' }, resourceRefs: refs };
  const names = { name: 'exports', namespace: 'crossplane-system', deliveredBy: 'crossplane' };
  const store = createComposite(objectStore, names, { crossplane, versioning: true }, createdAt, random);
  put(objectStore, store);
  const owned = addManaged(awsKinds.namespacedBucket, bucketName, store);
  owned.metadata.ownerReferences = [controllerOwner(store)];
  owned.metadata.creationTimestamp = kubeTime(createdAt + 30_000);
}
