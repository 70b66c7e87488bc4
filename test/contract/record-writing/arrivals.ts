import type { Arrival } from '#lib/domain/chain/arrival.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import { arrivedAt } from '#server/store/record/ledger.ts';

/** Takes what is offered and what arrives. */
export interface ArrivalWriter {
  /** A source on a cluster offers what is new. */
  offered(change: NotedChange): void;
  /** An applier arrived at a commit; one that it was counted for lately is not counted again. */
  arrived(ref: ObjectRef, commit: string, at: number): void;
}

/** Writes the arrivals of a record. */
export function arrivalWriter(arrivals: Arrival[]): ArrivalWriter {
  /** When what has not arrived was offered, by cluster and commit. */
  const offers = new Map<string, number>();
  const remembered = new Map<RefKey, readonly string[]>();

  function placeOf(cluster: string, commit: string): number {
    return arrivals.findIndex((one) => one.cluster === cluster && one.commit === commit);
  }

  return {
    offered({ cluster, ref, at, fact }) {
      const commit = fact.type === 'revision' ? commitOf(fact.to, ref?.kind ?? null) : null;
      if (commit === null) return;
      const place = placeOf(cluster, commit);
      const known = arrivals[place];
      const key = `${cluster} ${commit}`;
      if (known === undefined) offers.set(key, Math.min(at, offers.get(key) ?? at));
      else if (known.offeredAt !== null || at <= known.firstAt)
        arrivals[place] = { ...known, offeredAt: Math.min(at, known.offeredAt ?? at) };
    },
    arrived(ref, commit, at) {
      const { cluster } = ref;
      const commits = arrivedAt(commit, remembered.get(refKey(ref)) ?? []);
      if (commits === null) return;
      remembered.set(refKey(ref), commits);
      const place = placeOf(cluster, commit);
      const known = arrivals[place];
      const offeredAt = offers.get(`${cluster} ${commit}`) ?? null;
      if (known === undefined) arrivals.push({ cluster, commit, offeredAt, firstAt: at, lastAt: at, objects: 1 });
      else
        arrivals[place] = {
          ...known,
          firstAt: Math.min(known.firstAt, at),
          lastAt: Math.max(known.lastAt, at),
          objects: known.objects + 1,
        };
    },
  };
}
