import type { Named, Wanted } from '#lib/domain/pager/given.ts';
import { kindTest } from '#lib/domain/pager/kind-name.ts';
import { matchOf } from '#lib/domain/pager/match.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentFeed } from '#lib/domain/record/current.ts';
import { foreignName, longestName } from '#lib/foreign-words.ts';
import { formatDuration, least } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { nearestClusters, nearestNames, nearestObjects } from '../wire/lists/nearest.ts';
import type { Found } from './found.ts';

/** Sentences on each part that labels name, where no object fits them: which of it is there, and what may hide the object. Takes ms. */
export function knownOf({ read, wanted, fleet, past }: Found, now: number): readonly string[] {
  const { cluster, kind, namespace, name } = wanted;
  const here = clusterOf(wanted, fleet);
  const found: string[] = [];
  if (read.labels.length > 0 && kind === null && name === null)
    found.push('There is neither a kind nor a name among the labels.');
  if (cluster !== null) found.push(here === null ? noCluster(cluster, past) : clusterText(here, now));
  else if (kind !== null || name !== null) found.push(`No cluster was named: ${all(fleet)} searched.`);
  if (cluster !== null && (here === null || here.known.state !== 'live')) return found;
  const searched = here === null ? fleet : [here];
  if (kind !== null) found.push(...kindTexts(kind, searched, here));
  if (namespace !== null && (kind !== null || name !== null)) found.push(namespaceText(namespace, searched, here));
  // Kinds of several groups may be called the same.
  return [...new Set(found)];
}

/** A row of what is declared is no cluster. */
function all(fleet: readonly KnownCluster[]): string {
  const { length } = fleet.filter(({ known }) => known.state !== 'declared');
  return length === 1 ? 'the only one was' : `all ${length} were`;
}

/** The cluster that was named, where it is known. */
export function clusterOf({ cluster }: Wanted, fleet: readonly KnownCluster[]): KnownCluster | null {
  return cluster === null ? null : (fleet.find(({ name }) => name === cluster.value) ?? null);
}

/** The kind that was named as it is really called on some clusters; null where none has it. */
export function kindIn(
  { kind }: Wanted,
  clusters: readonly KnownCluster[],
): Pick<CurrentFeed, 'group' | 'kind'> | null {
  if (kind === null) return null;
  const isNamed = kindTest(kind.value);
  for (const { feeds } of clusters) for (const feed of feeds) if (isNamed(feed)) return feed;
  return null;
}

const mostNear = 5;

/** Objects that may have been meant, the nearest first; of a cluster that is not there those that fit on the nearest, or these clusters. */
export function nearestOf(wanted: Wanted, fleet: readonly KnownCluster[]): readonly ObjectRef[] {
  const { cluster, namespace, name } = wanted;
  const isUnknown = cluster !== null && clusterOf(wanted, fleet) === null;
  const clusters = isUnknown ? nearestClusters(cluster.value.slice(0, longestName), fleet) : [];
  if (name === null) return clusters;
  const fitting = clusters.flatMap((near) => {
    const match = matchOf({ ...wanted, cluster: { value: near.cluster, label: 'cluster' } }, fleet);
    return match.type === 'exact' || match.type === 'inferred' ? match.object.ref : [];
  });
  const kind = kindIn(wanted, fleet);
  const others = nearestObjects(
    {
      cluster: cluster?.value ?? '',
      group: kind?.group ?? '',
      kind: kind?.kind ?? '',
      namespace: namespace?.value ?? '',
      name: name.value,
    },
    fleet,
  );
  const all = new Map([...fitting, ...others].map((ref) => [refKey(ref), ref]));
  return [...all.values()].slice(0, mostNear);
}

function noCluster({ value }: Named, past: boolean): string {
  return past ? `No cluster ${foreignName(value)} was known then.` : `No cluster ${foreignName(value)} is configured.`;
}

function clusterText(here: KnownCluster, now: number): string {
  const { name } = here;
  const { state, since, bound, reason } = here.known;
  const why = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
  switch (state) {
    case 'live':
      return `Cluster ${name} is seen: ${countOf(here.objects.length, 'object')} known there.`;
    case 'declared':
      return `${name} holds what plumbline.yaml declares; nothing of it is observed.`;
    case 'connecting':
      return `Cluster ${name} is being connected: what is there is not known yet.`;
    case 'unreachable':
    case 'unauthorized':
    case 'misconfigured':
    case 'unobserved':
      return `Cluster ${name} has not been seen for ${least({ bound })}${formatDuration(now - since)}, so what is there now is not known${why}.`;
  }
}

function kindTexts(kind: Named, searched: readonly KnownCluster[], here: KnownCluster | null): readonly string[] {
  const isNamed = kindTest(kind.value);
  const feeds = searched.flatMap((cluster) => cluster.feeds.filter(isNamed));
  if (feeds.length === 0) {
    const kinds = [...new Set(searched.flatMap((cluster) => cluster.feeds.map((feed) => feed.kind)))];
    const near = nearestNames(kind.value.slice(0, longestName), kinds);
    const nearest = near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`;
    return [`No kind ${foreignName(kind.value)} is watched ${here === null ? 'anywhere' : 'there'}.${nearest}`];
  }
  if (here !== null) return feeds.slice(0, 5).map((feed) => feedText(feed, here));
  const blind = feeds.filter(({ state }) => state !== 'live' && state !== 'idle').length;
  const [first] = feeds;
  const unseen = blind === 0 ? '' : ` On ${countOf(blind, 'cluster')} it cannot be read now.`;
  return [`${first?.kind} is watched on ${countOf(feeds.length, 'cluster')}.${unseen}`];
}

function feedText({ group, kind, state, reason }: CurrentFeed, { objects }: KnownCluster): string {
  switch (state) {
    case 'live':
      return `${kind} is watched there: ${countOf(objects.filter(({ ref }) => ref.kind === kind && ref.group === group).length, 'object')}.`;
    case 'idle':
      return `${kind} is watched there: there is none.`;
    case 'absent':
      return `${kind} is not served there.`;
    case 'syncing':
      return `${kind} is being read there: what is there is not known yet.`;
    case 'forbidden':
    case 'silent':
    case 'failed':
      return `${kind} cannot be read there, so this one may be there unseen.${reason === null ? '' : ` ${reason}`}`;
  }
}

function namespaceText({ value }: Named, searched: readonly KnownCluster[], here: KnownCluster | null): string {
  let count = 0;
  for (const { objects } of searched) for (const { ref } of objects) if (ref.namespace === value) count += 1;
  const where = here === null ? '' : ' there';
  const name = foreignName(value);
  return count === 0
    ? `Nothing is known in namespace ${name}${where}.`
    : `In namespace ${name}${where}: ${countOf(count, 'object')} known.`;
}
