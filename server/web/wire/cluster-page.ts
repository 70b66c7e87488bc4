import type { WireClusterPage } from '#lib/api/cluster.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail } from '#lib/domain/current.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { refKey } from '#lib/domain/ref.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';
import { clusterSentence } from './cluster-sentence.ts';
import { hiddenKinds } from './partial.ts';
import { worstFirst } from './worst-first.ts';
import { wireCluster } from './wire-cluster.ts';
import type { WireContext } from './wire-context.ts';
import { wireObject } from './wire-object.ts';
import { wireTime } from './wire-time.ts';

const SHOWN = 2_000;
type Edge = WireClusterPage['edges'][number];

/** The page of one cluster on the wire. `details` where they were read, by key: they carry dependencies and compositions. */
export function clusterPage(
  known: KnownCluster,
  record: CurrentCluster | null,
  details: ReadonlyMap<string, ObjectDetail>,
  context: WireContext,
): WireClusterPage {
  const objects = known.objects.toSorted(worstFirst(context)).slice(0, SHOWN);
  return {
    asOf: wireTime(context.now),
    sentence: clusterSentence(known, hiddenKinds(record), context.now),
    cluster: wireCluster(known, record, context.now),
    objects: objects.map((object) => wireObject(object, context)),
    total: known.objects.length,
    edges: edgesOf(objects, details),
  };
}

function edgesOf(objects: readonly CurrentObject[], details: ReadonlyMap<string, ObjectDetail>): Edge[] {
  const edges = new Map<string, Edge>();
  function add(relation: Edge['relation'], from: ObjectRef | null | undefined, to: ObjectRef): void {
    if (!from) return;
    const [start, end] = [refKey(from), refKey(to)];
    if (start !== end) edges.set(`${start} ${end} ${relation}`, { from: start, to: end, relation });
  }
  for (const object of objects) {
    add('source', object.source, object.ref);
    add('delivery', object.deliveredBy, object.ref);
    const observation = details.get(refKey(object.ref))?.observation;
    for (const ref of observation?.dependsOn ?? []) add('dependency', ref, object.ref);
    for (const ref of observation?.children ?? []) add('composition', object.ref, ref);
    add('composition', observation?.parent, object.ref);
    add('provider', observation?.providerConfig, object.ref);
  }
  return [...edges.values()];
}
