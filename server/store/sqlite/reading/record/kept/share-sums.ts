import type { Period } from '#lib/domain/record/span.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import { cutAtBlocks, dayAt } from '../../../../codec/rollup-block.ts';
import { eachTotal } from '../../../../codec/totals-block.ts';
import type { Part, RollupReader } from '../record-rollups.ts';
import type { ScopeIds, Scopes } from '../record-scope.ts';
import { addTally, addTo, bytesOfTally, emptyTally, isAnything, sumsOf, type Tally } from '../share-tally.ts';
import type { SharedPieces } from '../shared-pieces.ts';
import type { ScopePieces } from '../../steps/scope-pieces.ts';
import type { Steps } from '../../steps/steps.ts';
import { keptSums } from './kept-sums.ts';

/** Memory that is used at most: a block of days of a thousand clusters takes 0.3 MB. */
const keptBytes = 16 * 2 ** 20;

/** Days that are read of a piece before the next: their sums by cluster are in memory until all pieces are read. */
const daysAtOnce = 16;

/** Adds up how long objects were in which verdict, over an open database. What days that are rolled up come to is kept. */
export function openShareSums(scopes: Scopes, pieces: SharedPieces, rollups: RollupReader, eachPiece: ScopePieces) {
  const kept = keptSums<Tally>(scopes, { of: 'days', bytes: keptBytes, bytesOf: bytesOfTally });

  /** Of some days of a scope, of which nothing is rolled up. */
  function* addDays(tally: Tally, scope: ScopeIds, days: readonly Period[]): Steps<void> {
    const key = JSON.stringify(scope);
    const missing: { readonly day: Period; readonly sums: Tally; readonly isRolled: boolean }[] = [];
    for (const day of days) {
      const isRolled = rollups.isRolled(scope, day);
      const known = isRolled ? kept.known(day, key) : undefined;
      if (known === undefined) missing.push({ day, sums: emptyTally(), isRolled });
      else addTally(tally, known);
    }
    if (missing.length > 0)
      yield* eachPiece(scope, (piece) => {
        for (const { day, sums } of missing) addTally(sums, plainTally(pieces, piece, day));
      });
    for (const { day, sums, isRolled } of missing) addTally(tally, isRolled ? kept.renew(day, key, () => sums) : sums);
  }

  return function* (tally: Tally, whole: ScopeIds, of: Period): Steps<void> {
    const parts = rollups.partsOf(whole, of);
    for (const { scope, period } of parts.rolled)
      for (const days of cutAtBlocks(period)) {
        const read = (): Tally => rolledTally(rollups, { scope, period: days });
        addTally(tally, kept.recall(days, JSON.stringify(scope), read));
      }
    for (const { scope, period } of parts.plain) {
      const days = cutAtDays(pieces.recorded(scope, period));
      for (let first = 0; first < days.length; first += daysAtOnce)
        yield* addDays(tally, scope, days.slice(first, first + daysAtOnce));
    }
  };
}

/** Of days that are rolled up. */
function rolledTally(rollups: RollupReader, part: Part): Tally {
  const tally = emptyTally();
  addRolled(tally, rollups, part);
  return tally;
}

/** Adds days that are rolled up: the totals of whole blocks, and what there is beside them. */
function addRolled(tally: Tally, rollups: RollupReader, part: Part): void {
  if (part.scope.kind !== null) {
    addRolledDays(tally, rollups, part);
    return;
  }
  const beside = rollups.eachTotals(part, (bytes, cluster, block) =>
    eachTotal(
      bytes,
      (day, numbers, begin) => {
        if (!isAnything(numbers, begin)) return;
        addTo(sumsOf(tally.day, dayAt(block, day)), numbers, begin);
        addTo(sumsOf(tally.cluster, cluster), numbers, begin);
      },
      (kind, numbers, begin) => addTo(sumsOf(tally.kind, kind), numbers, begin),
    ),
  );
  for (const days of beside) addRolledDays(tally, rollups, days);
}

function addRolledDays(tally: Tally, rollups: RollupReader, part: Part): void {
  const wanted = part.scope.kind;
  rollups.each(part, 'shares', (numbers, position, cluster, day) => {
    const [kind = 0, mask = 0] = [numbers[position], numbers[position + 1]];
    let next = position + 2;
    const counted = day !== null && (wanted === null || wanted === kind);
    const [ofDay, ofCluster, ofKind] = counted
      ? [sumsOf(tally.day, day), sumsOf(tally.cluster, cluster), sumsOf(tally.kind, kind)]
      : [null, null, null];
    for (let verdict = 0; mask >> verdict !== 0; verdict++) {
      if (((mask >> verdict) & 1) === 0) continue;
      const time = numbers[next++] ?? 0;
      if (ofDay === null) continue;
      ofDay[verdict] = (ofDay[verdict] ?? 0) + time;
      ofCluster[verdict] = (ofCluster[verdict] ?? 0) + time;
      ofKind[verdict] = (ofKind[verdict] ?? 0) + time;
    }
    return next;
  });
}

/** Of spans that lie in one day. */
function plainTally(pieces: SharedPieces, scope: ScopeIds, piece: Period): Tally {
  const tally = emptyTally();
  const day = dayOf(piece.from);
  const ofDay = sumsOf(tally.day, day);
  pieces.sums(scope, piece, (cluster, kind, verdict, time) => {
    const [ofCluster, ofKind] = [sumsOf(tally.cluster, cluster), sumsOf(tally.kind, kind)];
    ofDay[verdict] = (ofDay[verdict] ?? 0) + time;
    ofCluster[verdict] = (ofCluster[verdict] ?? 0) + time;
    ofKind[verdict] = (ofKind[verdict] ?? 0) + time;
  });
  if (!isAnything(ofDay, 0)) tally.day.delete(day);
  return tally;
}
