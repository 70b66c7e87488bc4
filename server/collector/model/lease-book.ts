import type { CurrentCluster, CurrentController } from '#lib/domain/current.ts';
import { leaseDiesAt, leaseState, lookAtLease, type LeaseTrack } from '#lib/domain/heartbeat.ts';
import type { Heartbeat } from '#lib/domain/subject.ts';
import type { LeaseWord } from '../clusters/cluster-event.ts';

const suffix = '-leader-election';
const crossplanePrefix = 'crossplane-leader-election-';

interface Found {
  readonly namespace: string;
  readonly name: string;
  track: LeaseTrack;
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
  /** The heartbeat of a controller by its name; a controller without any lease is unknown. */
  heartbeat(controller: string): Heartbeat;
  current(objects: ReadonlyMap<string, number>): readonly CurrentController[];
}

/** The controller behind a lease: kustomize-controller-leader-election, crossplane-leader-election-core; null where it is none of ours. */
export function controllerOf(lease: string): string | null {
  if (lease.startsWith(crossplanePrefix)) {
    const rest = lease.slice(crossplanePrefix.length);
    return rest === 'core' ? 'crossplane' : rest;
  }
  return lease.endsWith(suffix) ? lease.slice(0, -suffix.length) : null;
}

/** Starts the book; a lease that moved when the store last saw it is known to be able to move. */
export function createLeaseBook(cluster: string, before: CurrentCluster | null): LeaseBook {
  const found = new Map<string, Found>();
  for (const controller of before?.controllers ?? []) {
    if (controller.lastMovedAt === null) continue;
    const track: LeaseTrack = { renewTime: null, duration: (controller.durationSeconds ?? 35) * 1000, movedAt: null, seen: false };
    const { namespace, name, lastMovedAt } = controller;
    found.set(`${namespace}/${name}`, { namespace, name, track, state: 'unknown', movedBefore: lastMovedAt, firstLookAt: null, lastLookAt: null, looks: 0 });
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
    return seenStanding(one) ? 'dead' : 'unknown';
  }

  function look(one: Found, now: number): boolean {
    const state = stateOf(one, now);
    if (state === one.state) return false;
    one.state = state;
    return true;
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
        const one = known ?? { namespace: lease.namespace, name, track, state: 'unknown' as const, movedBefore: null, firstLookAt: null, lastLookAt: null, looks: 0 };
        one.track = track;
        one.firstLookAt ??= at;
        one.lastLookAt = at;
        one.looks += 1;
        found.set(id, one);
        if (look(one, at)) changed.push(name);
      }
      return changed;
    },
    settle(now) {
      return [...found.values()].filter((one) => look(one, now)).map((one) => one.name);
    },
    next(now) {
      let next: number | null = null;
      for (const one of found.values()) {
        const end = one.state === 'dead' ? null : dies(one);
        if (end !== null && end > now && (next === null || end < next)) next = end;
      }
      return next;
    },
    proven: (since) => found.size > 0 && [...found.values()].every((one) => one.looks >= 2 && one.lastLookAt !== null && one.lastLookAt >= since),
    heartbeat(controller) {
      const own = [...found.values()].filter((one) => one.name === controller);
      const best = own.find((one) => one.state === 'alive') ?? own.find((one) => one.state === 'dead') ?? own[0];
      if (!best) return { cluster, namespace: '', name: controller, state: 'unknown', movedAt: null, diesAt: null };
      return {
        cluster,
        namespace: best.namespace,
        name: controller,
        state: best.state,
        movedAt: best.track.movedAt ?? best.movedBefore,
        diesAt: best.state === 'dead' ? null : dies(best),
      };
    },
    current(objects) {
      return [...found.values()].map((one) => ({
        namespace: one.namespace,
        name: one.name,
        state: one.state,
        lastMovedAt: one.track.movedAt ?? one.movedBefore,
        durationSeconds: Math.round(one.track.duration / 1000),
        objects: objects.get(one.name) ?? 0,
      }));
    },
  };
}
