import type { Heartbeat } from '#lib/domain/heartbeat/controller-liveness.ts';
import type { CurrentCluster, CurrentController } from '#lib/domain/record/current.ts';
import { isProven, leaseMovedAt, leaseTurnsAt } from '#lib/domain/heartbeat/lease.ts';
import { earliest } from '#lib/domain/time/earliest.ts';
import type { ObservedArgoCd, ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { applicationController } from '../../reconcilers/argocd/controller.ts';
import type { Instance, ServedObject } from './controller-instances.ts';
import {
  deploymentPatience,
  idOf,
  livingControllers,
  runtimeOf,
  servingOf,
  type Living,
} from './controller-liveness.ts';
import { createHeartbeats, createArgoIntervals, type Look } from './heartbeats.ts';
import { createSeenDeployments } from './seen-deployments.ts';
import { createSeenLeases } from './seen-leases.ts';
import { createStatusKeeper, createClusterReturn } from './status-keeper.ts';

/** Whose heartbeat changed: that of objects of these controllers, and of what these package revisions run. */
export interface ChangedLiveness {
  readonly controllers: ReadonlySet<string>;
  readonly revisions: ReadonlySet<string>;
}

/** So many controllers are taken up: those that were seen stand first. */
const mostRemembered = 10_000;

/** So many objects, and whose loop turns for them. */
export type Served =
  | { readonly controller: string; readonly object: ServedObject; readonly count: number }
  | { readonly revision: string; readonly count: number };

/** The controllers of one cluster, by their leases and Deployments. */
export interface ControllerIndex {
  /** Takes the whole list of the leases of a namespace, at `at` (ms). */
  takeLeases(namespace: string, leases: readonly ObservedLease[], at: number): ChangedLiveness;
  /** Takes the whole list of the Deployments of controllers in a namespace, at `at` (ms); null where they may not be read. */
  takeDeployments(namespace: string, deployments: readonly ObservedDeployment[] | null, at: number): ChangedLiveness;
  /**
   * The cluster is seen again since `at` (ms): what was known of its controllers before proves nothing of now. `wasLost`: not only
   * nobody looked, but the cluster itself was lost.
   */
  doubt(at: number, wasLost: boolean): ChangedLiveness;
  /** Takes what is to be seen of the Argo CD of a namespace, at `at` (ms). */
  takeArgo(namespace: string, argo: ObservedArgoCd, at: number): ChangedLiveness;
  /** Controllers, or those of Argo CD, may run in namespaces that are not looked at, unless `isWhole`. */
  searched(of: 'controllers' | 'argo', isWhole: boolean): ChangedLiveness;
  /** Looks at the clock: who died, or went out of sight, by now (ms). */
  settle(now: number): ChangedLiveness;
  /** The next time after `now` (ms) at which `settle` has something to do, null for never. */
  next(now: number): number | null;
  /**
   * Every lease has been looked at twice since it was out of sight, and since then (ms), so that a holder that lives has been
   * seen to; and so has every Deployment, once. False while there is no lease.
   */
  proven(since: number): boolean;
  /**
   * The heartbeat behind an object by its controller's name: of the instance that takes it, by namespace and shard. Where
   * several may, of which some live and some do not, it is unknown.
   */
  heartbeat(controller: string, object: ServedObject): Heartbeat;
  /**
   * The heartbeat of the pods of a package revision, by its name. Null where neither lease nor Deployment of it is known and what
   * Crossplane's core tells of its Deployment is of now.
   */
  runtime(revision: string): Heartbeat | null;
  /** All of them for the record, each with how many of the objects are its own. */
  current(served: Iterable<Served>): readonly CurrentController[];
}

/** Summary of each program: who of it lives, and takes what. */
function summaries(seen: readonly Living[]): ReadonlyMap<string, string> {
  const programs = Map.groupBy(seen, ({ instance }) => JSON.stringify(instance.runs));
  const summaryOf = ({ instance, liveness }: Living) => {
    const { namespace, name, deployment, hash, hasTwins } = instance;
    return [namespace, name, liveness, deployment?.selector, deployment?.ownNamespaceOnly, hash, hasTwins];
  };
  return new Map([...programs].map(([key, living]) => [key, JSON.stringify(living.map(summaryOf))]));
}

function changes(before: readonly Living[], after: readonly Living[]): ChangedLiveness {
  const was = summaries(before);
  const is = summaries(after);
  const changed = { controllers: new Set<string>(), revisions: new Set<string>() };
  for (const { instance } of [...before, ...after]) {
    const key = JSON.stringify(instance.runs);
    if (was.get(key) === is.get(key)) continue;
    const { type, name } = instance.runs;
    (type === 'revision' ? changed.revisions : changed.controllers).add(name);
  }
  return changed;
}

/** All of them, as if each had changed. */
function allOf(seen: readonly Living[]): ChangedLiveness {
  const all = seen.map(({ instance }) => instance.runs);
  const named = (type: 'controller' | 'revision') => all.flatMap((one) => (one.type === type ? [one.name] : []));
  return { controllers: new Set(named('controller')), revisions: new Set(named('revision')) };
}

function countServed(seen: readonly Living[], all: Iterable<Served>): ReadonlyMap<Instance, number> {
  const counts = new Map<Instance, number>();
  for (const served of all) {
    const one =
      'revision' in served ? runtimeOf(seen, served.revision) : servingOf(seen, served.controller, served.object).one;
    if (one) counts.set(one.instance, (counts.get(one.instance) ?? 0) + served.count);
  }
  return counts;
}

/** A controller for the record; `remembered` is what the store knows of it, where that still counts. */
function rowOf(
  { instance, liveness, deployment }: Living,
  remembered: CurrentController | null,
  objects: number,
): CurrentController {
  const { namespace, name, lease } = instance;
  return {
    namespace,
    name,
    lease: lease?.name ?? null,
    state: liveness.state,
    lastMovedAt: lease && leaseMovedAt(lease.track),
    durationSeconds: lease && Math.round(lease.track.duration / 1000),
    holder: lease?.holder ?? null,
    transitions: lease?.transitions ?? null,
    version: instance.deployment ? instance.deployment.version : (remembered?.version ?? null),
    deployment,
    ...(instance.deployment
      ? {
          ownReferencesOnly: instance.deployment.ownReferencesOnly === true,
          sendsEvents: instance.deployment.sendsEvents === true,
        }
      : {}),
    objects,
  };
}

/** Controllers for the record, those that are only remembered behind them. `rememberedOf`: what the store knows of one, where that still counts. */
function rowsOf(
  seen: readonly Living[],
  served: Iterable<Served>,
  remembered: readonly CurrentController[],
  rememberedOf: (one: Pick<CurrentController, 'namespace' | 'name'>) => CurrentController | null,
): readonly CurrentController[] {
  const counts = countServed(seen, served);
  const known = seen.map((one) => rowOf(one, rememberedOf(one.instance), counts.get(one.instance) ?? 0));
  const names = new Set(known.map(idOf));
  const unseen = remembered.filter((one) => !names.has(idOf(one)) && rememberedOf(one));
  return [
    ...known,
    ...unseen.map((one): CurrentController => ({ ...one, state: 'unknown', deployment: 'unknown', objects: 0 })),
  ];
}

function nextAt({ instance }: Living, now: number): readonly (number | null)[] {
  return [
    instance.lease && leaseTurnsAt(instance.lease.track, now),
    instance.deployment && instance.deployment.readAt + deploymentPatience,
  ];
}

/** Starts the index of one cluster with what the store remembers of it. */
export function createControllerIndex(cluster: string, before: CurrentCluster | null): ControllerIndex {
  const remembered = new Map((before?.controllers ?? []).slice(0, mostRemembered).map((one) => [idOf(one), one]));
  const leases = createSeenLeases(remembered.values());
  const keeper = createStatusKeeper();
  const clusterReturn = createClusterReturn(before, keeper);
  const deployments = createSeenDeployments(clusterReturn.isOfNow);
  const intervals = createArgoIntervals();
  const heartbeats = createHeartbeats(cluster, intervals, keeper, clusterReturn);
  const searched = { controllers: true, argo: true };
  let seen: readonly Living[] = [];
  let drawnAt: number | null = null;

  function draw(now: number): ChangedLiveness {
    const former = seen;
    drawnAt = now;
    seen = livingControllers(leases.all(), deployments.all(), leases.listedAt, now);
    return changes(former, seen);
  }

  /** With the revisions of which nothing is seen but what their status says, as soon as it is of now. */
  function drawRuntimes(at: number): ChangedLiveness {
    const { controllers, revisions } = draw(at);
    return { controllers, revisions: new Set([...revisions, ...heartbeats.known(at)]) };
  }

  /** Controllers that the store remembers count until the Deployments beside them have been looked for. */
  function rememberedOf(one: { readonly namespace: string; readonly name: string }): CurrentController | null {
    return deployments.isRead(one) ? null : (remembered.get(idOf(one)) ?? null);
  }

  const lookOf = (): Look => ({ seen, drawnAt, searched });

  draw(Number.NEGATIVE_INFINITY);
  drawnAt = null;
  return {
    takeLeases(namespace, list, at) {
      leases.take(namespace, keeper.take(namespace, list, at), at);
      return drawRuntimes(at);
    },
    takeDeployments(namespace, list, at) {
      deployments.take('controllers', namespace, list, at);
      return drawRuntimes(at);
    },
    takeArgo(namespace, { workloads, heartbeat, interval }, at) {
      deployments.take('argo', namespace, workloads, at);
      leases.takeShardsMap(namespace, heartbeat, at);
      const isSet = intervals.take(namespace, interval);
      const { controllers, revisions } = draw(at);
      return { controllers: new Set(isSet ? [...controllers, applicationController] : controllers), revisions };
    },
    doubt(at, wasLost) {
      clusterReturn.doubt(at, wasLost);
      leases.doubt(at);
      deployments.doubt();
      return draw(at);
    },
    searched(of, isWhole) {
      if (searched[of] === isWhole) return allOf([]);
      searched[of] = isWhole;
      return allOf(seen);
    },
    settle: draw,
    next: (now) => earliest(...seen.flatMap((one) => nextAt(one, now)).filter((time) => time !== null && time > now)),
    proven(since) {
      const known = leases.all();
      return (
        known.length > 0 &&
        known.every(({ track }) => isProven(track, since)) &&
        deployments.all().every(({ status }) => status !== 'unread')
      );
    },
    heartbeat: (controller, object) => heartbeats.of(lookOf(), controller, object),
    runtime: (revision) => heartbeats.runtime(lookOf(), revision),
    current: (served) => rowsOf(seen, served, [...remembered.values()], rememberedOf),
  };
}
