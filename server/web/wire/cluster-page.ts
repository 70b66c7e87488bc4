import type { WireClusterPage } from '#lib/api/cluster.ts';
import { scopeWords, type Scope } from '#lib/api/scope.ts';
import { wireCounts } from '#server/web/wire/wire-row.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { hiddenKinds } from '../cache/hidden-kinds.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { outsideText } from './summary-facts.ts';
import { clusterSentence } from './cluster-sentence.ts';
import { worstFirst } from './lists/worst-first.ts';
import { wireCluster } from './wire-cluster.ts';
import type { WireContext } from './wire-context.ts';
import { wireObject } from './object/wire-object.ts';
import { wireTime } from './wire-time.ts';

const SHOWN = 2_000;
const nothing = 'Nothing matches this filter.';
const nothingMatches = { truth: 'empty', text: nothing, said: [{ text: nothing, href: null }] } as const;
type Edge = WireClusterPage['edges'][number];

/** Sources of the page of a cluster: the cluster, what its scope keeps of it (null for nothing), and what the record says of it. */
export interface ClusterPageSource {
  readonly known: KnownCluster;
  readonly kept: KnownCluster | null;
  readonly scope: Scope;
  readonly record: CurrentCluster | null;
}

/** The page of one cluster on the wire. */
export function clusterPage({ known, kept, scope, record }: ClusterPageSource, context: WireContext): WireClusterPage {
  const all = kept?.objects ?? [];
  const objects = all.toSorted(worstFirst(context)).slice(0, SHOWN);
  const filteredBy = scopeWords({ ...scope, cluster: '' });
  const { truth, text, said } =
    kept === null ? nothingMatches : clusterSentence(kept, hiddenKinds(kept), context.now, scope);
  return {
    asOf: wireTime(context.now),
    sentence: text,
    said: [...said],
    truth,
    filter: filteredBy === '' ? null : { text: filteredBy, outside: outsideText([known], kept === null ? [] : [kept]) },
    counts: wireCounts(kept?.counts ?? new Map()),
    declared: kept?.guarantee.declared ?? 0,
    offer: {
      kinds: [...new Set(known.objects.map(({ ref }) => ref.kind))].toSorted(),
      namespaces: [...new Set(known.objects.map(({ ref }) => ref.namespace || '-'))].toSorted(),
    },
    cluster: wireCluster(known, record, context.now),
    objects: objects.map((object) => wireObject(object, context)),
    total: all.length,
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
  for (const { ref, source, deliveredBy, upstreams } of objects) {
    add('source', source, ref);
    for (const other of upstreams.sources) add('source', other, ref);
    add('delivery', deliveredBy, ref);
    for (const other of upstreams.dependsOn) add('dependency', other, ref);
    add('composition', upstreams.parent, ref);
    add('provider', upstreams.provider, ref);
    add('provider', upstreams.providerConfig, ref);
  }
  return [...edges.values()];
}
