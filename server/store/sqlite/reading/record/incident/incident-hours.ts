import type { Period } from '#lib/domain/record/span.ts';
import { hour } from '#lib/domain/time/length.ts';
import { openIncidentHours } from '../../../../codec/incident-hour.ts';
import type { CauseTally } from '../../../../record/incident/cause-tally.ts';
import { allRows, whole } from '../../../rows/cells.ts';
import type { Scopes } from '../record-scope.ts';
import type { KnownThen } from './incident-moments.ts';

/** A moment (ms), and which incidents were known at it. */
interface Asked {
  readonly at: number;
  readonly known: KnownThen;
}

/**
 * Reads what hours come to, over an open database. Adds to a tally those of the hours of a period whose figures are as their incidents
 * were known, and gives the rest of the period in pieces, oldest first: there incidents are to be counted one by one.
 */
export function openIncidentHourReader(scopes: Scopes) {
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

  return (tally: CauseTally, period: Period, asked: Asked): readonly Period[] => {
    const from = Math.ceil(period.from / hour) * hour;
    const to = hourOf(Math.min(period.to, asked.known.isNow ? Infinity : asked.at));
    if (!(from < to)) return period.from < period.to ? [period] : [];
    const left = new Set([...scopes.ids(open, [from, to]), ...hoursOf(asked, from, to)]);
    const add = openIncidentHours(tally);
    for (const [packed] of allRows(hours, from, to, JSON.stringify([...left]))) {
      if (!(packed instanceof Uint8Array)) throw new Error('the store holds no figures where an hour has some');
      add(packed);
    }
    return piecesLeft(period, { from, to }, [...left]);
  };
}

function hourOf(time: number): number {
  return Math.floor(time / hour) * hour;
}

/** A period without its whole hours, but for those that are left. */
function piecesLeft(period: Period, whole: Period, left: readonly number[]): readonly Period[] {
  const pieces: { from: number; to: number }[] = [];
  const add = (from: number, to: number): void => {
    const last = pieces.at(-1);
    if (from >= to) return;
    if (last?.to === from) last.to = to;
    else pieces.push({ from, to });
  };
  add(period.from, whole.from);
  for (const one of left.toSorted((a, b) => a - b)) add(one, one + hour);
  add(whole.to, period.to);
  return pieces;
}
