import { LRUCache } from 'lru-cache';
import { callsLooked } from '#lib/domain/alarm/alarm-figures.ts';
import { callBook, type CallBook } from '#lib/domain/alarm/called/call-book.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { firstRow } from '../../rows/cells.ts';
import type { Scopes } from '../record/record-scope.ts';
import type { LeftOutCalls } from './left-out-calls.ts';
import { openMeantCalls, type StoredCall } from './meant-calls.ts';

/** Gives the book of the calls of a period. It may tell of other times too. */
export type CallBooks = (period: Period) => CallBook<StoredCall>;

interface Kept extends Period {
  readonly book: CallBook<StoredCall>;
  readonly calls: number;
  readonly left: LeftOutCalls;
}

/** Books that are kept; together they hold no more calls than one may. */
const mostKept = 4;

/** So much more of a time than is asked for is laid out, as a part of its length: as much as there is room for. */
const shares = [1, 1 / 4, 0];

/** Lays calls out over an open database, and keeps that for as long as no call and no word on a source is written, ended or removed. */
export function openCallBooks(scopes: Scopes, most = callsLooked): CallBooks {
  const calls = openMeantCalls(scopes, most);
  // A call is never written anew but to give it its end, other than by a purge, which gives the store another id. The last id may be given again
  // once its call is too old to keep.
  const versions = scopes.statement(
    `SELECT (SELECT id FROM store), (SELECT COUNT(*) FROM alarm_call), (SELECT id || ' ' || from_at FROM alarm_call ORDER BY id DESC LIMIT 1),
       (SELECT group_concat(id) FROM (SELECT id FROM alarm_call WHERE to_at IS NULL ORDER BY id)),
       (SELECT COUNT(*) || ' ' || MAX(id) || ' ' || SUM(at % 1000000007) FROM alarm_coverage),
       (SELECT place FROM housekeeping WHERE work = 'incidents-up-to')`,
  );
  let version = '';
  const kept = new LRUCache<string, Kept>({
    max: mostKept,
    maxSize: most + mostKept,
    sizeCalculation: ({ calls: count }) => 1 + count,
  });

  function keep(one: Kept): Kept {
    kept.set(`${one.from} ${one.to}`, one);
    return one;
  }

  function laidOut(period: Period, left: LeftOutCalls): Kept {
    const within = calls.within(period, left);
    return keep({ ...period, book: callBook(within, calls.times(period, left)), calls: within.length, left });
  }

  function widest(asked: Period, left: LeftOutCalls): Kept {
    for (const share of left.read === null ? shares : []) {
      const period = around(asked, share);
      const more = calls.leftOut(period);
      if (more.read === null) return laidOut(period, more);
    }
    return laidOut(asked, left);
  }

  return (asked) => {
    const now = JSON.stringify(firstRow(versions));
    if (now !== version) kept.clear();
    version = now;
    const covering = kept.find((one) => one.left.read === null && covers(one, asked));
    if (covering !== undefined) return covering.book;
    const known = kept.find((one) => isSame(one, asked));
    return (known ?? widest(asked, calls.leftOut(asked))).book;
  };
}

/** A period and more: the next question is about a little later, or a page that lies further back. */
function around({ from, to }: Period, share: number): Period {
  const more = Math.floor(share * Math.max(day, to - from));
  return { from: Math.max(Number.MIN_SAFE_INTEGER, from - more), to: to + Math.min(day, more) };
}

function covers(one: Period, other: Period): boolean {
  return one.from <= other.from && one.to >= other.to;
}

function isSame(one: Period, other: Period): boolean {
  return one.from === other.from && one.to === other.to;
}
