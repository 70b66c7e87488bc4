import { noShares } from '#lib/domain/record/segments.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { RecordReader, Shares } from '../../../port/record-port.ts';
import { dayAt } from '../../../codec/rollup-block.ts';
import { eachTotal } from '../../../codec/totals-block.ts';
import type { Wide } from '../../../codec/pack/wide-numbers.ts';
import { firstRow, wholeOrNull } from '../../rows/cells.ts';
import type { SharedPieces } from './shared-pieces.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { RollupReader } from './record-rollups.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** What is added up in the order of `verdicts`. */
type Sums = Float64Array;
type By = Parameters<RecordReader['shares']>[2];

/** Object-ms of one period by verdict, by all that is asked for. */
export type Tally = { readonly [B in By]: ReadonlyMap<number, Sums> };

/** Reads how long objects were in which verdict. */
export interface ShareReader extends Pick<RecordReader, 'shares'> {
  /** The objects of a scope that were away longest in a period, with how long (ms), longest first: those that tie with the last too. */
  longestAway(
    scope: ScopeIds,
    period: Period,
    limit: number,
  ): readonly { readonly object: number; readonly away: number }[];
  sharesOf(cluster: number, object: number, period: Period): Shares;
}

/** Shares over an open database. */
export function openRecordShares(
  scopes: Scopes,
  pieces: SharedPieces,
  rollups: RollupReader,
  recent: RecentReadings<Tally>,
): ShareReader {
  function textOfKey(by: By, key: number): string {
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

  /** When the first span began on the clusters of a scope (ms): nothing lies before, however early a period begins. */
  function beginningOf(scope: ScopeIds): number {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    // Of all of them it is the first of any verdict: a seek for each verdict instead of one for each cluster.
    const statement =
      scope.clusters === null
        ? scopes.statement(
            `SELECT MIN((SELECT MIN(noticed_at) FROM transition INDEXED BY transition_verdict WHERE to_verdict = value))
             FROM json_each('${JSON.stringify([...verdicts, ''])}')`,
          )
        : scopes.statement(
            `SELECT MIN((SELECT MIN(noticed_at) FROM transition t WHERE t.cluster = c.id)) FROM cluster c WHERE ${sql}`,
          );
    return wholeOrNull(firstRow(statement, ...parameters)?.[0] ?? null) ?? Infinity;
  }

  function read(scope: ScopeIds, period: Period): Tally {
    const by = {
      total: new Map<number, Sums>(),
      day: new Map<number, Sums>(),
      cluster: new Map<number, Sums>(),
      kind: new Map<number, Sums>(),
    };
    function sumsOf(sums: Map<number, Sums>, of: number): Sums {
      const known = sums.get(of);
      if (known !== undefined) return known;
      const made = new Float64Array(verdicts.length);
      sums.set(of, made);
      return made;
    }
    const parts = rollups.partsOf(scope, period);
    const addTotals: Parameters<RollupReader['eachTotals']>[1] = (bytes, cluster, block) =>
      eachTotal(
        bytes,
        (day, numbers, begin) => {
          if (!isAnything(numbers, begin)) return;
          addTo(sumsOf(by.day, dayAt(block, day)), numbers, begin);
          addTo(sumsOf(by.cluster, cluster), numbers, begin);
        },
        (kind, numbers, begin) => addTo(sumsOf(by.kind, kind), numbers, begin),
      );
    for (const part of parts.rolled.flatMap((all) =>
      scope.kind === null ? rollups.eachTotals(all, addTotals) : [all],
    )) {
      rollups.each(part, 'shares', (numbers, place, cluster, day) => {
        const [kind = 0, mask = 0] = [numbers[place], numbers[place + 1]];
        let next = place + 2;
        const counted = day !== null && (scope.kind === null || scope.kind === kind);
        const [ofDay, ofCluster, ofKind] = counted
          ? [sumsOf(by.day, day), sumsOf(by.cluster, cluster), sumsOf(by.kind, kind)]
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
    for (const part of parts.plain) {
      const { from, to } = part.period;
      for (const piece of cutAtDays({ from: Math.max(from, beginningOf(part.scope)), to })) {
        const ofDay = sumsOf(by.day, dayOf(piece.from));
        pieces.sums(part.scope, piece, (cluster, kind, verdict, time) => {
          const [ofCluster, ofKind] = [sumsOf(by.cluster, cluster), sumsOf(by.kind, kind)];
          ofDay[verdict] = (ofDay[verdict] ?? 0) + time;
          ofCluster[verdict] = (ofCluster[verdict] ?? 0) + time;
          ofKind[verdict] = (ofKind[verdict] ?? 0) + time;
        });
        if (!isAnything(ofDay, 0)) by.day.delete(dayOf(piece.from));
      }
    }
    const total: Sums = new Float64Array(verdicts.length);
    for (const sums of by.day.values()) addTo(total, sums, 0);
    if (isAnything(total, 0)) by.total.set(0, total);
    return by;
  }

  return {
    async shares(scope, period, by) {
      const ids = scopes.resolve(scope);
      if (ids === null || period.from >= period.to) return [];
      return [...recent.recall(JSON.stringify([ids, period]), () => read(ids, period))[by]]
        .map(([key, sums]) => ({ key: textOfKey(by, key), shares: sharesIn(sums) }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    },
    longestAway(scope, period, limit) {
      let times = new Float64Array(1_024);
      function add(object: number, time: number): void {
        if (object >= times.length) {
          const larger = new Float64Array(object * 2);
          larger.set(times);
          times = larger;
        }
        times[object] = (times[object] ?? 0) + time;
      }
      const wanted = scope.kind === null ? null : objectsOf(scope);
      const parts = rollups.partsOf(scope, period);
      for (const part of parts.plain) {
        pieces.away(part.scope, part.period, (object, _cluster, _kind, from, to) => add(object, to - from));
      }
      for (const part of parts.rolled) {
        rollups.each(part, 'away', (numbers, place, _cluster, day) => {
          const object = numbers[place] ?? 0;
          const counted = day !== null && (wanted === null || wanted.has(object));
          if (counted) add(object, numbers[place + 1] ?? 0);
          return place + 2;
        });
      }
      const longest = times.filter((time) => time > 0).sort();
      const least = longest.at(-limit) ?? Number.MIN_VALUE;
      const found: { readonly object: number; readonly away: number }[] = [];
      for (let object = 0; object < times.length; object++) {
        const time = times[object] ?? 0;
        if (time >= least) found.push({ object, away: time });
      }
      return found.toSorted((a, b) => b.away - a.away);
    },
    sharesOf(cluster, object, period) {
      const sums = new Float64Array(verdicts.length);
      pieces.each(
        { clusters: [cluster], kind: null, namespace: null, name: null },
        period,
        (_object, _cluster, _kind, verdict, from, to) => {
          sums[verdict] = (sums[verdict] ?? 0) + to - from;
        },
        { sql: 'o.id = ?', parameters: [object] },
      );
      return sharesIn(sums);
    },
  };

  function objectsOf(scope: ScopeIds): ReadonlySet<number> {
    const { sql, parameters } = scopes.objects(scope);
    return new Set(scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters));
  }
}

function addTo(sums: Sums, numbers: Wide, begin: number): void {
  for (let verdict = 0; verdict < verdicts.length; verdict++)
    sums[verdict] = (sums[verdict] ?? 0) + (numbers[begin + verdict] ?? 0);
}

function isAnything(numbers: Wide, begin: number): boolean {
  for (let verdict = 0; verdict < verdicts.length; verdict++) if ((numbers[begin + verdict] ?? 0) > 0) return true;
  return false;
}

function sharesIn(sums: Sums): Shares {
  const shares = { ...noShares };
  for (const [place, verdict] of verdicts.entries()) shares[verdict] = sums[place] ?? 0;
  return shares;
}
