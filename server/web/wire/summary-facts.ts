import { fleetConflictKey } from '#lib/domain/observation/conflict.ts';
import { cellsOf, type SentenceFacts } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { addInto, countOfCells, emptyTally, type Cells } from '#lib/domain/guarantee/tally.ts';
import { hiddenKinds } from '../cache/hidden-kinds.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

function isSyncing({ known, feeds }: KnownCluster): boolean {
  return known.state === 'connecting' || (known.state === 'live' && feeds.some(({ state }) => state === 'syncing'));
}

/** Facts of some clusters that their head is counted from. */
export interface SummaryFacts {
  readonly facts: SentenceFacts;
  readonly alarmsHeard: boolean;
  /** Objects with exemptions, and the exemptions. */
  readonly exempt: number;
  readonly exemptions: number;
  readonly conflicts: number;
}

/** Counts some clusters. A row of what is only declared is no cluster: its objects count, it does not. */
export function factsOf(clusters: readonly KnownCluster[], filtered: boolean): SummaryFacts {
  const tally = emptyTally();
  const found = { total: 0, unseen: 0, blind: 0, syncing: 0, silent: 0, away: 0, planned: 0 };
  const sum = { notMeasurable: 0, exempt: 0, exemptions: 0, conflicts: 0 };
  const conflicts = new Set<string>();
  let alarmsHeard = false;
  for (const cluster of clusters) {
    addInto(tally, cluster.tally);
    sum.notMeasurable += cluster.notMeasurable;
    sum.exempt += cluster.exempt.length;
    for (const n of cluster.exemptions.values()) sum.exemptions += n;
    // As the list of them has it: what two clusters both tell of counts once, what is not told one by one as it is.
    for (const conflict of cluster.toldConflicts) conflicts.add(fleetConflictKey(cluster.name, conflict));
    sum.conflicts += cluster.conflicts - cluster.toldConflicts.length;
    alarmsHeard ||= cluster.alarmsHeard;
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
  const facts = { tally, notMeasurable, filtered, clusters: found };
  return { facts, alarmsHeard, ...rest, conflicts: rest.conflicts + conflicts.size };
}
