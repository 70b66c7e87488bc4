import { refKey, type RefKey, sameRef } from '#lib/domain/observation/ref.ts';
import { effectiveObservation, listingObservation, type DeliveryKnowledge } from '../judging/knowledge.ts';
import { nothingKnown } from '../judging/surroundings.ts';
import { keyIn, type ObjectGraph } from '../objects/object-graph.ts';
import { runningOrigin } from './origin.ts';
import type { Bearer, RemoteApplier, RemoteApplierIndex } from './remote-applier-index.ts';

/** The ties of one cluster with the others: what reaches over from it, and what reaches over to it. */
export type RemoteLinks = ReturnType<typeof tieRemotes>;

/** The objects of a cluster by the labels that they carry; `contest` is called with the key of one that is called alike elsewhere. */
function bearerOf(
  cluster: string,
  { entries }: Pick<DeliveryKnowledge, 'entries'>,
  contest: (key: RefKey) => void,
): Bearer {
  return {
    uidOf(applier, object) {
      const entry = entries.get(refKey(object));
      if (!entry) return null;
      const { deliveredBy, alsoNamed = null } = effectiveObservation(entry);
      const here = { ...applier, cluster };
      return sameRef(deliveredBy, here) || sameRef(alsoNamed, here) ? entry.state.track.latest.uid : null;
    },
    contest: (object) => contest(refKey(object)),
  };
}

/** Publication of an applier, and the version of the object that it is of. */
interface Published {
  readonly applier: RemoteApplier;
  readonly version: string;
}

/** The publication of an applier that was judged, with the inventory of the one `before` where that is the same; `seen`: whether its cluster is being looked at. */
function publicationOf(
  graph: DeliveryKnowledge,
  key: RefKey,
  before: Published | undefined,
  seen: boolean,
): Published | null {
  const entry = graph.entries.get(key);
  if (!entry?.state.judgement) return null;
  const observation = listingObservation(entry);
  const version = entry.state.track.latest.resourceVersion;
  const known = before?.applier.inventory;
  const same = before?.version === version || (known !== undefined && sameIds(known, observation.inventory));
  const { commit, repository } = runningOrigin(graph, entry, entry.state.judgement);
  const related: RemoteApplier['related'] = {
    ...nothingKnown,
    ref: observation.ref,
    state: seen ? 'present' : 'unseen',
    judgement: entry.state.judgement,
    awaySince: entry.state.clocks?.away?.time ?? null,
  };
  const inventory = known && same ? known : new Set(observation.inventory);
  return { applier: { ref: observation.ref, inventory, related, origin: { commit, repository } }, version };
}

/** Ties a cluster's graph to the index of all clusters; `wake` is called when there is news. */
export function tieRemotes(
  cluster: string,
  graph: DeliveryKnowledge & Pick<ObjectGraph, 'dependentsOf' | 'reachingOver'>,
  index: RemoteApplierIndex,
  wake: () => void,
) {
  const published = new Map<RefKey, Published>();
  const news = new Set<RefKey>();
  const contested = new Set<RefKey>();
  let seenBefore: boolean | null = null;
  const stopListening = index.listen((ref) => {
    // Whatever carries the labels of that name depends on its namesake here, there or not.
    const named = keyIn(cluster, ref);
    const [first] = graph.dependentsOf(named);
    if (first === undefined) return;
    news.add(named);
    wake();
  });

  const leave = index.attend(
    cluster,
    bearerOf(cluster, graph, (key) => {
      contested.add(key);
      wake();
    }),
  );

  return {
    /** Objects of this cluster that something may reach over to, of which news came since the last call. */
    news(): Iterable<RefKey> {
      const keys = [...news].flatMap((named) => [...graph.dependentsOf(named)]);
      const all = [...keys, ...contested];
      news.clear();
      contested.clear();
      return all;
    },
    /**
     * Tells the others what reaches over from this cluster now; `seen`: whether this cluster is being looked at, `judged`: the
     * objects that were judged since the last call. Of a thousand that reach over few are judged at once.
     */
    publish(seen: boolean, judged: Iterable<RefKey>): void {
      for (const [key, { applier }] of published) {
        if (graph.reachingOver.has(key)) continue;
        published.delete(key);
        index.publish(applier.ref, null);
      }
      for (const key of seen === seenBefore ? judged : graph.reachingOver) {
        const now = graph.reachingOver.has(key) ? publicationOf(graph, key, published.get(key), seen) : null;
        if (!now) continue;
        const before = published.get(key)?.applier;
        published.set(key, now);
        if (!isSame(before, now.applier)) index.publish(now.applier.ref, now.applier);
      }
      seenBefore = seen;
    },
    /** Nobody here looks at this cluster any more. */
    stop(): void {
      stopListening();
      leave();
      for (const { applier } of published.values()) index.publish(applier.ref, null);
      published.clear();
    },
  };
}

function sameIds(known: ReadonlySet<string>, ids: readonly string[]): boolean {
  return known.size === ids.length && ids.every((id) => known.has(id));
}

/** True if nothing changed that bears on what it reaches over to. */
function isSame(before: RemoteApplier | undefined, after: RemoteApplier): boolean {
  return (
    before !== undefined &&
    before.inventory === after.inventory &&
    before.related.state === after.related.state &&
    before.related.awaySince === after.related.awaySince &&
    before.related.judgement?.verdict === after.related.judgement?.verdict &&
    JSON.stringify(before.related.judgement?.rootCause) === JSON.stringify(after.related.judgement?.rootCause) &&
    before.origin.commit === after.origin.commit &&
    before.origin.repository === after.origin.repository
  );
}
