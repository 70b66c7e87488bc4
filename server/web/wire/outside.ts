import { cellsOf } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { addInto, countOfCells, emptyTally, type Tally } from '#lib/domain/guarantee/tally.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

const { verdicts, guarantees } = cellsOf.troubled;

function troubled(tally: Tally, verdict: Verdict): number {
  return countOfCells(tally, { verdicts: [verdict], guarantees });
}

function sumOf(clusters: readonly KnownCluster[]): Tally {
  const sum = emptyTally();
  for (const { tally } of clusters) addInto(sum, tally);
  return sum;
}

function isUnseen({ known: { state } }: KnownCluster): boolean {
  return state !== 'live' && state !== 'declared';
}

/**
 * Part of the rest as bad as what a filter keeps, or worse: "Outside this filter: 2 diverged on 1 cluster; 3 clusters are not seen."
 * Of one cluster only it is not said on how many. Compared is the worst verdict inside with what is away, stale or unobserved outside.
 */
export function outsideText(whole: readonly KnownCluster[], inside: readonly KnownCluster[]): string {
  const [all, kept] = [sumOf(whole), sumOf(inside)];
  const worst = verdicts.findIndex((verdict) => troubled(kept, verdict) > 0);
  const compared = worst === -1 ? verdicts : verdicts.slice(0, worst + 1);
  const worse = compared.filter((verdict) => troubled(all, verdict) > troubled(kept, verdict));
  const insideOf = new Map(inside.map((cluster) => [cluster.name, cluster]));
  const on = whole.filter(({ name, tally }) => {
    const own = insideOf.get(name)?.tally ?? [];
    return worse.some((verdict) => troubled(tally, verdict) > troubled(own, verdict));
  });
  const unseen = whole.filter((cluster) => isUnseen(cluster) && !insideOf.has(cluster.name)).length;
  const named = worse.map((verdict) => `${formatCount(troubled(all, verdict) - troubled(kept, verdict))} ${verdict}`);
  const parts: string[] = [];
  if (named.length > 0)
    parts.push(whole.length === 1 ? named.join(', ') : `${named.join(', ')} on ${countOf(on.length, 'cluster')}`);
  if (unseen > 0) parts.push(`${countOf(unseen, 'cluster')} ${unseen === 1 ? 'is' : 'are'} not seen`);
  return parts.length === 0 ? 'Outside this filter nothing is worse.' : `Outside this filter: ${parts.join('; ')}.`;
}
