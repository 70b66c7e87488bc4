import { intersectionOf, lengthOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Gap } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion } from '#lib/domain/time/time-union.ts';

/** Knowledge of a period: when the record of each cluster began (ms), and what was not being observed. */
interface Known<C, K> {
  readonly begun: ReadonlyMap<C, number>;
  readonly gapsOf: (cluster: C, kind: K) => readonly Gap[];
  readonly period: Period;
}

/** Time (ms) in which at least one of some clusters was being observed, with a kind. */
export type SeenTime<C, K> = (clusters: Iterable<C>, kind: K) => number;

/** The time observed within a period. */
export function seenBy<C, K>({ begun, gapsOf, period }: Known<C, K>): SeenTime<C, K> {
  /** When a cluster was not: before its record began, and in its gaps. */
  function blindOn(cluster: C, kind: K): FlatStretches {
    const blind = timeUnion();
    blind.add(period.from, Math.min(period.to, begun.get(cluster) ?? period.to));
    for (const { from, to } of gapsOf(cluster, kind))
      blind.add(Math.max(period.from, from), Math.min(period.to, to ?? period.to));
    return blind.stretches();
  }

  return (clusters, kind) => {
    let blind: FlatStretches = Float64Array.of(period.from, period.to);
    for (const cluster of clusters) {
      // Of a large fleet some cluster is always seen: the others need not be looked at.
      if (blind.length === 0) break;
      blind = intersectionOf(blind, blindOn(cluster, kind));
    }
    return period.to - period.from - lengthOf(blind);
  };
}
