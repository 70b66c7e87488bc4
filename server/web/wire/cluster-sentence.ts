import { pagingText } from '#lib/domain/alarm/alarm-text.ts';
import type { WireSaid } from '#lib/api/object.ts';
import { listPath } from '#lib/api/paths.ts';
import { scopeParams, wholeFleet, type Scope } from '#lib/api/scope.ts';
import { alarmedText, cellsOf, saidText, statementsOf, type Said } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { cellsFilter, countOfCells, type Cells, type Tally } from '#lib/domain/guarantee/tally.ts';
import { formatDuration, least } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** Part of one cluster that its sentence is made from. */
type Known = Pick<KnownCluster, 'name' | 'known' | 'tally' | 'alarmsReceived' | 'alarmsUnknown'>;

/** The sentence of one cluster, and whether it holds. `said`: its pieces, whose numbers lead to lists. */
export interface ClusterSentence {
  readonly truth: 'holds' | 'broken' | 'unknown';
  readonly text: string;
  readonly said: readonly WireSaid[];
}

/** Why nothing can be said of what is there; null where something can. */
function unsaid({ known, tally }: Known, hidden: readonly string[], now: number): string | null {
  if (known.state === 'connecting') return 'That cannot be said yet: the cluster is being connected.';
  if (known.state === 'declared') return 'What is declared here is never observed: no loop reports on it.';
  if (known.state !== 'live')
    return `That cannot be said: the cluster has not been seen for ${least(known)}${formatDuration(now - known.since)}.`;
  if (countOfCells(tally, cellsOf.all) > 0) return null;
  if (hidden.length > 0) return `That cannot be said: ${unreadable(hidden)}.`;
  return 'That cannot be said: no object of a reconciler has been found here yet.';
}

function unreadable(hidden: readonly string[]): string {
  return `${hidden.length > 3 ? `${hidden.length} kinds` : hidden.join(', ')} cannot be read here`;
}

function plain(text: string): Said {
  return { text, counts: null };
}

/** Of one cluster it is not said where. */
const here = { silent: '', away: '' };

/** Sentence about a cluster that is seen, first what cannot be read there. */
function counted({ tally }: Known, hidden: readonly string[]): readonly Said[] {
  const statements = statementsOf(tally, here);
  const all: Said = { text: countOf(countOfCells(tally, cellsOf.all), 'object'), counts: cellsOf.all };
  const found: Said[] = [];
  if (hidden.length > 0) found.push(plain(`${unreadable(hidden)}. `));
  for (const { opening, counts } of statements) found.push(plain(`${opening} `), ...counts, plain(' '));
  if (statements.length > 0) return [...found, ...alarmedText(tally)];
  const planned = countOfCells(tally, cellsOf.planned);
  if (planned > 0) {
    const some: Said = { text: `${planned} of `, counts: cellsOf.planned };
    const be = planned === 1 ? 'is' : 'are';
    return [...found, plain('So it is but for planned work: '), some, all, plain(` ${be} not known to be as in git.`)];
  }
  const alarmed = alarmedText(tally);
  const none = alarmed.length > 0 ? 'all else is as in git' : 'nothing is away from git';
  const opening = hidden.length > 0 ? `Of what is seen, ${none}: ` : 'So it is: ';
  return [...found, plain(opening), all, plain('. '), ...alarmed];
}

/**
 * The sentence of one cluster, or of what a scope keeps of it, as known at `now` (ms). `hidden`: the kinds that cannot be read there.
 * Its numbers lead to the lists of that scope.
 */
export function clusterSentence(
  known: Known,
  hidden: readonly string[],
  now: number,
  scope: Scope = { ...wholeFleet, cluster: known.name },
): ClusterSentence {
  const nothing = unsaid(known, hidden, now);
  if (nothing !== null) return { truth: 'unknown', text: nothing, said: [{ text: nothing, href: null }] };
  const has = (cells: Cells): boolean => countOfCells(known.tally, cells) > 0;
  const paging = pagingText({ why: known.alarmsUnknown, some: known.alarmsReceived });
  const standing = counted(known, hidden);
  const gap = saidText(standing).endsWith(' ') ? '' : ' ';
  const parts = paging === null ? standing : [...standing, plain(gap + paging)];
  const isOpen = hidden.length > 0 || has(cellsOf.planned) || statementsOf(known.tally, here).length > 0;
  return {
    truth: has(cellsOf.silent) ? 'broken' : isOpen ? 'unknown' : 'holds',
    text: saidText(parts).trim(),
    said: wireSaid(parts, known.tally, scope),
  };
}

/** Pieces of a sentence on the wire: each number of objects leads to the list of these, within the scope that they were counted in. */
export function wireSaid(parts: readonly Said[], tally: Tally, scope: Scope): WireSaid[] {
  return parts.map(({ text, counts }) => {
    if (counts === null) return { text, href: null };
    const asked = counts === 'not-measured' ? { drift: counts } : cellsFilter(tally, counts);
    return { text, href: listPath({ ...scopeParams(scope), ...asked }) };
  });
}
