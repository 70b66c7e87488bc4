import type { Clock } from '#server/runtime/clock.ts';
import { allRows, whole, type Row } from '../../rows/cells.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import type { Steps } from './steps.ts';

/** Objects of the first piece: of a record that is not known yet a piece is small. */
const firstPiece = 64;
/** No piece has more objects, however quickly it is read: they stand in its statements. */
const largestPiece = 10_000;
/** A piece that is read within this (ms) is followed by a larger one, one that takes longer than four times that by a smaller one. */
const shortPiece = 60;
/** Clusters of which objects are listed at once. */
const listedAtOnce = 20;

/** Visits a scope piece by piece: each object is in one of them, so that sums of all pieces are those of the scope. */
export type ScopePieces = (scope: ScopeIds, visit: (piece: ScopeIds) => void) => Steps<void>;

/**
 * Cuts scopes into pieces, over an open database that stands still meanwhile. Only a part of clusters is cut: for whole ones sums of whole days answer, and
 * one object is soon read. `clock` tells how long a piece took, and the next is as large as fits: what comes out is the same whatever it tells. `first`: objects of the first piece.
 */
export function openScopePieces(scopes: Scopes, clock: Clock, first = firstPiece): ScopePieces {
  /** Rows of id and cluster, cluster by cluster. */
  function* objectsOf(scope: ScopeIds): Generator<readonly Row[]> {
    const clusters = scope.clusters ?? scopes.ids('SELECT id FROM cluster ORDER BY id');
    for (let place = 0; place < clusters.length; place += listedAtOnce) {
      const some = { ...scope, clusters: clusters.slice(place, place + listedAtOnce) };
      const { sql, parameters } = scopes.objects(some);
      const rows = allRows(scopes.statement(`SELECT o.id, o.cluster FROM object o WHERE ${sql}`), ...parameters);
      yield rows.toSorted((a, b) => whole(a[1]) - whole(b[1]));
    }
  }

  return function* (scope, visit) {
    if (!isCut(scope)) {
      visit(scope);
      return;
    }
    const among = scopes.ids('SELECT COALESCE(MAX(id), 0) FROM object')[0] ?? 0;
    let size = first;
    let waiting: readonly Row[] = [];

    function take(): void {
      const rows = waiting.slice(0, size);
      waiting = waiting.slice(size);
      const began = clock.now();
      visit(pieceOf(scope, rows, among));
      size = sizeAfter(size, clock.now() - began);
    }

    for (const rows of objectsOf(scope)) {
      waiting = [...waiting, ...rows];
      while (waiting.length >= size) {
        take();
        yield;
      }
    }
    while (waiting.length > 0) {
      take();
      yield;
    }
  };
}

function isCut({ namespace, name, places, piece }: ScopeIds): boolean {
  return piece === undefined && name === null && (namespace !== null || places !== null);
}

function pieceOf(scope: ScopeIds, rows: readonly Row[], among: number): ScopeIds {
  const clusters = [...new Set(rows.map(([, cluster]) => whole(cluster)))];
  return {
    ...scope,
    clusters,
    piece: { ids: JSON.stringify(rows.map(([id]) => whole(id))), count: rows.length, among },
  };
}

/** Number of objects of the next piece, where one of so many took so long (ms). */
function sizeAfter(size: number, took: number): number {
  if (took > 4 * shortPiece) return Math.max(1, Math.floor(size / 2));
  return took < shortPiece ? Math.min(largestPiece, size * 2) : size;
}
