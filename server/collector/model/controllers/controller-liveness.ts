import {
  controllerLiveness,
  type ControllerLiveness,
  type Heartbeat,
  type LivenessSign,
} from '#lib/domain/heartbeat/controller-liveness.ts';
import type { DeploymentState } from '#lib/domain/record/current.ts';
import { blindPatience, leaseState, leaseMovedAt, unmovedSince } from '#lib/domain/heartbeat/lease.ts';
import { core } from '../../reconcilers/crossplane/composite.ts';
import { homeOf, suiteOf } from '../../reconcilers/registry.ts';
import { takes, type Instance, type SeenLease, type ServedObject } from './controller-instances.ts';

/** Deployments are read each 30 s: what was read longer ago says nothing of now (ms). */
export const deploymentPatience = 100_000;

/** A controller and whether it lives. */
export interface Living {
  readonly instance: Instance;
  readonly liveness: ControllerLiveness;
  /** Of its Deployment, as far as that is known now. */
  readonly deployment: DeploymentState;
}

/** Whose object something is: the instance, or the likeliest of several with the sign that tells why none can be told. */
export type Serving =
  | { readonly one: Living; readonly sign: LivenessSign }
  | { readonly one: null; readonly sign: 'not-known' | 'not-searched' | 'too-many' | 'nobody' };

/** When the leases of a namespace were listed last (ms); null for never. */
type ListedLeases = (namespace: string) => number | null;

function livingOf(instance: Instance, listedAt: ListedLeases, now: number): Living {
  const read = instance.deployment;
  const deployment =
    read && read.status !== 'unread' && now < read.readAt + deploymentPatience ? read.state : 'unknown';
  const isDoubted = deployment === 'available' && read?.status === 'doubted';
  const elects = read?.elects ?? null;
  const reading = leaseState(instance.lease?.track ?? null, now);
  // Who elects a leader and has no lease in a list of all of them does not lead.
  const listed = instance.lease ? null : listedAt(instance.namespace);
  const lease = elects === true && listed !== null && now < listed + blindPatience ? 'unmoved' : reading;
  const liveness = controllerLiveness({ lease, deployment: isDoubted ? 'doubted' : deployment, elects });
  return { instance, deployment, liveness };
}

/** A lease that nobody renews beside a Deployment of the same program (`deployed`) was left behind by a former one. */
function isLeftBehind({ instance, liveness }: Living, deployed: ReadonlySet<string>): boolean {
  return !instance.deployment && liveness.state !== 'alive' && deployed.has(programOf(instance));
}

function programOf({ namespace, runs }: Instance): string {
  return idOf({ namespace, name: runs.name });
}

/** The controllers of a cluster that live or are still to be told of, at `now` (ms). */
export function livingControllers(
  instances: readonly Instance[],
  listedAt: ListedLeases,
  now: number,
): readonly Living[] {
  const all = instances.map((instance) => livingOf(instance, listedAt, now));
  const deployed = new Set(all.flatMap(({ instance }) => (instance.deployment ? [programOf(instance)] : [])));
  return all.filter((one) => !isLeftBehind(one, deployed));
}

/** True of an instance that is known by more than a lease which nobody renews: a former one may have left that behind. */
function isInPlace({ instance, liveness }: Living): boolean {
  return instance.deployment !== null || liveness.state === 'alive';
}

/** True of an instance where its program is installed by default. */
function isByDefault({ instance: { namespace, runs } }: Living): boolean {
  return namespace === homeOf(runs.name);
}

/**
 * True of an instance whose word on an object is taken: where its program is installed by default, and in the namespace of the object. Whoever
 * may write in any other namespace may call a Deployment, or a Lease, there as a controller is called.
 */
function isNear(one: Living, object: ServedObject): boolean {
  return one.instance.namespace === object.namespace || isByDefault(one);
}

/** The instances of one program, and those of each namespace. */
export interface Running {
  readonly all: readonly Living[];
  readonly on: ReadonlyMap<string, readonly Living[]>;
}

const grouped = new WeakMap<readonly Living[], ReadonlyMap<string, Running>>();

/** The instances of each program among those that are seen: they are gone through once, not for each of tens of thousands of objects. */
export function programsOf(seen: readonly Living[]): ReadonlyMap<string, Running> {
  const found =
    grouped.get(seen) ??
    new Map(
      [...Map.groupBy(seen, ({ instance: { runs } }) => `${runs.type}/${runs.name}`)].map(([key, all]) => [
        key,
        { all, on: Map.groupBy(all, ({ instance }) => instance.namespace) },
      ]),
    );
  grouped.set(seen, found);
  return found;
}

function runningOf(seen: readonly Living[], type: Instance['runs']['type'], name: string): Running | undefined {
  return programsOf(seen).get(`${type}/${name}`);
}

const suitesAtHome = new WeakMap<readonly Living[], ReadonlySet<string>>();

/** Suites of which any part is in place where it is installed by default. */
function atHome(seen: readonly Living[]): ReadonlySet<string> {
  const found =
    suitesAtHome.get(seen) ??
    new Set(
      seen.filter((one) => isByDefault(one) && isInPlace(one)).flatMap((one) => suiteOf(one.instance.runs.name) ?? []),
    );
  suitesAtHome.set(seen, found);
  return found;
}

/** So many instances of one program are told apart: each is asked for each namespace and shard. */
const mostTold = 100;

/** Instances of which one may have an object; `isNear`: one near to it surely takes it. */
interface Candidates {
  readonly may: readonly Living[];
  readonly isNear: boolean;
}

/**
 * Among whom the one is that an object is of: where one near to it surely takes it, those near to it, and else all that take it. Those elsewhere alone are not
 * believed where other parts of their suite are at home: who installs these there installs them there, and whoever may write in any other namespace may
 * call a Deployment there as one that is gone was called.
 */
function candidatesOf(
  seen: readonly Living[],
  controller: string,
  object: ServedObject,
): Candidates | 'not-known' | 'too-many' {
  const own = runningOf(seen, 'controller', controller);
  if (own === undefined) return 'not-known';
  const nearby = [...new Set([homeOf(controller), object.namespace])].flatMap((where) => own.on.get(where ?? '') ?? []);
  if (nearby.length > mostTold) return 'too-many';
  const isTaken = (one: Living): boolean => takes(one.instance, object) !== 'no';
  const near = nearby.filter((one) => isTaken(one) && isInPlace(one));
  if (near.some((one) => isSureOf(one, object))) return { may: near, isNear: true };
  if (own.all.length > mostTold) return 'too-many';
  const may = own.all.filter(isTaken);
  const isFar = !may.some((one) => isNear(one, object)) && atHome(seen).has(suiteOf(controller) ?? '');
  return { may: isFar ? [] : may, isNear: false };
}

/** True of an instance near to an object that surely takes it. */
function isSureOf(one: Living, object: ServedObject): boolean {
  return isNear(one, object) && takes(one.instance, object) === 'yes';
}

/**
 * The likeliest of them. One that surely takes the object and lives is enough, whatever the others do; one with the very selector of the object's
 * shard has it to itself. One in the object's own namespace does not speak for one at home that takes the object too and is dead. In doubt it is
 * told only if all agree.
 */
function likeliestOf(may: readonly Living[], object: ServedObject): Serving {
  const sure = may
    .filter((one) => isSureOf(one, object))
    .toSorted((a, b) => Number(isByDefault(b)) - Number(isByDefault(a)));
  const likeliest = sure.find(({ liveness }) => liveness.state === 'alive') ?? sure[0] ?? may[0];
  if (!likeliest) return { one: null, sign: 'nobody' };
  const { state, sign } = likeliest.liveness;
  const isTakenAtHome = !isByDefault(likeliest) && sure.some(isByDefault);
  const isSure = sure.includes(likeliest) && !isTakenAtHome && (state === 'alive' || likeliest.instance.hash !== null);
  const agreed = isSure || may.every(({ liveness }) => liveness.state === state);
  return { one: likeliest, sign: agreed ? sign : 'which-one' };
}

/** Of which instance of a controller an object is. Those that are not near to it count only if all of the cluster are looked at (`isWhole`). */
export function servingOf(seen: readonly Living[], controller: string, object: ServedObject, isWhole = true): Serving {
  const found = candidatesOf(seen, controller, object);
  if (found === 'too-many') return { one: null, sign: found };
  if (found === 'not-known') return { one: null, sign: isWhole ? found : 'not-searched' };
  const serving = likeliestOf(found.may, object);
  return isWhole || found.isNear ? serving : { one: serving.one, sign: 'not-searched' };
}

/** True of the pods of a provider that stand where they do by default. */
export function isBesideCrossplane(one: Living): boolean {
  return one.instance.namespace === homeOf(core) && isInPlace(one);
}

/** The instance whose pods run a package revision; null where none is known. Of several beside Crossplane's own namespace one that does not live. */
export function runtimeOf(seen: readonly Living[], revision: string): Living | null {
  const own = runningOf(seen, 'revision', revision)?.all ?? [];
  const isAlive = ({ liveness }: Living): boolean => liveness.state === 'alive';
  const home = own.filter(isBesideCrossplane);
  if (home.length > 0) return home.find(isAlive) ?? home[0] ?? null;
  return own.find((one) => !isAlive(one)) ?? own[0] ?? null;
}

/** "namespace/name". */
export function idOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** Since when a sign of life is looked for (ms), in a cluster that is seen again since `seenSince`; null where there is one. */
function awaitedSince({ lease }: Instance, sign: LivenessSign, seenSince: number | null): number | null {
  if (sign === 'lease-moves' || sign === 'pod-available') return null;
  return sign === 'lease-unmoved' && lease ? unmovedSince(lease.track) : seenSince;
}

/**
 * Heartbeat, for the judge, of a controller of a cluster that is seen again since `seenSince` (ms; null where it was never lost);
 * `sign` other than its own where it is not sure whose the object is.
 */
export function heartbeatOf(
  cluster: string,
  { instance, liveness }: Living,
  seenSince: number | null,
  sign: LivenessSign = liveness.sign,
): Heartbeat {
  const { namespace, name, lease, deployment } = instance;
  return {
    cluster,
    namespace,
    name,
    state: sign === liveness.sign ? liveness.state : 'unknown',
    sign,
    lease: lease && idOf(lease),
    deployment: deployment && idOf(deployment),
    ...(deployment?.stateful ? { stateful: true } : {}),
    at: signAt(instance, sign),
    awaitedSince: awaitedSince(instance, sign, seenSince),
    interval: null,
  };
}

/**
 * The heartbeat of a controller of which no instance is known, or none that takes the object since `at` (ms), in a cluster that is
 * seen again since `awaitedSince` (ms; null where it was never lost).
 */
export function unknownHeartbeat(
  cluster: string,
  name: string,
  awaitedSince: number | null,
  sign: LivenessSign,
  at: number | null,
): Heartbeat {
  return {
    cluster,
    namespace: '',
    name,
    state: 'unknown',
    sign,
    lease: null,
    deployment: null,
    at,
    awaitedSince,
    interval: null,
  };
}

/** When a lease was renewed last, by its holder's own word, no later than it was seen to have moved (ms). */
function renewedAt(lease: SeenLease | null): number | null {
  const movedAt = lease && leaseMovedAt(lease.track);
  return movedAt === null ? null : Math.min(movedAt, lease?.track.renewedAt ?? movedAt);
}

/** The last sign of life, or since when it is missing (ms); null where that is not known. */
function signAt({ lease, deployment }: Instance, sign: LivenessSign): number | null {
  switch (sign) {
    case 'pod-available':
      return deployment?.readAt ?? null;
    case 'pod-doubted':
      return deployment?.statusAt ?? null;
    case 'no-pod':
    case 'scaled-to-zero':
      return deployment?.downSince ? Math.max(deployment.downSince, renewedAt(lease) ?? 0) : null;
    case 'stuck':
      return lease && (leaseMovedAt(lease.track) ?? lease.track.firstReadAt);
    case 'lease-moves':
    case 'lease-stands':
    case 'lease-unmoved':
    case 'not-known':
    case 'not-searched':
    case 'too-many':
    case 'which-one':
    case 'nobody':
      return lease && leaseMovedAt(lease.track);
  }
}
