import type { AlarmsUnknown } from '#lib/domain/alarm/link.ts';
import { fleetConflictKey } from '#lib/domain/observation/conflict.ts';
import { cellsOf, type SentenceFacts } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { addInto, countOfCells, emptyTally, type Cells, type Tally } from '#lib/domain/guarantee/tally.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { hiddenKinds } from '../cache/hidden-kinds.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

function isSyncing({ known, feeds }: KnownCluster): boolean {
  return known.state === 'connecting' || (known.state === 'live' && feeds.some(({ state }) => state === 'syncing'));
}

/** Facts of some clusters that their summary is counted from. */
export interface SummaryFacts {
  readonly facts: Omit<SentenceFacts, 'filtered'>;
  readonly alarmsReceived: boolean;
  /** Why alarms of some are not known. */
  readonly alarmsUnknown: ReadonlySet<AlarmsUnknown>;
  /** Objects with exemptions, and the exemptions. */
  readonly exempt: number;
  readonly exemptions: number;
  readonly conflicts: number;
}

/** Counts some clusters. A row of what is only declared is no cluster: its objects count, it does not. */
export function factsOf(clusters: readonly KnownCluster[]): SummaryFacts {
  const tally = emptyTally();
  const found = { total: 0, unseen: 0, blind: 0, syncing: 0, silent: 0, away: 0, planned: 0 };
  const sum = { notMeasurable: 0, exempt: 0, exemptions: 0, conflicts: 0 };
  const conflicts = new Set<string>();
  let alarmsReceived = false;
  const alarmsUnknown = new Set<AlarmsUnknown>();
  for (const cluster of clusters) {
    addInto(tally, cluster.tally);
    sum.notMeasurable += cluster.notMeasurable;
    sum.exempt += cluster.exempt.length;
    for (const n of cluster.exemptions.values()) sum.exemptions += n;
    // As the list of them has it: what two clusters both tell of counts once, what is not told one by one as it is.
    for (const conflict of cluster.listedConflicts) conflicts.add(fleetConflictKey(cluster.name, conflict));
    sum.conflicts += cluster.conflicts - cluster.listedConflicts.length;
    alarmsReceived ||= cluster.alarmsReceived;
    for (const why of cluster.alarmsUnknown) alarmsUnknown.add(why);
    if (cluster.known.state === 'declared') continue;
    const has = (cells: Cells): number => (countOfCells(cluster.tally, cells) > 0 ? 1 : 0);
    const syncing = isSyncing(cluster);
    found.total += 1;
    if (syncing) found.syncing += 1;
    if (syncing || cluster.known.state !== 'live') found.unseen += 1;
    else if (hiddenKinds(cluster).length > 0) found.blind += 1;
    found.silent += has(cellsOf.silent);
    found.away += has(cellsOf.away);
    found.planned += has(cellsOf.planned);
  }
  const { notMeasurable, ...rest } = sum;
  const facts = { tally, notMeasurable, clusters: found };
  return { facts, alarmsReceived, alarmsUnknown, ...rest, conflicts: rest.conflicts + conflicts.size };
}

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
