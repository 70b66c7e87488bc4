import type { Labels } from '../fact.ts';
import type { ClusterAttribution } from '../source.ts';

/** The clusters of a source as a set: they are asked for with every series. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(clusters: readonly string[]): ReadonlySet<string> {
  const found = sets.get(clusters) ?? new Set(clusters);
  sets.set(clusters, found);
  return found;
}

/**
 * The cluster that labels speak of: the one that the source's label names, else the one cluster of the source; null where neither is. A source that is
 * configured to speak for some clusters says nothing of others, whatever its labels name: who owns it may lie of its own alone.
 */
export function attributedCluster(labels: Labels, { label, aliases, clusters }: ClusterAttribution): string | null {
  const value = Object.hasOwn(labels, label) ? (labels[label] ?? '') : '';
  if (value !== '') {
    const named = Object.hasOwn(aliases, value) ? (aliases[value] ?? value) : value;
    return clusters.length === 0 || setOf(clusters).has(named) ? named : null;
  }
  const [only, another] = clusters;
  return another === undefined ? (only ?? null) : null;
}
