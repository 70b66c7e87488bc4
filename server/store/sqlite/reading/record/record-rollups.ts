import type { Period } from '#lib/domain/record/span.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { eachAwayList, type AwayListVisitor } from '../../../codec/away-block.ts';
import { readIncidents, type IncidentLists } from '../../../codec/incident-block.ts';
import { beginningOf, blockOf, dayAt, dayIndex, unpackNumbers, type Numbers } from '../../../codec/rollup-block.ts';
import { allRows, whole, wholeOrNull } from '../../rows/cells.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** A part of a question, of some of its clusters and some of its time. */
export interface Part {
  readonly scope: ScopeIds;
  readonly period: Period;
}

/** What of a question can be answered by whole days that are rolled up, and what must be read from spans: together all of it, once. */
export interface Parts {
  readonly rolled: readonly Part[];
  readonly plain: readonly Part[];
}

/** Which figures of a block. */
export type RollupColumn = 'shares' | 'away';

/** Reads what was rolled up. */
export interface RollupReader {
  partsOf(scope: ScopeIds, period: Period): Parts;
  /**
   * The entries of each day of a part (which begins and ends with a day). `visit` is given the place of one entry behind its day
   * and gives the place behind the entry; `day` (its beginning, ms) is null for one that was not asked for.
   */
  each(
    { scope, period }: Part,
    column: RollupColumn,
    visit: (numbers: Numbers, place: number, cluster: number, day: number | null) => number,
  ): void;
  /** What the blocks come to that a part has all days of (`totals-block.ts`); gives what it has beside them, which is its beginning and its end. */
  eachTotals(part: Part, tell: (bytes: Uint8Array, cluster: number, block: number) => void): readonly Part[];
  /** The incidents of a part, block by block. */
  eachIncidents(part: Part, tell: (lists: IncidentLists) => void): void;
  /** When anything was away, block by block: what is told counts from `begins` (ms) on, and may lie outside of the part. */
  eachAway(part: Part, tell: (cluster: number, begins: number, ...list: Parameters<AwayListVisitor>) => void): void;
}

type Column = RollupColumn | 'incidents' | 'totals' | 'lists';

function tableOf(column: Column): string {
  switch (column) {
    case 'incidents':
      return 'rollup_incidents';
    case 'lists':
      return 'rollup_union';
    case 'shares':
    case 'away':
    case 'totals':
      return 'rollup';
  }
}

/** Rolled-up days over an open database. */
export function openRollupReader(scopes: Scopes): RollupReader {
  let numbers: Numbers = new Float64Array(4096);

  function ranges(scope: ScopeIds): readonly { cluster: number; from: number; to: number }[] {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const rows = allRows(
      scopes.statement(
        `SELECT c.id, r.from_day, r.to_day FROM cluster c LEFT JOIN rolled r ON r.cluster = c.id WHERE ${sql}`,
      ),
      ...parameters,
    );
    return rows.map((row) => ({
      cluster: whole(row[0]),
      from: wholeOrNull(row[1]) ?? 0,
      to: wholeOrNull(row[2]) ?? 0,
    }));
  }

  function eachBlock(
    { scope, period }: Part,
    column: Column,
    tell: (cluster: number, block: number, bytes: Uint8Array) => void,
  ): void {
    const { sql, parameters } = ofClusters(scope, 'cluster');
    const table = tableOf(column);
    const statement = scopes.statement(
      `SELECT cluster, block, ${column} FROM ${table} WHERE ${sql} AND block >= ? AND block <= ?`,
    );
    const blocks = [blockOf(period.from), blockOf(period.to - 1)] as const;
    for (const row of allRows(statement, ...parameters, ...blocks)) {
      const bytes = row[2];
      if (!(bytes instanceof Uint8Array)) throw new Error('the store holds a rollup that is none');
      tell(whole(row[0]), whole(row[1]), bytes);
    }
  }

  return {
    partsOf(scope, period) {
      const plain = { rolled: [], plain: [{ scope, period }] };
      const [first, last] = [dayOf(period.from + dayLength - 1), dayOf(period.to)];
      if (first >= last || scope.namespace !== null || scope.name !== null) return plain;
      const alike = new Map<string, { from: number; to: number; clusters: number[] }>();
      const all = ranges(scope);
      for (const range of all) {
        const [from, to] = [Math.max(first, range.from), Math.min(last, range.to)];
        const key = from < to ? `${from}-${to}` : '';
        const group = alike.get(key) ?? { from, to, clusters: [] };
        group.clusters.push(range.cluster);
        alike.set(key, group);
      }
      const parts: { rolled: Part[]; plain: Part[] } = { rolled: [], plain: [] };
      for (const [key, { from, to, clusters }] of alike) {
        const of = { ...scope, clusters: clusters.length === all.length ? scope.clusters : clusters };
        if (key === '') {
          parts.plain.push({ scope: of, period });
          continue;
        }
        parts.rolled.push({ scope: of, period: { from, to } });
        if (period.from < from) parts.plain.push({ scope: of, period: { from: period.from, to: from } });
        if (to < period.to) parts.plain.push({ scope: of, period: { from: to, to: period.to } });
      }
      return parts;
    },
    each({ scope, period }, column, visit) {
      eachBlock({ scope, period }, column, (cluster, block, bytes) => {
        const [unpacked, count] = unpackNumbers(bytes, numbers);
        numbers = unpacked;
        for (let place = 0; place < count;) {
          const day = dayAt(block, numbers[place] ?? 0);
          place = visit(numbers, place + 1, cluster, day >= period.from && day < period.to ? day : null);
        }
      });
    },
    eachTotals(part, tell) {
      const { from, to } = part.period;
      const inner = { from: beginningOf(blockOf(from - 1) + 1), to: beginningOf(blockOf(to)) };
      if (inner.from >= inner.to) return [part];
      eachBlock({ ...part, period: inner }, 'totals', (cluster, block, bytes) => tell(bytes, cluster, block));
      const beside = [
        { from, to: inner.from },
        { from: inner.to, to },
      ];
      return beside.filter((period) => period.from < period.to).map((period) => ({ ...part, period }));
    },
    eachAway(part, tell) {
      eachBlock(part, 'lists', (cluster, block, bytes) =>
        eachAwayList(bytes, (...list) => tell(cluster, beginningOf(block), ...list)),
      );
    },
    eachIncidents(part, tell) {
      const { from, to } = part.period;
      eachBlock(part, 'incidents', (_cluster, block, bytes) => {
        const begins = Math.max(from, beginningOf(block));
        const ends = Math.min(to, beginningOf(block + 1));
        tell(readIncidents(bytes, dayIndex(begins), dayIndex(ends - dayLength) + 1));
      });
    },
  };
}
