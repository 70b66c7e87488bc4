import type { WireClusterPage } from '#lib/api/cluster.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail } from '#lib/domain/current.ts';
import { formatDuration } from '#lib/format/duration.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { refKey } from '#lib/domain/ref.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';
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
    sentence: sentence(known, hiddenKinds(record), context.now),
    cluster: wireCluster(known, record, context.now),
    objects: objects.map((object) => wireObject(object, context)),
    total: known.objects.length,
    edges: edgesOf(objects, details),
  };
}

function sentence(known: KnownCluster, hidden: readonly string[], now: number): string {
  const total = known.objects.length;
  const objects = `${total} ${total === 1 ? 'object' : 'objects'}`;
  if (known.known.state === 'connecting') return 'That cannot be said yet: the cluster is being connected.';
  if (known.known.state !== 'live') {
    return `That cannot be said: the cluster has not been seen for ${formatDuration(now - known.known.since)}.`;
  }
  if (total === 0) return 'That cannot be said: no object of a reconciler has been found here yet.';
  const { broken, unknown } = known.guarantee;
  if (broken > 0)
    return `Not so: ${broken} of ${objects} ${broken === 1 ? 'is' : 'are'} away from git and nobody was called.`;
  if (known.away > 0 && !known.alarmsHeard)
    return `Not as in git: ${known.away} of ${objects} ${known.away === 1 ? 'is' : 'are'} away from git, and no alarms are read.`;
  if (hidden.length > 0) {
    const kinds = hidden.length > 3 ? `${hidden.length} kinds` : hidden.join(', ');
    return `That cannot be said: ${kinds} cannot be read here. Of ${objects} that ${total === 1 ? 'is' : 'are'} seen, ${known.away === 0 ? 'none' : known.away} ${known.away < 2 ? 'is' : 'are'} away from git.`;
  }
  if (unknown > 0) return `That cannot be said for ${unknown} of ${objects}.`;
  if (known.away > 0)
    return `So it is: of ${objects} ${known.away} ${known.away === 1 ? 'is' : 'are'} away from git, and alarms are sounding or not yet due.`;
  return `So it is: ${objects}.`;
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
