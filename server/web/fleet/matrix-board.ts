import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { FleetView, WireColumn, WireRow } from '#lib/api/fleet.ts';
import { listPath } from '#lib/api/paths.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { parseColumnMode } from '#lib/domain/matrix/column-of.ts';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import type { MatrixColumn } from '#lib/domain/matrix/matrix-columns.ts';
import { matrixColumns } from '#lib/domain/matrix/matrix-columns.ts';
import type { MatrixRow } from '#lib/domain/matrix/matrix-row.ts';
import { matrixRow } from '#lib/domain/matrix/matrix-row.ts';
import { matrixView } from '#lib/domain/matrix/matrix-view.ts';
import { wireRow } from '#server/web/wire/wire-row.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import type { LinksOf } from '../wire/wire-context.ts';
import { commitHref } from '../wire/object/wire-object.ts';

/** The matrix of one view as it stands. A row or column list that did not change is the very same value as before. */
export interface BoardState {
  readonly columns: readonly WireColumn[];
  readonly rows: readonly WireRow[];
  /** Labels that the rows shown could be grouped by. */
  readonly labels: readonly string[];
  /** Number of its cells, which is most of what is held for it. */
  readonly cells: number;
  readonly stamp: number;
}

/** Keeps one view of the matrix; only rows of clusters that changed are built again. */
export interface MatrixBoard {
  /** The matrix as known at `now` (ms). */
  read(now: number): BoardState;
}

interface KeptRow {
  readonly stamp: number;
  readonly row: MatrixRow;
}

interface KeptWire {
  readonly row: MatrixRow;
  readonly columns: readonly WireColumn[];
  readonly wire: WireRow;
}

/** So much may be held of columns that have gone, and as much again three times as was needed, before all is made anew. */
const SEEDS_GONE = 4_000;

/** All clusters, and those that the view's scope keeps. */
export interface BoardFleet {
  readonly whole: KnownFleet;
  readonly shown: KnownFleet;
}

/** Makes the board of a view over the fleet. A view with an unknown column mode shows the default columns. */
export function matrixBoard(view: FleetView, fleet: BoardFleet, policy: Policy, links: LinksOf): MatrixBoard {
  const rows = boardRows(view, fleet.whole, policy);
  const wires = new Map<string, KeptWire>();
  let state: BoardState = { columns: [], rows: [], labels: [], cells: 0, stamp: -1 };

  function wireOf(
    row: MatrixRow,
    columns: readonly MatrixColumn[],
    wireColumns: readonly WireColumn[],
    now: number,
  ): WireRow {
    const kept = wires.get(row.cluster);
    if (kept?.row === row && kept.columns === wireColumns) return kept.wire;
    const context = { policy, now, links };
    const href = (object: KnownObject) => (object.commit === null ? null : commitHref(object, object.commit, context));
    const wire = wireRow(row, columns, view, href, now);
    wires.set(row.cluster, { row, columns: wireColumns, wire });
    return wire;
  }

  function build(clusters: readonly KnownCluster[], stamp: number, now: number): BoardState {
    const shown = rows.of(fleet.shown.all(now), now);
    const laid = matrixView(view, shown, rows.columnsOf(shown));
    const built = laid.columns.map(wireColumn);
    const columns = JSON.stringify(built) === JSON.stringify(state.columns) ? state.columns : built;
    return {
      columns,
      rows: laid.rows.map((row) => wireOf(row, laid.columns, columns, now)),
      labels: [...new Set(clusters.flatMap((cluster) => Object.keys(cluster.labels)))].toSorted(),
      cells: laid.rows.reduce((sum, { cells }) => sum + cells.length, columns.length),
      stamp,
    };
  }

  return {
    read(now) {
      const clusters = fleet.whole.all(now);
      const stamp = fleet.whole.stamp(now);
      if (stamp === state.stamp) return state;
      const names = new Set(clusters.map((cluster) => cluster.name));
      rows.keepOnly(names);
      for (const name of wires.keys()) if (!names.has(name)) wires.delete(name);
      state = build(clusters, stamp, now);
      return state;
    },
  };
}

/** The rows of a view, each kept until its cluster changes. */
function boardRows(view: FleetView, whole: KnownFleet, policy: Policy) {
  const mode = parseColumnMode(view.columns) ?? { by: 'delivery' };
  const rows = new Map<string, KeptRow>();
  let seeds = columnSeeds();
  let most = Infinity;
  let layouts: readonly string[] = [];
  let allColumns: readonly MatrixColumn[] = [];

  function rowOf(cluster: KnownCluster, now: number): MatrixRow {
    const kept = rows.get(cluster.name);
    if (kept?.stamp === cluster.stamp) return kept.row;
    const around = whole.cluster(cluster.name, now)?.objects ?? cluster.objects;
    const row = matrixRow(cluster, cluster.objects, { mode, policy, now, seeds }, around);
    rows.set(cluster.name, { stamp: cluster.stamp, row });
    return row;
  }

  return {
    of(shown: readonly KnownCluster[], now: number): readonly MatrixRow[] {
      const isFull = seeds.size() > most;
      if (isFull) {
        // Columns came and went: most slots of a row are of such as have gone.
        seeds = columnSeeds();
        rows.clear();
        layouts = [];
      }
      const built = shown.map((cluster) => rowOf(cluster, now));
      if (isFull || most === Infinity) most = 4 * seeds.size() + SEEDS_GONE;
      return built;
    },
    // Counting 60,000 cells for columns that nearly never change is most of the work: it is done when a layout changed.
    columnsOf(shown: readonly MatrixRow[]): readonly MatrixColumn[] {
      const next = shown.map((row) => row.layout);
      if (next.length !== layouts.length || next.some((layout, index) => layout !== layouts[index])) {
        layouts = next;
        allColumns = matrixColumns(shown);
      }
      return allColumns;
    },
    keepOnly(clusters: ReadonlySet<string>): void {
      for (const name of rows.keys()) if (!clusters.has(name)) rows.delete(name);
    },
  };
}

function wireColumn({ id, group, title, filter, object }: MatrixColumn): WireColumn {
  return { id, group, title, href: listPath(filter), object };
}
