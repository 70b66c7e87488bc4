import { intersectionOf, lengthOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion } from '#lib/domain/time/time-union.ts';
import type { Unseen } from './record/record-gaps.ts';

/** What is known of a period: when the record of each cluster began (ms), and what was not being observed. */
interface Known {
  readonly begun: ReadonlyMap<number, number>;
  readonly unseen: Unseen;
  readonly period: Period;
}

/** How long (ms) at least one of some clusters was being observed, by the id of a kind; 0 for the cluster itself. */
export type SeenTime = (clusters: Iterable<number>, kind: number) => number;

/** The time observed within a period. */
export function seenBy({ begun, unseen, period }: Known): SeenTime {
  /** When a cluster was not: before its record began, and in its gaps. */
  function blindOn(cluster: number, kind: number): FlatStretches {
    const blind = timeUnion();
    blind.add(period.from, Math.min(period.to, begun.get(cluster) ?? period.to));
    for (const { from, to } of unseen.gapsOf(cluster, kind))
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
