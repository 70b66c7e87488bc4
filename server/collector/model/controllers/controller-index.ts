import type { Heartbeat } from '#lib/domain/heartbeat/controller-liveness.ts';
import type { CurrentCluster, CurrentController } from '#lib/domain/record/current.ts';
import { isProven, leaseMovedAt, leaseTurnsAt } from '#lib/domain/heartbeat/lease.ts';
import { earliest } from '#lib/domain/time/earliest.ts';
import type { ObservedArgoCd, ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { applicationController } from '../../reconcilers/argocd/controller.ts';
import { instancesOf, type Instance, type ServedObject } from './controller-instances.ts';
import {
  deploymentPatience,
  idOf,
  livingControllers,
  programsOf,
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

/** True if both are of one name, live alike and take the same. */
function isAlike(one: Living, other: Living): boolean {
  const [a, b] = [one.instance, other.instance];
  return (
    a.namespace === b.namespace &&
    a.name === b.name &&
    one.liveness.state === other.liveness.state &&
    one.liveness.sign === other.liveness.sign &&
    a.deployment?.selector === b.deployment?.selector &&
    a.deployment?.ownNamespaceOnly === b.deployment?.ownNamespaceOnly &&
    a.hash === b.hash &&
    a.hasTwins === b.hasTwins
  );
}

const areAlike = (some: readonly Living[], others: readonly Living[]): boolean =>
  some.length === others.length && some.every((one, place) => isAlike(one, others[place] ?? one));

/** Programs of which somebody lives otherwise than before, or takes something else. Each turn of judging asks this: nothing is written down for it. */
function changes(before: readonly Living[], after: readonly Living[]): ChangedLiveness {
  const [was, is] = [programsOf(before), programsOf(after)];
  const changed = { controllers: new Set<string>(), revisions: new Set<string>() };
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [former, now] = [was.get(key)?.all ?? [], is.get(key)?.all ?? []];
    const runs = (now[0] ?? former[0])?.instance.runs;
    if (runs && !areAlike(former, now))
      (runs.type === 'revision' ? changed.revisions : changed.controllers).add(runs.name);
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

/** Draws the controllers of a cluster, out of what was told of their leases and Deployments. Starts with those as they are remembered. */
function createDrawing(
  leases: ReturnType<typeof createSeenLeases>,
  deployments: ReturnType<typeof createSeenDeployments>,
) {
  let seen: readonly Living[] = [];
  let drawnAt: number | null = null;
  let instances = instancesOf(leases.all(), deployments.all());

  function draw(now: number): ChangedLiveness {
    const former = seen;
    seen = livingControllers(instances, leases.listedAt, now);
    return changes(former, seen);
  }

  draw(Number.NEGATIVE_INFINITY);
  return {
    /** Draws who lives at `now` (ms), and gives of whom that has changed. */
    at(now: number): ChangedLiveness {
      drawnAt = now;
      return draw(now);
    },
    /** The same where leases or Deployments were told since. */
    anew(now: number): ChangedLiveness {
      drawnAt = now;
      instances = instancesOf(leases.all(), deployments.all());
      return draw(now);
    },
    seen: () => seen,
    /** When they were drawn last (ms); null for never. */
    drawnAt: () => drawnAt,
  };
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
  const drawing = createDrawing(leases, deployments);

  /** With the revisions of which nothing is seen but what their status says, as soon as it is of now. */
  function drawRuntimes(at: number): ChangedLiveness {
    const { controllers, revisions } = drawing.anew(at);
    return { controllers, revisions: new Set([...revisions, ...heartbeats.known(at)]) };
  }

  /** Controllers that the store remembers count until the Deployments beside them have been looked for. */
  function rememberedOf(one: { readonly namespace: string; readonly name: string }): CurrentController | null {
    return deployments.isRead(one) ? null : (remembered.get(idOf(one)) ?? null);
  }

  const lookOf = (): Look => ({ seen: drawing.seen(), drawnAt: drawing.drawnAt(), searched });

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
      const { controllers, revisions } = drawing.anew(at);
      return { controllers: new Set(isSet ? [...controllers, applicationController] : controllers), revisions };
    },
    doubt(at, wasLost) {
      clusterReturn.doubt(at, wasLost);
      leases.doubt(at);
      deployments.doubt();
      return drawing.anew(at);
    },
    searched(of, isWhole) {
      if (searched[of] === isWhole) return allOf([]);
      searched[of] = isWhole;
      return allOf(drawing.seen());
    },
    settle: drawing.at,
    next: (now) =>
      earliest(
        ...drawing
          .seen()
          .flatMap((one) => nextAt(one, now))
          .filter((time) => time !== null && time > now),
      ),
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
    current: (served) => rowsOf(drawing.seen(), served, [...remembered.values()], rememberedOf),
  };
}
