import type { WireClusterPage } from '#lib/api/cluster.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
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

/** The page of one cluster on the wire. */
export function clusterPage(known: KnownCluster, record: CurrentCluster | null, context: WireContext): WireClusterPage {
  const objects = known.objects.toSorted(worstFirst(context)).slice(0, SHOWN);
  const { truth, text, said } = clusterSentence(known, hiddenKinds(record), context.now);
  return {
    asOf: wireTime(context.now),
    sentence: text,
    said: [...said],
    truth,
    cluster: wireCluster(known, record, context.now),
    objects: objects.map((object) => wireObject(object, context)),
    total: known.objects.length,
    edges: edgesOf(objects),
  };
}

function edgesOf(objects: readonly CurrentObject[]): Edge[] {
  const edges = new Map<string, Edge>();
  function add(relation: Edge['relation'], from: ObjectRef | null, to: ObjectRef): void {
    if (!from) return;
    const [start, end] = [refKey(from), refKey(to)];
    if (start !== end) edges.set(`${start} ${end} ${relation}`, { from: start, to: end, relation });
  }
  for (const { ref, source, deliveredBy, standsOn } of objects) {
    add('source', source, ref);
    for (const other of standsOn.sources) add('source', other, ref);
    add('delivery', deliveredBy, ref);
    for (const other of standsOn.dependsOn) add('dependency', other, ref);
    add('composition', standsOn.parent, ref);
    add('provider', standsOn.provider, ref);
    add('provider', standsOn.providerConfig, ref);
  }
  return [...edges.values()];
}
