import { compareText } from '#lib/domain/observation/compare-text.ts';
import { clusterPath, objectPath } from '#lib/api/paths.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import type { MatrixColumn } from '#lib/domain/matrix/matrix-columns.ts';
import { matrixColumns } from '#lib/domain/matrix/matrix-columns.ts';
import { rankOfRow } from '#lib/domain/matrix/matrix-order.ts';
import type { MatrixCell, MatrixRow } from '#lib/domain/matrix/matrix-row.ts';
import { matrixRow } from '#lib/domain/matrix/matrix-row.ts';
import type { EmbedCell, EmbedContent } from '#lib/draw/embed/embed-content.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { countOf } from '#lib/format/number.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { sinceText } from './content-words.ts';

const ROWS = 30;
const COLUMNS = 24;

/**
 * The matrix of some clusters as known at `now` (ms), worst first, with what it leaves out in words. Of many columns those
 * stay in which anything deviates.
 */
export function scopeTable(
  clusters: readonly KnownCluster[],
  policy: Policy,
  now: number,
): Pick<EmbedContent, 'table' | 'more'> {
  const seeds = columnSeeds();
  const question = { mode: { by: 'delivery' }, policy, now, seeds } as const;
  // Rows are made of those clusters only that are shown: a fleet may have a thousand.
  const all = worstClusters(clusters);
  const rows = all.slice(0, ROWS).map((cluster) => matrixRow(cluster, cluster.objects, question));
  const columns = matrixColumns(rows);
  const kept = mostTelling(columns, rows);
  return {
    table: {
      columns: kept.map(({ title }) => title),
      rows: rows.map((row) => ({
        title: row.cluster,
        href: clusterPath(row.cluster),
        cells: kept.map(({ slot }) => cellOf(row.bySlot[slot], now)),
      })),
    },
    more: leftOut(all.slice(ROWS), columns.length - kept.length),
  };
}

function mostTelling(columns: readonly MatrixColumn[], rows: readonly MatrixRow[]): readonly MatrixColumn[] {
  if (columns.length <= COLUMNS) return columns;
  const deviates = ({ slot }: MatrixColumn): boolean =>
    rows.some(({ bySlot }) => {
      const worst = bySlot[slot]?.worst;
      return worst !== undefined && worst.verdict !== 'converged' && !isOnlyDeclared(worst);
    });
  const [first, others] = [columns.filter(deviates), columns.filter((column) => !deviates(column))];
  const chosen = new Set([...first.slice(0, COLUMNS), ...others].slice(0, COLUMNS));
  return columns.filter((column) => chosen.has(column));
}

function cellOf(cell: MatrixCell | undefined, now: number): EmbedCell {
  if (cell === undefined) return null;
  const { worst, silent, objects } = cell;
  const note = [
    worst.verdict === 'converged' ? '' : sinceText(worst, now),
    silent ? 'nobody is being called' : '',
    objects === 1 ? '' : countOf(objects, 'object'),
  ];
  return {
    verdict: worst.verdict,
    silent,
    note: note.filter((part) => part !== '').join(', '),
    href: objectPath(worst.ref),
  };
}

function leftOut(clusters: readonly KnownCluster[], columns: number): string {
  const wrong = clusters.filter(isNotInOrder).length;
  const of = wrong === 0 ? ', all in order' : `, ${wrong} of them not in order`;
  const parts = [
    ...(clusters.length === 0 ? [] : [`${countOf(clusters.length, 'more cluster')}${of}`]),
    ...(columns === 0 ? [] : [countOf(columns, 'more column')]),
  ];
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

/** True if a cluster deserves a look: something on it is not converged, or it is not seen. */
export function isNotInOrder(cluster: KnownCluster): boolean {
  const { state } = cluster.known;
  return (cluster.worst ?? 'converged') !== 'converged' || (state !== 'live' && state !== 'declared');
}

/** Those with objects that nobody is being called for first, then by what is worst on them, then by name. */
export function worstClusters(clusters: readonly KnownCluster[]): readonly KnownCluster[] {
  const rank = (cluster: KnownCluster): number => rankOfRow({ worst: cluster.worst, state: cluster.known.state });
  return clusters.toSorted(
    (a, b) =>
      Number(b.guarantee.broken > 0) - Number(a.guarantee.broken > 0) ||
      rank(a) - rank(b) ||
      compareText(a.name, b.name),
  );
}
