import type { CurrentController } from '#lib/domain/record/current.ts';
import { doubtLease, withReading, rememberLease } from '#lib/domain/heartbeat/lease.ts';
import type { ObservedLease } from '../../clusters/cluster-event.ts';
import { shardsMap } from '../../reconcilers/argocd/controller.ts';
import type { SeenLease } from './controller-instances.ts';
import { idOf } from './controller-liveness.ts';
import { namespacesToForget } from './listed-namespaces.ts';

/** The pod behind a holderIdentity, which is "<hostname>_<uuid>" (controller-runtime pkg/leaderelection); null where it was released. */
function podOf(holder: string | null): string | null {
  return holder?.split('_', 1)[0] || null;
}

function restored(controllers: Iterable<CurrentController>): Map<string, SeenLease> {
  const leases = new Map<string, SeenLease>();
  for (const { namespace, name, lease, lastMovedAt, durationSeconds, holder, transitions } of controllers) {
    if (lease === null || lastMovedAt === null) continue;
    const track = rememberLease(lastMovedAt, durationSeconds);
    const known = { namespace, name: lease, track, holder, transitions, rememberedAs: name };
    leases.set(idOf(known), known);
  }
  return leases;
}

/** So many leases that are gone are remembered, those that went last: else one that names them anew each time would fill all memory. */
const mostGone = 1_000;

/**
 * The leases of the controllers of one cluster, by what their lists showed. Times in ms. Starts with the leases
 * that the store remembers: one that moved when it was last seen is known to be able to move.
 */
export function createSeenLeases(remembered: Iterable<CurrentController>) {
  const leases = restored(remembered);
  const listedAt = new Map<string, number>();
  const gone = new Set<string>();

  function observe(lease: ObservedLease, at: number): void {
    const known = leases.get(idOf(lease));
    gone.delete(idOf(lease));
    leases.set(idOf(lease), {
      namespace: lease.namespace,
      name: lease.name,
      track: withReading(known?.track ?? null, lease, at),
      holder: podOf(lease.holder),
      transitions: lease.transitions,
      rememberedAs: known?.rememberedAs ?? null,
    });
  }

  /** A lease that is gone is not renewed either. */
  function miss(lease: SeenLease, at: number): void {
    leases.set(idOf(lease), { ...lease, track: withReading(lease.track, null, at), holder: null });
    gone.add(idOf(lease));
    for (const id of gone) {
      if (gone.size <= mostGone) return;
      gone.delete(id);
      leases.delete(id);
    }
  }

  /** Forgets the leases of the namespaces that were listed longest ago where too much is known: what is not listed is not missed either. */
  function makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { namespace } of leases.values()) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    const namespaces = new Set([...listedAt.keys(), ...counts.keys()]);
    const known = Array.from(namespaces, (namespace) => {
      return { namespace, at: listedAt.get(namespace) ?? -Infinity, count: counts.get(namespace) ?? 0 };
    });
    const forgotten = new Set(namespacesToForget(known));
    if (forgotten.size === 0) return;
    for (const namespace of forgotten) listedAt.delete(namespace);
    for (const [id, { namespace }] of leases) {
      if (!forgotten.has(namespace)) continue;
      leases.delete(id);
      gone.delete(id);
    }
  }

  return {
    all: (): readonly SeenLease[] => [...leases.values()],
    /** When the leases of a namespace were listed last; null for never. */
    listedAt: (namespace: string): number | null => listedAt.get(namespace) ?? null,
    /** Takes the whole list of the leases of a namespace. */
    take(namespace: string, list: readonly ObservedLease[], at: number): void {
      listedAt.set(namespace, at);
      const listed = new Set(list.map((lease) => lease.name));
      for (const one of leases.values())
        if (one.namespace === namespace && one.name !== shardsMap && !listed.has(one.name)) miss(one, at);
      for (const lease of list) observe(lease, at);
      makeRoom();
    },
    /** Takes the ConfigMap by which the shards of an Argo CD renew themselves, as if it were a lease; null where there is none. */
    takeShardsMap(namespace: string, heartbeat: ObservedLease | null, at: number): void {
      const known = leases.get(idOf({ namespace, name: shardsMap }));
      if (heartbeat) observe(heartbeat, at);
      else if (known) miss(known, at);
    },
    /** The cluster is seen again since `at`: no move of before proves anything. */
    doubt(at: number): void {
      for (const [id, one] of leases) leases.set(id, { ...one, track: doubtLease(one.track, at) });
    },
  };
}
