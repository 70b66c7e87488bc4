import type { Period } from '#lib/domain/record/span.ts';
import { hour } from '#lib/domain/time/length.ts';
import { openIncidentHours } from '../../../../codec/incident-hour.ts';
import { emptyCauses, type CauseTally } from '../../../../record/incident/cause-tally.ts';
import { allRows, whole } from '../../../rows/cells.ts';
import { keptTallies } from '../kept/kept-tallies.ts';
import type { Scopes } from '../record-scope.ts';
import type { KnownThen } from './incident-moments.ts';

/** Hours of a period that were added up, and the rest of it. */
interface Hours {
  readonly tally: CauseTally;
  readonly left: readonly Period[];
}

/** A moment (ms), and which incidents were known at it. */
interface Asked {
  readonly at: number;
  readonly known: KnownThen;
}

/** Memory that is used at most for what hours come to: those of 90 days with a million incidents take 16 MB. */
const keptBytes = 32 * 2 ** 20;

/**
 * Reads what hours come to, over an open database. Gives a tally of those of the hours of a period whose figures are as their incidents
 * were known, and the rest of the period in pieces, oldest first: there incidents are to be counted one by one.
 */
export function openIncidentHourReader(scopes: Scopes) {
  const tallies = keptTallies<CauseTally>(scopes, {
    of: 'hours',
    bytes: keptBytes,
    empty: emptyCauses,
    countsOf: ({ opened, members, large, closed, gone }) => [opened, members, large, closed, gone],
    addCounts(tally, [opened = 0, members = 0, large = 0, closed = 0, gone = 0]) {
      tally.opened += opened;
      tally.members += members;
      tally.large += large;
      tally.closed += closed;
      tally.gone += gone;
    },
  });
  const hours = scopes.statement(
    `SELECT figures FROM incident_hour WHERE hour >= ? AND hour < ? AND hour NOT IN (SELECT value FROM json_each(?))`,
  );
  const open = 'SELECT hour FROM incident_hour_open WHERE hour >= ? AND hour < ?';
  const noticedLater = 'SELECT hour FROM incident_hour WHERE hour >= ? AND hour < ? AND noticed_by > ?';
  const times = scopes.statement(
    `SELECT i.noticed_at, COALESCE(i.closed_at, i.noticed_at) FROM json_each(?) c CROSS JOIN incident i ON i.id = c.value`,
  );

  /** Hours in which an incident counts otherwise than its row says now. */
  function hoursOf({ at, known }: Asked, from: number, to: number): readonly number[] {
    if (known.isNow) return [];
    const changed = allRows(times, JSON.stringify(known.changedRows)).flatMap((row) =>
      row.map((time) => hourOf(whole(time))),
    );
    return [...changed.filter((one) => one >= from && one < to), ...scopes.ids(noticedLater, [from, to, at])];
  }

  return (period: Period, asked: Asked): Hours => {
    const from = Math.ceil(period.from / hour) * hour;
    const to = hourOf(Math.min(period.to, asked.known.isNow ? Infinity : asked.at));
    if (!(from < to)) return { tally: emptyCauses(), left: period.from < period.to ? [period] : [] };
    const left = [...new Set([...scopes.ids(open, [from, to]), ...hoursOf(asked, from, to)])].toSorted((a, b) => a - b);
    const keyOf = (part: Period): string => JSON.stringify(left.filter((one) => one >= part.from && one < part.to));
    const read = (tally: CauseTally, part: Period): void => {
      const add = openIncidentHours(tally);
      for (const [packed] of allRows(hours, part.from, part.to, keyOf(part))) {
        if (!(packed instanceof Uint8Array)) throw new Error('the store holds no figures where an hour has some');
        add(packed);
      }
    };
    const tally = tallies.sum([{ period: { from, to }, keyOf, read }]);
    return { tally, left: piecesLeft(period, { from, to }, left) };
  };
}

function hourOf(time: number): number {
  return Math.floor(time / hour) * hour;
}

/** A period without its whole hours, but for those that are left, in their order. */
function piecesLeft(period: Period, whole: Period, left: readonly number[]): readonly Period[] {
  const pieces: { from: number; to: number }[] = [];
  const add = (from: number, to: number): void => {
    const last = pieces.at(-1);
    if (from >= to) return;
    if (last?.to === from) last.to = to;
    else pieces.push({ from, to });
  };
  add(period.from, whole.from);
  for (const one of left) add(one, one + hour);
  add(whole.to, period.to);
  return pieces;
}
