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
  looks: number;
}

/** The controllers of one cluster, by their leases. */
export interface LeaseBook {
  /** Takes a list of the leases of a namespace; gives the names of controllers whose state changed. */
  take(leases: readonly LeaseWord[], at: number): readonly string[];
  /** Looks at the clock; gives the names of controllers that died by now (ms). */
  settle(now: number): readonly string[];
  next(): number | null;
  /** Every lease has been looked at twice, so that a holder that lives has been seen to. False while there is none. */
  proven(): boolean;
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
    found.set(`${namespace}/${name}`, { namespace, name, track, state: 'unknown', movedBefore: lastMovedAt, firstLookAt: null, looks: 0 });
  }

  /** When it will count as dead; a lease that moved in an earlier life is given its whole time anew. */
  function dies(one: Found): number | null {
    if (one.track.movedAt !== null) return leaseDiesAt(one.track);
    if (one.movedBefore === null || one.firstLookAt === null) return null;
    return leaseDiesAt({ ...one.track, movedAt: one.firstLookAt });
  }

  function look(one: Found, now: number): boolean {
    const end = dies(one);
    const state = end !== null && now >= end ? 'dead' : leaseState(one.track, now);
    if (state === one.state) return false;
    one.state = state;
    return true;
  }

  return {
    take(leases, at) {
      const changed: string[] = [];
      for (const lease of leases) {
        const name = controllerOf(lease.name);
        if (name === null) continue;
        const id = `${lease.namespace}/${name}`;
        const known = found.get(id);
        const track = lookAtLease(known?.track ?? null, lease, at);
        const one = known ?? { namespace: lease.namespace, name, track, state: 'unknown' as const, movedBefore: null, firstLookAt: null, looks: 0 };
        one.track = track;
        one.firstLookAt ??= at;
        one.looks += 1;
        found.set(id, one);
        if (look(one, at)) changed.push(name);
      }
      return changed;
    },
    settle(now) {
      return [...found.values()].filter((one) => look(one, now)).map((one) => one.name);
    },
    next() {
      let next: number | null = null;
      for (const one of found.values()) {
        const end = one.state === 'dead' ? null : dies(one);
        if (end !== null && (next === null || end < next)) next = end;
      }
      return next;
    },
    proven: () => found.size > 0 && [...found.values()].every((one) => one.looks >= 2),
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
