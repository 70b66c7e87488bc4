import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { eachAwayList, type AwayListVisitor } from '../../../codec/away-block.ts';
import { readAbsences, type AbsenceLists } from '../../../codec/absence-block.ts';
import {
  beginningOf,
  blockOf,
  dayAt,
  dayIndex,
  unpackNumbers,
  wholeBlocks,
  type Numbers,
} from '../../../codec/rollup-block.ts';
import { splitAtRolled, takeCommon, type RolledRange } from '../../../record/rolled-days.ts';
import { allRows, whole, wholeOrNull } from '../../rows/cells.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** A part of a question, of some of its clusters and some of its time. */
export interface Part {
  readonly scope: ScopeIds;
  readonly period: Period;
}

/** Part of a question that whole rolled-up days answer, and part that must be read from spans: together all of it, once. */
export interface Parts {
  readonly rolled: readonly Part[];
  readonly plain: readonly Part[];
}

/** The table of each column that holds what blocks come to. */
const tables = {
  shares: 'rollup',
  away: 'rollup',
  totals: 'rollup',
  absences: 'rollup_absences',
  lists: 'rollup_union',
} as const;

/** Reads what was rolled up. */
export type RollupReader = ReturnType<typeof openRollupReader>;

/** Rolled-up days over an open database. */
export function openRollupReader(scopes: Scopes) {
  let numbers: Numbers = new Float64Array(4096);

  return {
    /** The days that are rolled up of each cluster of a scope. */
    ranges: (scope: ScopeIds) => rangesOf(scopes, scope),
    /** True if all days that a period lies in are rolled up, of all clusters of a scope: nothing in them was written since. */
    isRolled(scope: ScopeIds, { from, to }: Period): boolean {
      const days = { from: dayOf(from), to: dayOf(to - 1) + day };
      return splitAtRolled(rangesOf(scopes, scope), days).every(({ plain }) => plain.length === 0);
    },
    partsOf(scope: ScopeIds, period: Period): Parts {
      const isPlain =
        dayOf(period.from + day - 1) >= dayOf(period.to) ||
        scope.namespace !== null ||
        scope.name !== null ||
        scope.places !== null;
      return isPlain ? { rolled: [], plain: [{ scope, period }] } : partsOf(rangesOf(scopes, scope), scope, period);
    },
    /**
     * The entries of each day of a part (which begins and ends with a day). `visit` is given the position of one entry behind its day
     * and gives the position behind the entry; `day` (its beginning, ms) is null for one that was not asked for.
     */
    each(
      { scope, period }: Part,
      column: 'shares' | 'away',
      visit: (numbers: Numbers, position: number, cluster: number, day: number | null) => number,
    ): void {
      eachBlock(scopes, { scope, period }, column, (cluster, block, bytes) => {
        const [unpacked, count] = unpackNumbers(bytes, numbers);
        numbers = unpacked;
        for (let position = 0; position < count;) {
          const begins = dayAt(block, numbers[position] ?? 0);
          position = visit(numbers, position + 1, cluster, begins >= period.from && begins < period.to ? begins : null);
        }
      });
    },
    /** Visits the sums of the blocks that a part has all days of (`totals-block.ts`); gives what it has beside them: its beginning and its end. */
    eachTotals(part: Part, visit: (bytes: Uint8Array, cluster: number, block: number) => void): readonly Part[] {
      const { whole: period, beside } = wholeBlocks(part.period);
      if (period !== null)
        eachBlock(scopes, { ...part, period }, 'totals', (cluster, block, bytes) => visit(bytes, cluster, block));
      return beside.map((left) => ({ ...part, period: left }));
    },
    /** When anything was away, block by block: what is visited counts from `begins` (ms) on, and may lie outside of the part. */
    eachAway(part: Part, visit: (cluster: number, begins: number, ...list: Parameters<AwayListVisitor>) => void): void {
      eachBlock(scopes, part, 'lists', (cluster, block, bytes) =>
        eachAwayList(bytes, (...list) => visit(cluster, beginningOf(block), ...list)),
      );
    },
    /** The absences of a part, block by block. */
    eachAbsences(part: Part, visit: (lists: AbsenceLists) => void): void {
      const { from, to } = part.period;
      eachBlock(scopes, part, 'absences', (_cluster, block, bytes) => {
        const begins = Math.max(from, beginningOf(block));
        const ends = Math.min(to, beginningOf(block + 1));
        visit(readAbsences(bytes, dayIndex(begins), dayIndex(ends - day) + 1));
      });
    },
  };
}

function rangesOf(scopes: Scopes, scope: ScopeIds): readonly RolledRange[] {
  const { sql, parameters } = ofClusters(scope, 'c.id');
  const statement = scopes.statement(
    `SELECT c.id, r.from_day, r.to_day FROM cluster c LEFT JOIN rollup_range r ON r.cluster = c.id WHERE ${sql}`,
  );
  return allRows(statement, ...parameters).map(([cluster, from, to]) => ({
    cluster: whole(cluster),
    from: wholeOrNull(from) ?? 0,
    to: wholeOrNull(to) ?? 0,
  }));
}

function partsOf(ranges: readonly RolledRange[], scope: ScopeIds, period: Period): Parts {
  const rolled: Part[] = [];
  const plain: Part[] = [];
  const of = (clusters: readonly number[]): ScopeIds => ({
    ...scope,
    clusters: clusters.length === ranges.length ? scope.clusters : clusters,
  });
  const { common, beside } = takeCommon(splitAtRolled(ranges, period));
  if (common !== null) rolled.push({ scope: of(common.clusters), period: common.days });
  for (const { clusters, rolled: days, plain: left } of beside) {
    const own = of(clusters);
    rolled.push(...days.map((part) => ({ scope: own, period: part })));
    plain.push(...left.map((part) => ({ scope: own, period: part })));
  }
  return { rolled, plain };
}

function eachBlock(
  scopes: Scopes,
  { scope, period }: Part,
  column: keyof typeof tables,
  visit: (cluster: number, block: number, bytes: Uint8Array) => void,
): void {
  const { sql, parameters } = ofClusters(scope, 'cluster');
  const statement = scopes.statement(
    `SELECT cluster, block, ${column} FROM ${tables[column]} WHERE ${sql} AND block >= ? AND block <= ?`,
  );
  const blocks = [blockOf(period.from), blockOf(period.to - 1)] as const;
  for (const [cluster, block, bytes] of allRows(statement, ...parameters, ...blocks)) {
    if (!(bytes instanceof Uint8Array)) throw new Error('the store holds a rollup that is none');
    visit(whole(cluster), whole(block), bytes);
  }
}
