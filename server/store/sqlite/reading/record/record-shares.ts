import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Offender, Shares } from '../../../port/record-port.ts';
import { firstWhole } from '../../rows/cells.ts';
import { openObjectTimes } from './kept/object-times.ts';
import { openShareSums } from './kept/share-sums.ts';
import type { SharedPieces } from './shared-pieces.ts';
import type { ScopePieces } from '../steps/scope-pieces.ts';
import type { Steps } from '../steps/steps.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { RollupReader } from './record-rollups.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';
import { addTo, emptyTally, isAnything, sharesIn, type By, type Tally } from './share-tally.ts';

/** Times for which objects were in which verdict, over an open database. */
export function openRecordShares(
  scopes: Scopes,
  pieces: SharedPieces,
  rollups: RollupReader,
  recent: RecentReadings<Tally>,
  eachPiece: ScopePieces,
) {
  const addShares = openShareSums(scopes, pieces, rollups, eachPiece);
  const awayIn = openObjectTimes(scopes, pieces, rollups, eachPiece);

  function* read(scope: ScopeIds, period: Period): Steps<Tally> {
    const tally = emptyTally();
    yield* addShares(tally, scope, period);
    const total = new Float64Array(verdicts.length);
    for (const sums of tally.day.values()) addTo(total, sums, 0);
    if (isAnything(total, 0)) tally.total.set(0, total);
    return tally;
  }

  return {
    *shares(scope: ScopeIds, period: Period, by: By) {
      const tally = yield* recent.recallInSteps(JSON.stringify([scope, period]), () => read(scope, period));
      return [...tally[by]]
        .map(([key, sums]) => ({ key: textOfKey(scopes, by, key), shares: sharesIn(sums) }))
        .toSorted((a, b) => compareText(a.key, b.key));
    },
    /** The ids of the objects that were away longest and how long (ms), longest first: those that tie with the last too. */
    *longestAway(scope: ScopeIds, period: Period, limit: number) {
      return (yield* awayIn(scope, period)).longest(limit);
    },
    /** Of one object; `scope` is of its cluster. */
    sharesOf(scope: ScopeIds, object: number, period: Period): Shares {
      const sums = new Float64Array(verdicts.length);
      pieces.each(
        scope,
        period,
        (_object, _cluster, _kind, verdict, from, to) => {
          sums[verdict] = (sums[verdict] ?? 0) + to - from;
        },
        { sql: 'o.id = ?', parameters: [object] },
      );
      return sharesIn(sums);
    },
  };
}

function textOfKey(scopes: Scopes, by: By, key: number): string {
  switch (by) {
    case 'total':
      return '';
    case 'day':
      return String(key);
    case 'cluster':
      return scopes.clusterName(key);
    case 'kind':
      return scopes.nameOf(key);
  }
}

/** The objects that were away longest, over an open database. */
export function openWorst(scopes: Scopes, shares: ReturnType<typeof openRecordShares>) {
  const corrected = scopes.statement('SELECT SUM(count) FROM correction WHERE object = ? AND at >= ? AND at < ?');
  const lasted = scopes.statement(
    `SELECT COUNT(*) FROM absence WHERE object = ? AND noticed_at < ?
       AND (closed_at IS NULL OR (closed_at > ? AND closed_at > noticed_at))`,
  );

  return function* (scope: ScopeIds, period: Period, limit: number): Steps<readonly Offender[]> {
    const longest = yield* shares.longestAway(scope, period, Math.max(1, limit));
    return longest
      .map(({ object, away }) => ({ object, away, ref: scopes.refOf(object) }))
      .toSorted((a, b) => b.away - a.away || compareText(refKey(a.ref), refKey(b.ref)))
      .slice(0, Math.max(0, limit))
      .map(({ object, ref }) => ({
        ref,
        shares: shares.sharesOf(scopes.ofCluster(ref.cluster), object, period),
        absences: firstWhole(lasted, object, period.to, period.from) ?? 0,
        corrections: firstWhole(corrected, object, period.from, period.to) ?? 0,
      }));
  };
}
