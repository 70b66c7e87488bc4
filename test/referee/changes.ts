// The summary of the page of changes: what it says of the period that was asked for.
import { isDuring, isIn, nameOf, objectsIn, sharesOf, total } from './own-count.ts';
import type { RecordRows } from './rows.ts';
import { knownOf, type Between } from './stretches.ts';

/** All that happened in a period on some clusters (null: all). */
export interface Happened {
  readonly transitions: number;
  readonly changes: number;
  /** The share of the objects' time that was seen; null where there was none. */
  readonly observed: number | null;
  readonly sentence: string;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function timeOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.toISOString().slice(11, 19)} UTC`;
}

function many(n: number, one: string, more: string): string {
  return `${String(n).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',')} ${n === 1 ? one : more}`;
}

export function countHappened(rows: RecordRows, clusters: readonly string[] | null, period: Between): Happened {
  const scope = { clusters };
  const shares = sharesOf(objectsIn(rows, scope).flatMap((object) => knownOf(object, rows, period)));
  const existed = total(shares);
  const seen = existed - (shares.get('unobserved') ?? 0);
  const transitions = rows.transitions.filter(
    ({ ref, noticedAt }) => isIn(scope, ref) && isDuring(noticedAt, period),
  ).length;
  const changes = rows.changes.filter(
    ({ cluster, at }) => (clusters?.includes(cluster) ?? true) && isDuring(at, period),
  ).length;
  const parts = [
    ...(transitions === 0 ? [] : [many(transitions, 'change of verdict', 'changes of verdict')]),
    ...(changes === 0 ? [] : [many(changes, 'change on the clusters', 'changes on the clusters')]),
  ];
  const where = clusters === null ? '' : ` on ${clusters.join(' and ')}`;
  const head = `From ${timeOf(period.from)} to ${timeOf(period.to)}${where}`;
  return {
    transitions,
    changes,
    observed: existed === 0 ? null : seen / existed,
    sentence: parts.length === 0 ? `${head}, nothing changed that was seen.` : `${head}: ${parts.join(' and ')}.`,
  };
}

/** The changes of verdict after a moment, in the order of their words. */
export function transitionsAfter(
  rows: RecordRows,
  clusters: readonly string[] | null,
  { from, to }: Between,
): readonly string[] {
  return rows.transitions
    .filter(({ ref, noticedAt }) => isIn({ clusters }, ref) && noticedAt > from && noticedAt < to)
    .map(({ ref, noticedAt, to: verdict }) => `${noticedAt} ${nameOf(ref)} ${verdict}`)
    .toSorted();
}
