import type { Labels } from '../fact.ts';
import type { ClusterAttribution } from '../source.ts';

/** The cluster that labels speak of: the one that the source's label names, else the one cluster of the source; null where neither is. */
export function attributedCluster(labels: Labels, { label, aliases, clusters }: ClusterAttribution): string | null {
  const value = Object.hasOwn(labels, label) ? (labels[label] ?? '') : '';
  if (value !== '') return Object.hasOwn(aliases, value) ? (aliases[value] ?? value) : value;
  const [only, another] = clusters;
  return another === undefined ? (only ?? null) : null;
}
