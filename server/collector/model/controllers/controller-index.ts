import type { Heartbeat, LoopInterval } from '#lib/domain/heartbeat/controller-liveness.ts';
import type { CurrentCluster, CurrentController } from '#lib/domain/record/current.ts';
import {
  doubtLease,
  isProven,
  leaseMovedAt,
  leaseTurnsAt,
  lookAtLease,
  rememberLease,
} from '#lib/domain/heartbeat/lease.ts';
import { mayBeSince } from '#lib/domain/time/api-time.ts';
import type { ObservedArgoCd, ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { applicationController, shardsMap } from '../../reconcilers/argocd/controller.ts';
import type { Instance, SeenDeployment, SeenLease, ServedObject } from './controller-instances.ts';
import {
  deploymentPatience,
  heartbeatOf,
  idOf,
  livingControllers,
  runtimeOf,
  servingOf,
  unknownHeartbeat,
  type Living,
} from './controller-liveness.ts';
import { createStatusKeeper } from './status-keeper.ts';

/** Whose heartbeat changed: that of objects of these controllers, and of what these package revisions run. */
export interface ChangedLiveness {
  readonly controllers: ReadonlySet<string>;
  readonly revisions: ReadonlySet<string>;
}

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

/** The pod behind a holderIdentity, which is "<hostname>_<uuid>" (controller-runtime pkg/leaderelection); null where it was released. */
function podOf(holder: string | null): string | null {
  return holder?.split('_', 1)[0] || null;
}

/** Since when a Deployment without a pod is without one: as its condition dates it, within what was seen of it. */
function goneSince(word: ObservedDeployment, former: SeenDeployment | null, at: number): number {
  if (former?.downSince) return former.downSince;
  return Math.min(at, Math.max(word.downSince ?? at, former?.readAt ?? 0));
}

/** Deployments as they are read at `at` (ms), beside how they were known; `isOfNow` tells it of the status of one that was in doubt. */
function seenOf(
  words: readonly ObservedDeployment[],
  former: readonly SeenDeployment[],
  at: number,
  isOfNow: (word: ObservedDeployment) => boolean,
): SeenDeployment[] {
  const before = new Map(former.map((one) => [one.name, one]));
  return words.map((word) => {
    const known = before.get(word.name) ?? null;
    const isDown = word.state === 'unavailable' || word.state === 'scaled-to-zero';
    const downSince = isDown ? goneSince(word, known, at) : null;
    return { ...word, readAt: at, status: known?.status === 'told' || isOfNow(word) ? 'told' : 'doubted', downSince };
  });
}

/** What is told of each program: who of it lives, and takes what. */
function summaries(lives: readonly Living[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { instance, life } of lives) {
    const { namespace, name, runs, deployment, hash, hasTwins } = instance;
    const key = JSON.stringify(runs);
    const scope = [deployment?.selector, deployment?.ownNamespaceOnly, hash, hasTwins];
    found.set(key, `${found.get(key) ?? ''}${JSON.stringify([namespace, name, life, scope])}`);
  }
  return found;
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

/** Starts the book; a lease that moved when the store last saw it is known to be able to move. */
export function createControllerIndex(cluster: string, before: CurrentCluster | null): ControllerIndex {
  const leases = new Map<string, SeenLease>();
  const leasesListedAt = new Map<string, number>();
  /** By namespace; those of an Argo CD are looked at by themselves. */
  const deployments = new Map<string, readonly SeenDeployment[]>();
  const argoWorkloads = new Map<string, readonly SeenDeployment[]>();
  /** What the controller of each Argo CD is set to, by its namespace. */
  const argoIntervals = new Map<string, LoopInterval | null>();
  const remembered = new Map((before?.controllers ?? []).map((one) => [idOf(one), one]));
  let lives: readonly Living[] = [];
  let lookedAt: number | null = null;
  const keeper = createStatusKeeper();
  /** How long what an earlier sight of the cluster showed could be believed (ms); null where it was never seen. */
  let believedUntil = before && (before.state === 'live' ? before.validUntil : Number.NEGATIVE_INFINITY);
  /** Since when the cluster is seen again after it was out of sight (ms); null where it never was. */
  let seenSince: number | null = null;
  /**
   * The same where the cluster itself was lost: who writes the status of Deployments may have died with it. That a collector was not
   * running says nothing of that.
   */
  let regainedSince: number | null = null;
  /** Package revisions that were told to be unknown because the cluster is seen again. */
  const unknownRuntimes = new Set<string>();
  /** Since when no known instance of a program takes objects of a namespace and shard (ms), as far as was asked. */
  const unserved = new Map<string, number | null>();

  for (const { namespace, name, lease, lastMovedAt, durationSeconds, holder, transitions } of remembered.values()) {
    if (lease === null || lastMovedAt === null) continue;
    const track = rememberLease(lastMovedAt, durationSeconds);
    const known = { namespace, name: lease, track, holder, transitions, rememberedAs: name };
    leases.set(idOf(known), known);
  }
  draw(Number.NEGATIVE_INFINITY);

  function draw(now: number): ChangedLiveness {
    const former = lives;
    lookedAt = Number.isFinite(now) ? now : null;
    const listedAt = (namespace: string): number | null => leasesListedAt.get(namespace) ?? null;
    lives = livingControllers(
      [...leases.values()],
      [...deployments.values(), ...argoWorkloads.values()].flat(),
      listedAt,
      now,
    );
    return changes(former, lives);
  }

  function counted(all: Iterable<Served>): ReadonlyMap<Instance, number> {
    const counts = new Map<Instance, number>();
    for (const served of all) {
      const one =
        'revision' in served
          ? runtimeOf(lives, served.revision)
          : servingOf(lives, served.controller, served.object).one;
      if (one) counts.set(one.instance, (counts.get(one.instance) ?? 0) + served.count);
    }
    return counts;
  }

  /** Whether a status that is read at `at` (ms) was written since the cluster is seen again, or by who lives. */
  function isOfNow(at: number): (word: ObservedDeployment) => boolean {
    const since = regainedSince;
    return ({ statusAt }) => since === null || keeper.vouches(at) || (statusAt !== null && mayBeSince(statusAt, since));
  }

  /** With the revisions of which nothing is seen but what their status says, as soon as it is of now. */
  function withRuntimes(changed: ChangedLiveness, at: number): ChangedLiveness {
    if (unknownRuntimes.size === 0 || !keeper.vouches(at)) return changed;
    const revisions = new Set([...changed.revisions, ...unknownRuntimes]);
    unknownRuntimes.clear();
    return { ...changed, revisions };
  }

  function look(lease: ObservedLease, at: number): void {
    const known = leases.get(idOf(lease));
    leases.set(idOf(lease), {
      namespace: lease.namespace,
      name: lease.name,
      track: lookAtLease(known?.track ?? null, lease, at),
      holder: podOf(lease.holder),
      transitions: lease.transitions,
      rememberedAs: known?.rememberedAs ?? null,
    });
  }

  /** Of the Argo CD of its namespace, else the longest of all: Applications may stand in other namespaces. */
  function intervalOf(controller: string, { namespace }: ServedObject): LoopInterval | null {
    if (controller !== applicationController) return null;
    const own = argoIntervals.get(namespace);
    const all = own === undefined ? [...argoIntervals.values()] : [own];
    if (all.length === 0 || all.includes(null)) return null;
    return all.includes('never') ? 'never' : Math.max(...all.filter((interval) => typeof interval === 'number'));
  }

  /** What the store remembers counts until the Deployments beside it have been looked for. */
  function rememberedOf(instance: { readonly namespace: string; readonly name: string }): CurrentController | null {
    const looked = instance.name === applicationController ? argoWorkloads : deployments;
    return looked.has(instance.namespace) ? null : (remembered.get(idOf(instance)) ?? null);
  }

  return {
    takeLeases(namespace, list, at) {
      leasesListedAt.set(namespace, at);
      const others = keeper.take(namespace, list, at);
      const listed = new Set(others.map((lease) => lease.name));
      // A lease that is gone is not renewed either.
      for (const [id, one] of leases)
        if (one.namespace === namespace && one.name !== shardsMap && !listed.has(one.name))
          leases.set(id, { ...one, track: lookAtLease(one.track, null, at), holder: null });
      for (const lease of others) look(lease, at);
      return withRuntimes(draw(at), at);
    },
    takeDeployments(namespace, list, at) {
      deployments.set(namespace, seenOf(list ?? [], deployments.get(namespace) ?? [], at, isOfNow(at)));
      return withRuntimes(draw(at), at);
    },
    takeArgo(namespace, { workloads, heartbeat, interval }, at) {
      argoWorkloads.set(namespace, seenOf(workloads ?? [], argoWorkloads.get(namespace) ?? [], at, isOfNow(at)));
      const id = idOf({ namespace, name: shardsMap });
      const known = leases.get(id);
      if (heartbeat) look(heartbeat, at);
      else if (known) leases.set(id, { ...known, track: lookAtLease(known.track, null, at), holder: null });
      const isSet = argoIntervals.get(namespace) === interval;
      argoIntervals.set(namespace, interval);
      const changed = draw(at);
      return isSet ? changed : { ...changed, controllers: new Set([...changed.controllers, applicationController]) };
    },
    doubt(at, wasLost) {
      // An earlier collector may have ended just now.
      if (believedUntil !== null && at > believedUntil) {
        seenSince = at;
        if (wasLost) regainedSince = at;
      }
      believedUntil = Number.NEGATIVE_INFINITY;
      keeper.doubt(at);
      for (const [id, one] of leases) leases.set(id, { ...one, track: doubtLease(one.track, at) });
      for (const known of [deployments, argoWorkloads])
        for (const [namespace, list] of known)
          known.set(
            namespace,
            list.map((one) => ({ ...one, status: 'unread' })),
          );
      return draw(at);
    },
    settle: draw,
    next(now) {
      const times = lives.flatMap(({ instance }) => [
        instance.lease && leaseTurnsAt(instance.lease.track, now),
        instance.deployment && instance.deployment.readAt + deploymentPatience,
      ]);
      return times.reduce<number | null>(
        (next, time) => (time !== null && time > now && (next === null || time < next) ? time : next),
        null,
      );
    },
    proven: (since) =>
      leases.size > 0 &&
      [...leases.values()].every(({ track }) => isProven(track, since)) &&
      [...deployments.values(), ...argoWorkloads.values()].flat().every(({ status }) => status !== 'unread'),
    heartbeat(controller, object) {
      const { one, sign } = servingOf(lives, controller, object);
      const key = JSON.stringify([controller, object.namespace, object.shard]);
      if (sign !== 'nobody') unserved.delete(key);
      const interval = intervalOf(controller, object);
      if (one) return { ...heartbeatOf(cluster, one, seenSince, sign), interval };
      if (sign === 'nobody' && !unserved.has(key)) unserved.set(key, lookedAt);
      return { ...unknownHeartbeat(cluster, controller, seenSince, sign, unserved.get(key) ?? null), interval };
    },
    runtime(revision) {
      const one = runtimeOf(lives, revision);
      if (one) return heartbeatOf(cluster, one, seenSince);
      if (regainedSince === null || (lookedAt !== null && keeper.vouches(lookedAt))) return null;
      unknownRuntimes.add(revision);
      return unknownHeartbeat(cluster, revision, regainedSince, 'not-known', null);
    },
    current(served) {
      const counts = counted(served);
      const known = lives.map(({ instance, life, deployment }) => ({
        namespace: instance.namespace,
        name: instance.name,
        lease: instance.lease?.name ?? null,
        state: life.state,
        lastMovedAt: instance.lease && leaseMovedAt(instance.lease.track),
        durationSeconds: instance.lease && Math.round(instance.lease.track.duration / 1000),
        holder: instance.lease?.holder ?? null,
        transitions: instance.lease?.transitions ?? null,
        version: instance.deployment ? instance.deployment.version : (rememberedOf(instance)?.version ?? null),
        deployment,
        objects: counts.get(instance) ?? 0,
      }));
      const names = new Set(known.map(idOf));
      const unseen = [...remembered.values()].filter((one) => !names.has(idOf(one)) && rememberedOf(one));
      return [
        ...known,
        ...unseen.map((one): CurrentController => ({ ...one, state: 'unknown', deployment: 'unknown', objects: 0 })),
      ];
    },
  };
}
