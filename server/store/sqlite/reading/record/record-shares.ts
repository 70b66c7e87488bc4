import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Offender, Shares } from '../../../port/record-port.ts';
import { dayAt } from '../../../codec/rollup-block.ts';
import { eachTotal } from '../../../codec/totals-block.ts';
import { firstWhole } from '../../rows/cells.ts';
import type { SharedPieces } from './shared-pieces.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { Part, RollupReader } from './record-rollups.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';
import { addTo, emptyTally, isAnything, sharesIn, sumsOf, type By, type Tally } from './share-tally.ts';

/** Times for which objects were in which verdict, over an open database. */
export function openRecordShares(
  scopes: Scopes,
  pieces: SharedPieces,
  rollups: RollupReader,
  recent: RecentReadings<Tally>,
) {
  function read(scope: ScopeIds, period: Period): Tally {
    const tally = emptyTally();
    const parts = rollups.partsOf(scope, period);
    for (const part of parts.rolled) addRolled(tally, rollups, part);
    for (const part of parts.plain) addPlain(tally, pieces, part);
    const total = new Float64Array(verdicts.length);
    for (const sums of tally.day.values()) addTo(total, sums, 0);
    if (isAnything(total, 0)) tally.total.set(0, total);
    return tally;
  }

  return {
    shares(scope: ScopeIds, period: Period, by: By) {
      return [...recent.recall(JSON.stringify([scope, period]), () => read(scope, period))[by]]
        .map(([key, sums]) => ({ key: textOfKey(scopes, by, key), shares: sharesIn(sums) }))
        .toSorted((a, b) => compareText(a.key, b.key));
    },
    /** The ids of the objects that were away longest and how long (ms), longest first: those that tie with the last too. */
    longestAway(scope: ScopeIds, period: Period, limit: number) {
      const times = objectTimes();
      const wanted = scope.kind === null ? null : objectsOf(scopes, scope);
      const parts = rollups.partsOf(scope, period);
      for (const part of parts.plain) {
        pieces.away(part.scope, part.period, (object, _cluster, _kind, from, to) => times.add(object, to - from));
      }
      for (const part of parts.rolled) {
        rollups.each(part, 'away', (numbers, position, _cluster, day) => {
          const object = numbers[position] ?? 0;
          const counted = day !== null && (wanted === null || wanted.has(object));
          if (counted) times.add(object, numbers[position + 1] ?? 0);
          return position + 2;
        });
      }
      return times.longest(limit);
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

function objectsOf(scopes: Scopes, scope: ScopeIds): ReadonlySet<number> {
  const { sql, parameters } = scopes.objects(scope);
  return new Set(scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters));
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

function addPlain(tally: Tally, pieces: SharedPieces, { scope, period }: Part): void {
  for (const piece of cutAtDays(pieces.recorded(scope, period))) {
    const day = dayOf(piece.from);
    const ofDay = sumsOf(tally.day, day);
    pieces.sums(scope, piece, (cluster, kind, verdict, time) => {
      const [ofCluster, ofKind] = [sumsOf(tally.cluster, cluster), sumsOf(tally.kind, kind)];
      ofDay[verdict] = (ofDay[verdict] ?? 0) + time;
      ofCluster[verdict] = (ofCluster[verdict] ?? 0) + time;
      ofKind[verdict] = (ofKind[verdict] ?? 0) + time;
    });
    if (!isAnything(ofDay, 0)) tally.day.delete(day);
  }
}

/** Adds up times by the ids of objects. */
function objectTimes() {
  let times = new Float64Array(1_024);
  return {
    add(object: number, time: number): void {
      if (object >= times.length) {
        const larger = new Float64Array(object * 2);
        larger.set(times);
        times = larger;
      }
      times[object] = (times[object] ?? 0) + time;
    },
    longest(limit: number) {
      const ascending = times.filter((time) => time > 0).sort();
      const least = ascending.at(-limit) ?? Number.MIN_VALUE;
      return [...times.entries()]
        .filter(([, away]) => away >= least)
        .map(([object, away]) => ({ object, away }))
        .toSorted((a, b) => b.away - a.away);
    },
  };
}

/** The objects that were away longest, over an open database. */
export function openWorst(scopes: Scopes, shares: ReturnType<typeof openRecordShares>) {
  const corrected = scopes.statement('SELECT SUM(count) FROM correction WHERE object = ? AND at >= ? AND at < ?');
  const lasted = scopes.statement(
    `SELECT COUNT(*) FROM absence WHERE object = ? AND noticed_at < ?
       AND (closed_at IS NULL OR (closed_at > ? AND closed_at > noticed_at))`,
  );

  return (scope: ScopeIds, period: Period, limit: number): readonly Offender[] =>
    shares
      .longestAway(scope, period, Math.max(1, limit))
      .map(({ object, away }) => ({ object, away, ref: scopes.refOf(object) }))
      .toSorted((a, b) => b.away - a.away || compareText(refKey(a.ref), refKey(b.ref)))
      .slice(0, Math.max(0, limit))
      .map(({ object, ref }) => ({
        ref,
        shares: shares.sharesOf(scopes.ofCluster(ref.cluster), object, period),
        absences: firstWhole(lasted, object, period.to, period.from) ?? 0,
        corrections: firstWhole(corrected, object, period.from, period.to) ?? 0,
      }));
}
