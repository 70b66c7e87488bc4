import type { CurrentCluster, CurrentObject, Transition } from '#lib/domain/record/current.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import { refKey, sameRef, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { afterEnd, afterRecord } from '#server/store/record/incident-rules.ts';
import type { PastTraits, LastKnownOrigin } from '#server/store/record/past-fleet.ts';
import type { WriteBatch } from '#server/store/port/port.ts';
import type { PlainHistory } from './plain-record.ts';

/** One thing that was written of a cluster. Times in ms since the epoch. */
export type Written =
  | { readonly cluster: string; readonly batch: WriteBatch }
  | { readonly cluster: string; readonly forgottenAt: number };

type Grown = Omit<PlainHistory, 'traits' | 'places' | 'clusters'>;

/** A history while it is being written. */
type Growing = { readonly [K in keyof Grown]: Grown[K][number][] } & {
  readonly traits: Map<Transition, PastTraits>;
  readonly places: Map<RefKey, LastKnownOrigin>;
};

/** What the record comes to when this was written, in this order: the rules of writing, as plainly as they can be followed. */
export function historyOf(writes: readonly Written[]): PlainHistory {
  const history: Growing = {
    transitions: [],
    coverage: [],
    changes: [],
    incidents: [],
    corrections: [],
    earlier: [],
    arrivals: [],
    traits: new Map(),
    places: new Map(),
  };
  const living = new Map<RefKey, CurrentObject>();
  const clusters = new Map<string, CurrentCluster>();

  function newest(ref: ObjectRef): { incident: Incident; index: number } | null {
    const index = history.incidents.findLastIndex((incident) => sameRef(incident.ref, ref));
    const incident = history.incidents[index];
    return incident === undefined ? null : { incident, index };
  }

  function end(ref: ObjectRef, at: number, ended: 'removed' | 'forgotten'): void {
    const last = newest(ref);
    const next = afterEnd(last?.incident ?? null, at, ended);
    if (last !== null && next !== null) history.incidents[last.index] = next;
    living.delete(refKey(ref));
  }

  function take(object: CurrentObject): void {
    const last = newest(object.ref);
    const next = afterRecord(last?.incident ?? null, object);
    if (next !== null) {
      const same = last?.incident.openedAt === next.openedAt && last.incident.uid === next.uid;
      if (last !== null && same) history.incidents[last.index] = next;
      else history.incidents.push(next);
    }
    const { source, deliveredBy, path, repository } = object;
    history.places.set(refKey(object.ref), { source, deliveredBy, path, repository });
    // In the order of their last record: so they are told when their cluster is forgotten.
    living.delete(refKey(object.ref));
    living.set(refKey(object.ref), object);
  }

  function arrive(cluster: string, commit: string, at: number): void {
    const index = history.arrivals.findIndex((one) => one.cluster === cluster && one.commit === commit);
    const known = history.arrivals[index];
    if (known === undefined) {
      history.arrivals.push({ cluster, commit, offeredAt: null, firstAt: at, lastAt: at, objects: 1 });
      return;
    }
    history.arrivals[index] = {
      ...known,
      firstAt: Math.min(known.firstAt, at),
      lastAt: Math.max(known.lastAt, at),
      objects: known.objects + 1,
    };
  }

  for (const write of writes) {
    const { cluster } = write;
    if ('forgottenAt' in write) {
      const at = write.forgottenAt;
      for (const object of [...living.values()].filter(({ ref }) => ref.cluster === cluster)) {
        const { ref, uid, verdict } = object;
        const gone = { reason: 'Forgotten', message: '', commit: null, attempted: null, rootCause: null };
        history.transitions.push({ ref, uid, at, bound: 'exact', noticedAt: at, from: verdict, to: null, ...gone });
        end(ref, at, 'forgotten');
      }
      history.coverage.push({ cluster, kind: null, at, observed: false, state: 'forgotten', reason: null });
      clusters.delete(cluster);
      continue;
    }
    const { batch } = write;
    if (batch.cluster !== null) clusters.set(cluster, batch.cluster);
    for (const { ref, at } of batch.removed) end(ref, at, 'removed');
    for (const { object } of batch.objects) take(object);
    for (const transition of batch.transitions) {
      history.transitions.push(transition);
      const record = batch.objects.find(
        ({ object }) => sameRef(object.ref, transition.ref) && object.onset.noticedAt === transition.noticedAt,
      )?.object;
      if (record !== undefined && transition.to !== null) history.traits.set(transition, record);
    }
    history.changes.push(...batch.changes);
    history.corrections.push(...batch.corrections);
    history.earlier.push(...batch.earlier);
    history.coverage.push(...batch.coverage);
    for (const { commit, at } of batch.arrivals) arrive(cluster, commit, at);
  }
  return { ...history, clusters: [...clusters.values()] };
}
