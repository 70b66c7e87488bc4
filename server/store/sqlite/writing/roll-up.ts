import type { DatabaseSync } from 'node:sqlite';
import { isApplierKind } from '#lib/domain/chain/applier-kinds.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { awayListsOf, packAway, type AwayList, type AwayListOf } from '../../codec/away-block.ts';
import { noIncidentEntries, packIncidents } from '../../codec/incident-block.ts';
import { beginningOf, blockOf, packNumbers, dayIndex } from '../../codec/rollup-block.ts';
import { packTotals } from '../../codec/totals-block.ts';
import { firstRow, whole, wholeOrNull } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { openRecordGaps } from '../reading/record/record-gaps.ts';
import { openIncidentReader } from '../reading/record/incident-reader.ts';
import { openPieces } from '../reading/record/record-pieces.ts';
import { openScopes, type ScopeIds } from '../reading/record/record-scope.ts';
import { openSnapshotWriter } from './snapshot-writer.ts';
import { openTextReader } from '../rows/text-reader.ts';

const away = verdicts.map(isAway);

/** Keeps what closed days come to. */
export interface RollUp {
  /**
   * Rolls up one block of one cluster, of the days that are over at `now` (ms): some milliseconds of work. Gives whether there may
   * be more. What is done twice comes to the same. Call it within a transaction only.
   */
  step(now: number): boolean;
}

/** Block of a cluster, as it is stored. */
interface Block {
  readonly totals: Uint8Array;
  readonly shares: Uint8Array;
  readonly away: Uint8Array;
  readonly incidents: Uint8Array;
  readonly lists: Uint8Array;
}

/** Prepares the work over the writing connection. */
export function openRollUp(database: DatabaseSync): RollUp {
  const nameOf = openTextReader(database, 'name');
  const scopes = openScopes(database, nameOf);
  const gaps = openRecordGaps(scopes);
  const pieces = openPieces(scopes, gaps);
  const incidents = openIncidentReader(scopes, pieces);
  const writeSnapshot = openSnapshotWriter(database);
  const behind = prepare(
    database,
    `SELECT c.id, r.to_day FROM cluster c LEFT JOIN rollup_range r ON r.cluster = c.id
     WHERE r.to_day IS NULL OR r.to_day < ? ORDER BY r.to_day, c.id LIMIT 1`,
  );
  const firstNoticed = prepare(database, 'SELECT MIN(noticed_at) FROM transition WHERE cluster = ?');
  const write = database.prepare(
    `INSERT INTO rollup (cluster, block, totals, shares, away) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (cluster, block) DO UPDATE SET totals = excluded.totals, shares = excluded.shares, away = excluded.away`,
  );
  const writeIncidents = database.prepare(
    `INSERT INTO rollup_incidents (cluster, block, incidents) VALUES (?, ?, ?)
     ON CONFLICT (cluster, block) DO UPDATE SET incidents = excluded.incidents`,
  );
  const writeAway = database.prepare(
    `INSERT INTO rollup_union (cluster, block, lists) VALUES (?, ?, ?)
     ON CONFLICT (cluster, block) DO UPDATE SET lists = excluded.lists`,
  );
  const reach = database.prepare(
    `INSERT INTO rollup_range (cluster, from_day, to_day) VALUES (?, 0, ?) ON CONFLICT (cluster) DO UPDATE SET to_day = excluded.to_day`,
  );
  function blockIn(cluster: number, period: Period): Block {
    const scope: ScopeIds = { clusters: [cluster], kind: null, namespace: null, name: null };
    const shares = new Map<string, number[]>();
    const times = new Map<string, number>();
    const entries = noIncidentEntries();
    const lists = awayLists(beginningOf(blockOf(period.from)), (kind) => isApplierKind(scopes.kindOf(kind)));
    pieces.each(scope, period, (object, _cluster, kind, verdict, from, to) => {
      if (away[verdict] === true) lists.add(object, kind, from, to);
      eachDay(from, to, (day, start, end) => {
        const key = `${day} ${kind}`;
        const sums = shares.get(key) ?? [day, kind, ...verdicts.map(() => 0)];
        shares.set(key, sums);
        sums[verdict + 2] = (sums[verdict + 2] ?? 0) + end - start;
        if (away[verdict] !== true) return;
        const place = `${day} ${object}`;
        times.set(place, (times.get(place) ?? 0) + end - start);
      });
    });
    incidents.each(scope, period, {
      opened(kind, at, toNotice) {
        const list = toNotice === null ? entries.openedAtLeast : entries.opened;
        list.push({ day: dayIndex(dayOf(at)), kind, first: toNotice ?? 0, second: 0 });
      },
      closed(kind, at, toConverge, atLeast) {
        const list = atLeast ? entries.closedAtLeast : entries.closed;
        list.push({ day: dayIndex(dayOf(at)), kind, first: toConverge, second: 0 });
      },
      gone(kind, at) {
        entries.gone.push({ day: dayIndex(dayOf(at)), kind, first: 0, second: 0 });
      },
      away(kind, from, age, length) {
        eachDay(from, from + length, (day, start, end) => {
          const first = age + start - from;
          // Stretches that follow each other count as one does that is as long as both.
          const last = entries.away.at(-1);
          if (last?.day === day && last.kind === kind && last.first + last.second === first) last.second += end - start;
          else entries.away.push({ day, kind, first, second: end - start });
        });
      },
    });
    return {
      totals: packTotals([...shares.values()].map(([day = 0, kind = 0, ...sums]) => ({ day, kind, sums }))),
      shares: packNumbers([...shares.values()].flatMap(packedSums)),
      away: packNumbers([...times].flatMap(([place, time]) => [...place.split(' ').map(Number), time])),
      incidents: packIncidents(entries),
      lists: packAway(lists.made()),
    };
  }

  return {
    step(now) {
      const today = dayOf(now);
      const next = firstRow(behind, today);
      if (next === null) return false;
      const cluster = whole(next[0]);
      const first = wholeOrNull(next[1]) ?? wholeOrNull(firstRow(firstNoticed, cluster)?.[0] ?? null);
      if (first === null || first >= today) {
        reach.run(cluster, today);
        return true;
      }
      const block = blockOf(first);
      const period = { from: beginningOf(block), to: Math.min(beginningOf(block + 1), today) };
      const made = blockIn(cluster, period);
      write.run(cluster, block, made.totals, made.shares, made.away);
      writeIncidents.run(cluster, block, made.incidents);
      writeAway.run(cluster, block, made.lists);
      writeSnapshot(cluster, period);
      reach.run(cluster, period.to);
      return true;
    },
  };
}

/** Tells the days of a stretch by their places in its block. */
function eachDay(from: number, to: number, tell: (day: number, from: number, to: number) => void): void {
  for (let start = from; start < to;) {
    const day = dayOf(start);
    const end = Math.min(to, day + dayLength);
    tell(dayIndex(day), start, end);
    start = end;
  }
}

/** Day and kind, which verdicts there are, and how long each. */
function packedSums([day = 0, kind = 0, ...sums]: readonly number[]): readonly number[] {
  const mask = sums.reduce((bits, time, place) => (time > 0 ? bits | (1 << place) : bits), 0);
  return [day, kind, mask, ...sums.filter((time) => time > 0)];
}

/** Gathers when anything of a cluster was away, in a block that begins at a time (ms). */
function awayLists(
  begins: number,
  isApplier: (kind: number) => boolean,
): {
  readonly add: (object: number, kind: number, from: number, to: number) => void;
  readonly made: () => readonly AwayList[];
} {
  const unions: { readonly [O in AwayListOf]: Map<number, TimeUnion> } = {
    cluster: new Map(),
    kind: new Map(),
    applier: new Map(),
  };
  function put(of: AwayListOf, id: number, from: number, to: number): void {
    const union = unions[of].get(id) ?? timeUnion();
    unions[of].set(id, union);
    union.add(from - begins, to - begins);
  }
  return {
    add(object, kind, from, to) {
      put('cluster', 0, from, to);
      put('kind', kind, from, to);
      if (isApplier(kind)) put('applier', object, from, to);
    },
    made: () =>
      awayListsOf.flatMap((of) =>
        [...unions[of]].map(([id, union]) => ({ of, id, stretches: [...union.stretches()] })),
      ),
  };
}
