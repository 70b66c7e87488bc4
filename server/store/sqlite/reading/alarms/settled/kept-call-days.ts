import type { Period } from '#lib/domain/record/span.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import {
  allKinds,
  callDaysFormat,
  callDaysWork,
  openCallDays,
  type CallDayVisitor,
} from '../../../../codec/alarm/call-block.ts';
import { durationList } from '../../../../codec/duration-list.ts';
import { blockOf, cutAtBlocks } from '../../../../codec/rollup-block.ts';
import { allRows, firstWhole, whole, type Row } from '../../../rows/cells.ts';
import { keptSums } from '../../record/kept/kept-sums.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../../record/record-scope.ts';
import { addLooks, type LookParts } from '../call-look.ts';
import { callsInScope } from '../record-calls.ts';
import type { Figures, FiguresAsked } from './settled-figures.ts';

/** Days of some clusters that are not added up: to the end of their block. */
export interface MissingDays extends Period {
  /** null: all of the scope. */
  readonly clusters: readonly number[] | null;
}

/** Figures of days that are added up, and which days are not. */
interface KeptFigures {
  readonly figures: Figures;
  readonly missing: readonly MissingDays[];
}

/** Days of one block. */
interface BlockFigures {
  readonly parts: LookParts;
  /** From when on (ms) days are missing, by the id of each cluster of which some are. */
  readonly missing: ReadonlyMap<number, number>;
  /** No other cluster has anything in them. */
  readonly isNothing: boolean;
}

type DaysAsked = FiguresAsked & { readonly scope: ScopeIds };

/** Memory that is used at most for what blocks come to: those of 90 days with 20,000 calls take 300 KB. */
const keptBytes = 8 * 2 ** 20;
const numberBytes = 2 ** 20;

/** Reads the days whose calls are added up (`server/store/sqlite/writing/call-days.ts`), over an open database. */
export function openKeptCallDays(scopes: Scopes) {
  const kept = keptSums<BlockFigures>(scopes, {
    of: 'calls',
    bytes: keptBytes,
    bytesOf: ({ parts, missing }) => 200 + parts.toCall.byteLength + 40 * missing.size,
  });
  const begins = keptSums<number>(scopes, { of: 'calls', bytes: numberBytes, bytesOf: () => 8 });
  const progress = scopes.statement('SELECT place FROM housekeeping WHERE work = ?');
  const firstBegun = scopes.statement('SELECT MIN(begins_at) FROM rollup_calls WHERE block = ?');
  const visitDays = openCallDays();
  const alone = openAloneCalls(scopes);

  function ofBlock({ scope, period, alarmWithin }: DaysAsked, days: Period): BlockFigures {
    const first = begins.recall(days, '', () => firstWhole(firstBegun, blockOf(days.from)) ?? days.from);
    // What began before the period is cut where that begins.
    const cut = first < period.from || days.from === period.from ? period.from : null;
    return kept.recall(days, JSON.stringify([scope, alarmWithin, cut]), () => read(scope, period.from, days));
  }

  function read(scope: ScopeIds, begin: number, days: Period): BlockFigures {
    const { sql, parameters } = ofClusters(scope, 'cluster');
    const statement = scopes.statement(
      `SELECT cluster, added_to, begins_at, ${scope.kind === null ? 'figures' : 'kinds'} FROM rollup_calls WHERE block = ? AND ${sql}`,
    );
    const rows = allRows(statement, blockOf(days.from), ...parameters);
    const tally = openTally(scope.kind ?? allKinds, begin, days.from);
    const missing = new Map<number, number>();
    for (const row of rows) {
      const end = Math.min(addedTo(row, begin, days), days.to);
      if (end < days.to) missing.set(whole(row[0]), Math.max(end, days.from));
      if (end > days.from && row[3] instanceof Uint8Array) visitDays(row[3], blockOf(days.from), end, tally.visitor);
    }
    return { parts: tally.parts(), missing, isNothing: missing.size === rows.length };
  }

  /** Up to when what is added up of a cluster can be told of a period that begins at a time: one that begins within a day cuts absences. */
  function addedTo([, added, first, figures]: Row, begin: number, days: Period): number {
    if (!(figures instanceof Uint8Array)) return days.from;
    if (begin === dayOf(begin) || whole(first) >= begin) return whole(added);
    let isCut = false;
    const day = (of: number, began: number): boolean => {
      isCut ||= of >= days.from && began < begin;
      return false;
    };
    visitDays(figures, blockOf(days.from), Math.min(whole(added), days.to), { ...nothing, day });
    return isCut ? days.from : whole(added);
  }

  return {
    /** True if days are added up by the deadline of a question, and for its scope. */
    has: ({ scope, alarmWithin }: DaysAsked): boolean =>
      scope.namespace === null &&
      scope.name === null &&
      scope.places === null &&
      firstWhole(progress, callDaysWork.within) === alarmWithin &&
      firstWhole(progress, callDaysWork.format) === callDaysFormat,
    /** Figures of whole days within a period. */
    figures(question: DaysAsked, days: Period): KeptFigures {
      const blocks = cutAtBlocks(days).map((period) => ({ period, ...ofBlock(question, period) }));
      const byBlock = new Map(blocks.map((one) => [blockOf(one.period.from), one]));
      const parts = addLooks(blocks.map((one) => one.parts));
      return {
        figures: { ...parts, withoutAbsence: question.well ? alone(question, days, byBlock) : 0 },
        missing: blocks.flatMap(({ period: { to }, missing, isNothing }) => {
          const alike = [...Map.groupBy(missing, ([, from]) => from)];
          return alike.map(([from, its]) => ({
            ...{ from, to },
            clusters: isNothing && alike.length === 1 ? null : its.map(([cluster]) => cluster),
          }));
        }),
      };
    },
  };
}

/** Counts calls that ended in days that are added up and name objects which were never away meanwhile. */
function openAloneCalls(scopes: Scopes) {
  return ({ asked, period }: DaysAsked, days: Period, blocks: ReadonlyMap<number, BlockFigures>): number => {
    const conditions = callsInScope(asked);
    const statement = scopes.statement(
      `SELECT DISTINCT a.cluster, a.block, a.ended_at, a.call FROM call_alone a INDEXED BY call_alone_block CROSS JOIN alarm_call c ON c.id = a.call
       WHERE ${['a.block BETWEEN ? AND ?', 'a.ended_at >= ?', 'a.ended_at < ?', 'c.from_at >= ?', ...conditions.map(({ sql }) => sql)].join(' AND ')}`,
    );
    const within = [blockOf(days.from), blockOf(days.to - 1), days.from, days.to, period.from];
    const rows = allRows(statement, ...within, ...conditions.flatMap(({ parameters }) => parameters));
    return rows.filter(
      ([cluster, block, ended]) =>
        whole(ended) < (blocks.get(whole(block))?.missing.get(whole(cluster)) ?? Number.MAX_SAFE_INTEGER),
    ).length;
  };
}

const nothing: CallDayVisitor = {
  day: () => false,
  dark: () => undefined,
  ended: () => undefined,
  spent: () => undefined,
  first: () => undefined,
};

/** Adds up days of a kind from one on, of a period that begins at a time. */
function openTally(wanted: number, begin: number, from: number) {
  const sums = { called: 0, unknown: 0 };
  const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
  const toCall = durationList();
  let toCallAtMost = 0;
  let atBegin = false;
  const visitor: CallDayVisitor = {
    day(day) {
      atBegin = day === begin;
      return day >= from;
    },
    dark(kind, time) {
      if (kind === wanted) sums.unknown += time;
    },
    ended(kind, atStart, inTime, late, never, unknown) {
      if (kind !== wanted || (atStart && atBegin)) return;
      overdue.inTime += inTime;
      overdue.late += late;
      overdue.never += never;
      overdue.unknown += unknown;
    },
    spent(kind, day, called, unknown) {
      if (kind !== wanted || day < dayOf(begin)) return;
      sums.called += called;
      sums.unknown += unknown;
    },
    first(kind, noticedAt, after, isExact) {
      if (kind !== wanted || noticedAt < begin) return;
      if (isExact) toCall.add(after);
      else toCallAtMost += 1;
    },
  };
  return { visitor, parts: (): LookParts => ({ ...sums, overdue, toCall: toCall.ascending(), toCallAtMost }) };
}
