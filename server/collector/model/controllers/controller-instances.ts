import type { LeaseTrack } from '#lib/domain/heartbeat/lease.ts';
import type { DeploymentRuns, ObservedDeployment } from '../../clusters/cluster-event.ts';
import { selects, shardLabel, type Takes } from './watch-scope.ts';
import { hash } from 'node:crypto';
import { controllerOfLease, leaseOfController } from '../../reconcilers/registry.ts';

/** A lease as it is known. */
export interface SeenLease {
  readonly namespace: string;
  readonly name: string;
  readonly track: LeaseTrack;
  /** The pod that holds it; null while nobody does. */
  readonly holder: string | null;
  readonly transitions: number | null;
  /** Name of its controller in the store; null where the store does not know it. */
  readonly rememberedAs: string | null;
}

/** A Deployment as it is known. Times in ms since the epoch. */
export interface SeenDeployment extends ObservedDeployment {
  readonly readAt: number;
  /**
   * unread: its cluster was out of sight since it was read. doubted: it was read again, and nothing shows that its status was
   * written since. current: its status is of now.
   */
  readonly status: 'unread' | 'doubted' | 'current';
  /** Since when it has no pod, no earlier than a list that has one; null where it has one. */
  readonly downSince: number | null;
}

/** One controller that runs, or ran: its lease, its Deployment, or both. */
export interface Instance {
  readonly namespace: string;
  readonly name: string;
  readonly runs: DeploymentRuns;
  readonly lease: SeenLease | null;
  readonly deployment: SeenDeployment | null;
  /** Hash of its label selector where only its lease tells of one. */
  readonly hash: string | null;
  /** Others that are known by their leases alone hold leases of the same name, in other namespaces. */
  readonly hasTwins: boolean;
}

/** Fields of an object that tell whose it is. `shard` is its sharding.fluxcd.io/key, null for none. */
export interface ServedObject {
  readonly namespace: string;
  readonly shard: string | null;
}

function podOf(lease: SeenLease): string | null {
  return lease.holder === null ? null : deploymentOfPod(lease.holder);
}

/** Leases by what is sought; of several the first. A cluster says how many there are of them. */
function firstBy(leases: readonly SeenLease[], keyOf: (lease: SeenLease) => string | null) {
  const found = new Map<string, SeenLease>();
  for (const lease of leases) {
    const key = keyOf(lease);
    if (key !== null && !found.has(key)) found.set(key, lease);
  }
  return found;
}

/** Finds the lease of a Deployment: by its name, which follows from the program and its label selector; else by the pod that holds it. */
function createLeaseFinder(leases: readonly SeenLease[]) {
  const byName = firstBy(leases, (lease) => placeOf(lease.namespace, lease.name));
  const byPod = firstBy(leases, (lease) => {
    const pod = podOf(lease);
    return pod === null ? null : placeOf(lease.namespace, pod);
  });
  return ({ namespace, name, runs, selector }: ObservedDeployment): SeenLease | null => {
    const expected = runs.type === 'controller' ? leaseNameOf(runs.name, selector) : null;
    const named = expected === null ? undefined : byName.get(placeOf(namespace, expected));
    return named ?? byPod.get(placeOf(namespace, name)) ?? null;
  };
}

/** No namespace has a slash in it. */
function placeOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function ofLeaseAlone(lease: SeenLease, hasTwins: boolean): Instance | null {
  const owner = ownerOfLease(lease.name);
  if (owner === null) return null;
  const { controller, hash } = owner;
  const pod = podOf(lease);
  return {
    namespace: lease.namespace,
    name: lease.rememberedAs ?? (hash === null ? controller : `${controller}-${hash}`),
    // A provider's Deployment, and so its pod, is called after the revision that it runs.
    runs: owner.isProvider && pod !== null ? { type: 'revision', name: pod } : { type: 'controller', name: controller },
    lease,
    deployment: null,
    hash,
    hasTwins,
  };
}

/** The controllers of a cluster: one for each Deployment, with its lease, and one for each lease that no Deployment holds. */
export function instancesOf(leases: readonly SeenLease[], deployments: readonly SeenDeployment[]): readonly Instance[] {
  const leaseOf = createLeaseFinder(leases);
  const found = deployments.map((deployment): Instance => {
    const { namespace, name, runs } = deployment;
    const lease = leaseOf(deployment);
    return { namespace, name, runs, lease, deployment, hash: null, hasTwins: false };
  });
  const claimed = new Set(found.map(({ lease }) => lease));
  const left = leases.filter((lease) => !claimed.has(lease));
  const called = Map.groupBy(left, (lease) => lease.name);
  const alone = left.map((lease) => ofLeaseAlone(lease, (called.get(lease.name)?.length ?? 0) > 1));
  return [...found, ...alone.filter((instance) => instance !== null)];
}

/** Tells if the loop of an instance turns for an object of its program's kinds. */
export function takes(instance: Instance, object: ServedObject): Takes {
  const { deployment } = instance;
  if (deployment) {
    if (deployment.ownNamespaceOnly && deployment.namespace !== object.namespace) return 'no';
    return selects(deployment.selector, object.shard);
  }
  const byHash = takesByHash(instance.hash, object.shard);
  // Twins part the namespaces among them: each takes its own at least.
  return byHash === 'yes' && instance.hasTwins && instance.namespace !== object.namespace ? 'maybe' : byHash;
}

/** The usual selectors are known by their hashes: one shard, or whatever is of no shard. */
function takesByHash(hash: string | null, shard: string | null): Takes {
  if (hash === null) return 'yes';
  const unsharded = hash === selectorHash(`!${shardLabel}`);
  if (shard === null) return unsharded ? 'yes' : 'maybe';
  if (unsharded) return 'no';
  return hash === selectorHash(`${shardLabel}=${shard}`) ? 'yes' : 'maybe';
}

const suffix = '-leader-election';
const crossplanePrefix = 'crossplane-leader-election-';

/** Whose lease it is, by its name; `hash` of the label selector where the controller takes a part of all objects only. */
export interface LeaseOwner {
  readonly controller: string;
  readonly hash: string | null;
  /** A provider of Crossplane: its lease is named by its authors, its pod by the revision that it runs. */
  readonly isProvider: boolean;
}

/** The controller behind a lease: one that an adapter names, or kustomize-controller-leader-election; null where it is none of ours. */
export function ownerOfLease(lease: string): LeaseOwner | null {
  const named = controllerOfLease(lease);
  if (named !== null) return { controller: named, hash: null, isProvider: false };
  if (lease === `${crossplanePrefix}rbac`)
    return { controller: 'crossplane-rbac-manager', hash: null, isProvider: false };
  if (lease.startsWith(crossplanePrefix))
    return { controller: lease.slice(crossplanePrefix.length), hash: null, isProvider: true };
  if (lease.endsWith(suffix)) return { controller: lease.slice(0, -suffix.length), hash: null, isProvider: false };
  const [, controller, ofSelector] = /^(.+)-leader-election-([0-9a-f]{8})$/.exec(lease) ?? [];
  return controller === undefined || ofSelector === undefined
    ? null
    : { controller, hash: ofSelector, isProvider: false };
}

/** Suffix that Flux's controllers append to the name of their lease for a label selector: fluxcd/pkg runtime/leaderelection GenerateID. */
export function selectorHash(selector: string): string {
  return hash('sha256', selector).slice(0, 8);
}

/** The lease that a controller with this label selector ('' for none) holds; null where it is known to hold none. */
export function leaseNameOf(controller: string, selector: string): string | null {
  const name = leaseOfController(controller);
  if (name === null || selector === '') return name;
  return `${name}-${selectorHash(selector)}`;
}

/** The Deployment behind a pod's name, which is "<deployment>-<hash>-<five characters>"; null where it is no such name. */
export function deploymentOfPod(pod: string): string | null {
  return /^(.+)-[0-9a-z]+-[0-9a-z]{5}$/.exec(pod)?.[1] ?? null;
}
