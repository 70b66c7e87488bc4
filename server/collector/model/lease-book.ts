import type { CurrentCluster, CurrentController } from '#lib/domain/current.ts';
import { leaseDiesAt, leaseState, lookAtLease, type LeaseTrack } from '#lib/domain/heartbeat.ts';
import type { Heartbeat } from '#lib/domain/subject.ts';
import type { LeaseWord } from '../clusters/cluster-event.ts';
import { controllerOfLease } from '../reconcilers/registry.ts';

const suffix = '-leader-election';
const crossplanePrefix = 'crossplane-leader-election-';

interface Found {
  readonly namespace: string;
  readonly name: string;
  /** Its controller's own name, where the lease is of one that looks at a part of all objects only. */
  readonly shardOf: string | null;
  track: LeaseTrack;
  holder: string | null;
  transitions: number | null;
  state: 'alive' | 'dead' | 'unknown';
  /** It moved before this process began (ms), so that standing still means something. */
  readonly movedBefore: number | null;
  firstLookAt: number | null;
  lastLookAt: number | null;
  looks: number;
}

/** The controllers of one cluster, by their leases. */
export interface LeaseBook {
  /** Takes the whole list of the leases of a namespace; gives the names of controllers whose state changed. */
  take(namespace: string, leases: readonly LeaseWord[], at: number): readonly string[];
  /** Looks at the clock; gives the names of controllers that died by now (ms). */
  settle(now: number): readonly string[];
  /** The next time after `now` (ms) at which `settle` has something to do, null for never. */
  next(now: number): number | null;
  /** Every lease has been looked at since then (ms), and twice in all, so that a holder that lives has been seen to. False while there is none. */
  proven(since: number): boolean;
  /**
   * The heartbeat of a controller by its name, for an object in a namespace; a controller without any lease is unknown. So is
   * one of several of that name of which some live and some do not, unless the one beside the object lives: whose the object
   * is can not be told.
   */
  heartbeat(controller: string, namespace?: string): Heartbeat;
  current(objects: ReadonlyMap<string, number>): readonly CurrentController[];
}

/** Longer than it takes to call a cluster lost that hangs (idle, ping, grace), so that an outage is not first an absence of proof (ms). */
const blindPatience = 75_000;

/** The controller behind a lease: one that an adapter names, kustomize-controller-leader-election; null where it is none of ours. */
export function controllerOf(lease: string): string | null {
  const named = controllerOfLease(lease);
  if (named !== null) return named;
  if (lease.startsWith(crossplanePrefix)) return lease.slice(crossplanePrefix.length);
  if (lease.endsWith(suffix)) return lease.slice(0, -suffix.length);
  // With a label selector (sharding), Flux's controllers append a hash of it.
  return shardedController(lease) === null ? null : lease.replace(suffix, '');
}

/** The pod behind a holderIdentity, which is "<hostname>_<uuid>" (controller-runtime pkg/leaderelection); null where it was released. */
function podOf(holder: string | null): string | null {
  return holder?.split('_', 1)[0] || null;
}

function shardedController(lease: string): string | null {
  const at = lease.indexOf(`${suffix}-`);
  return at > 0 && !lease.startsWith(crossplanePrefix) && /^-[0-9a-z]+$/.test(lease.slice(at + suffix.length))
    ? lease.slice(0, at)
    : null;
}

/** Starts the book; a lease that moved when the store last saw it is known to be able to move. */
export function createLeaseBook(cluster: string, before: CurrentCluster | null): LeaseBook {
  const found = new Map<string, Found>();
  for (const controller of before?.controllers ?? []) {
    if (controller.lastMovedAt === null) continue;
    const track: LeaseTrack = {
      renewTime: null,
      duration: (controller.durationSeconds ?? 35) * 1000,
      movedAt: null,
      seen: false,
    };
    const { namespace, name, lastMovedAt, holder, transitions } = controller;
    const shardOf = /^(.+-controller)-[0-9a-z]+$/.exec(name)?.[1] ?? null;
    found.set(`${namespace}/${name}`, {
      namespace,
      name,
      shardOf,
      track,
      holder,
      transitions,
      state: 'unknown',
      movedBefore: lastMovedAt,
      firstLookAt: null,
      lastLookAt: null,
      looks: 0,
    });
  }

  /** When it will count as dead; a lease that moved in an earlier life is given its whole time anew. */
  function dies(one: Found): number | null {
    if (one.track.movedAt !== null) return leaseDiesAt(one.track);
    if (one.movedBefore === null || one.firstLookAt === null) return null;
    return leaseDiesAt({ ...one.track, movedAt: one.firstLookAt });
  }

  /** It was looked at after its term had run out: a lease that nobody could look at is unknown, not dead. */
  function seenStanding(one: Found): boolean {
    const from = one.track.movedAt ?? one.firstLookAt;
    return from !== null && one.lastLookAt !== null && one.lastLookAt >= from + one.track.duration;
  }

  function stateOf(one: Found, now: number): Found['state'] {
    const end = dies(one);
    if (end === null || now < end) return leaseState(one.track, now);
    if (seenStanding(one)) return 'dead';
    const blindUntil = unlookedUntil(one);
    return one.state === 'alive' && blindUntil !== null && now < blindUntil ? 'alive' : 'unknown';
  }

  /** How long a holder that lived counts as living while nobody can look: what is not vouched for is hidden on every read by then. */
  function unlookedUntil(one: Found): number | null {
    return one.track.movedAt === null || one.lastLookAt === null ? null : one.lastLookAt + blindPatience;
  }

  function look(one: Found, now: number): boolean {
    const state = stateOf(one, now);
    if (state === one.state) return false;
    one.state = state;
    return true;
  }

  /** Which lease stands for a controller, and what it says; null where there is none. */
  function standingFor(
    own: readonly Found[],
    shards: readonly Found[],
    namespace: string,
  ): { readonly one: Found; readonly state: Found['state'] } | null {
    // Without a selector it takes every object, whatever its shards do.
    const some = own.length > 0 ? own : shards;
    const [first] = some;
    if (!first) return null;
    const alive = some.filter((one) => one.state === 'alive');
    const beside = own.find((one) => one.namespace === namespace && one.state === 'alive');
    const [living] = alive;
    if (beside) return { one: beside, state: 'alive' };
    if (living) return { one: living, state: alive.length === some.length ? 'alive' : 'unknown' };
    const dead = some.find((one) => one.state === 'dead');
    if (!dead) return { one: first, state: 'unknown' };
    return { one: dead, state: own.length > 0 && shards.some((one) => one.state === 'alive') ? 'unknown' : 'dead' };
  }

  return {
    take(namespace, leases, at) {
      const changed: string[] = [];
      // A lease that is gone is not renewed either.
      for (const one of found.values()) if (one.namespace === namespace) one.lastLookAt = at;
      for (const lease of leases) {
        const name = controllerOf(lease.name);
        if (name === null) continue;
        const id = `${lease.namespace}/${name}`;
        const known = found.get(id);
        const track = lookAtLease(known?.track ?? null, lease, at);
        const one = known ?? {
          namespace: lease.namespace,
          name,
          shardOf: shardedController(lease.name),
          track,
          holder: null,
          transitions: null,
          state: 'unknown' as const,
          movedBefore: null,
          firstLookAt: null,
          lastLookAt: null,
          looks: 0,
        };
        one.track = track;
        one.holder = podOf(lease.holder);
        one.transitions = lease.transitions;
        one.firstLookAt ??= at;
        one.lastLookAt = at;
        one.looks += 1;
        found.set(id, one);
        if (look(one, at)) changed.push(one.shardOf ?? name);
      }
      return changed;
    },
    settle(now) {
      return [...found.values()].filter((one) => look(one, now)).map((one) => one.shardOf ?? one.name);
    },
    next(now) {
      let next: number | null = null;
      for (const one of found.values()) {
        if (one.state === 'dead') continue;
        for (const end of [dies(one), one.state === 'alive' ? unlookedUntil(one) : null]) {
          if (end !== null && end > now && (next === null || end < next)) next = end;
        }
      }
      return next;
    },
    proven: (since) =>
      found.size > 0 &&
      [...found.values()].every((one) => one.looks >= 2 && one.lastLookAt !== null && one.lastLookAt >= since),
    heartbeat(controller, namespace = '') {
      const own = [...found.values()].filter((one) => one.name === controller && one.shardOf === null);
      const shards = [...found.values()].filter((one) => one.shardOf === controller);
      const best = standingFor(own, shards, namespace);
      if (!best) return { cluster, namespace: '', name: controller, state: 'unknown', movedAt: null, diesAt: null };
      const { one, state } = best;
      return {
        cluster,
        namespace: one.namespace,
        name: controller,
        state,
        movedAt: one.track.movedAt ?? one.movedBefore,
        diesAt: state === 'dead' ? null : dies(one),
      };
    },
    current(objects) {
      return [...found.values()].map((one) => ({
        namespace: one.namespace,
        name: one.name,
        state: one.state,
        lastMovedAt: one.track.movedAt ?? one.movedBefore,
        durationSeconds: Math.round(one.track.duration / 1000),
        holder: one.holder,
        transitions: one.transitions,
        version: null,
        deployment: 'unknown',
        objects: objects.get(one.name) ?? 0,
      }));
    },
  };
}
