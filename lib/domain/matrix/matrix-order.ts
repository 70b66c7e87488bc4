import { compareText } from '../observation/compare-text.ts';
import { verdicts, verdictRank, type Verdict } from '../verdict/verdict.ts';
import { labelOf } from './label-of.ts';
import type { MatrixRow } from './matrix-row.ts';

const NONE = verdicts.length;

/** Parts of a row that its rank needs. */
interface Ranked {
  readonly worst: Verdict | null;
  readonly state: MatrixRow['known']['state'];
}

/** Rank of a row by its worst verdict, 0 the worst. A lost cluster is not observed, though nothing of it was ever seen; empty rows last. */
export function rankOfRow({ worst, state }: Ranked): number {
  if (worst !== null) return verdictRank(worst);
  return state === 'live' || state === 'connecting' || state === 'declared' ? NONE : verdictRank('unobserved');
}

function rowRank({ worst, known }: MatrixRow): number {
  return rankOfRow({ worst, state: known.state });
}

/** The group of a row: the value of a label, '' where it has none or none is asked for. */
export function rowGroup(row: MatrixRow, label: string): string {
  return label === '' ? '' : labelOf(row.labels, label);
}

/**
 * The rows in their order. `worst`: silent rows above all groups, groups by their worst, worst first within a group.
 * `name`: groups and rows by name. Equal rows stand by name, so that an order never depends on when something arrived.
 */
export function orderRows(rows: readonly MatrixRow[], label: string, sort: 'worst' | 'name'): readonly MatrixRow[] {
  const byName = (a: MatrixRow, b: MatrixRow): number =>
    compareText(rowGroup(a, label), rowGroup(b, label)) || compareText(a.cluster, b.cluster);
  if (sort === 'name') return rows.toSorted(byName);
  const groupRank = new Map<string, number>();
  for (const row of rows) {
    const group = rowGroup(row, label);
    groupRank.set(group, Math.min(groupRank.get(group) ?? NONE, rowRank(row)));
  }
  return rows.toSorted((a, b) => {
    const pinned = Number(b.silent > 0) - Number(a.silent > 0);
    if (pinned !== 0) return pinned;
    if (a.silent > 0) return rowRank(a) - rowRank(b) || b.silent - a.silent || byName(a, b);
    const [groupA, groupB] = [rowGroup(a, label), rowGroup(b, label)];
    const byGroup = (groupRank.get(groupA) ?? NONE) - (groupRank.get(groupB) ?? NONE) || compareText(groupA, groupB);
    return byGroup || rowRank(a) - rowRank(b) || worstCount(b) - worstCount(a) || compareText(a.cluster, b.cluster);
  });
}

function worstCount(row: MatrixRow): number {
  return row.worst === null ? 0 : (row.counts.get(row.worst) ?? 0);
}
