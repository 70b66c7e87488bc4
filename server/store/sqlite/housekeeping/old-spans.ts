import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { blockOf } from '../../codec/rollup-block.ts';
import { firstWhole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Progress, Work } from './work.ts';

const atOnce = 1_000;

/** One statement that is run over a table in stretches of ids; `?1` to `?2` are the ids, `?3` is the beginning of what is kept (ms). */
interface Sweep {
  readonly table: string;
  readonly run: string;
  /** A time of a row that never lies before those of rows with lower ids: the sweep ends where it is not old any more. */
  readonly ordered: string | null;
}

const inStretch = 'id > ?1 AND id <= ?2';
const isOld = (incident: string): string => `COALESCE(${incident}.merged_at, ${incident}.closed_at) < ?3`;
const isOfOld = (row: string): string =>
  `EXISTS (SELECT 1 FROM incident i WHERE i.id = ${row}.incident AND ${isOld('i')})`;

/**
 * A span or a call that lasts stays, however old; so does the last word on what was seen before the kept time, which then counts from its
 * beginning. What is gone for good goes with its last span. An incident goes with all of it when it is over for so long; one that turned
 * out to be another leads there until that goes.
 */
const sweeps: readonly Sweep[] = [
  {
    table: 'transition',
    run: `DELETE FROM transition WHERE ${inStretch} AND (until <= ?3 OR (until IS NULL AND to_verdict = '' AND noticed_at < ?3))`,
    ordered: 'noticed_at',
  },
  {
    table: 'absence',
    // The last one stays: its id is never that of another.
    run: `DELETE FROM absence WHERE ${inStretch} AND closed_at < ?3 AND id < (SELECT MAX(id) FROM absence)`,
    ordered: 'noticed_at',
  },
  {
    table: 'incident_member',
    run: `DELETE FROM incident_member AS m WHERE ${inStretch} AND ${isOfOld('m')}`,
    ordered: 'joined_at',
  },
  {
    table: 'incident_step',
    run: `DELETE FROM incident_step AS s WHERE ${inStretch} AND ${isOfOld('s')}`,
    ordered: null,
  },
  ...['incident_key', 'incident_cluster'].map((table) => ({
    table: 'incident',
    run: `DELETE FROM ${table} AS t WHERE incident > ?1 AND incident <= ?2 AND ${isOfOld('t')}`,
    ordered: null,
  })),
  {
    table: 'incident',
    run: `DELETE FROM incident AS i WHERE ${inStretch} AND ${isOld('i')} AND NOT EXISTS (SELECT 1 FROM incident l WHERE l.id = i.merged_into)`,
    ordered: null,
  },
  {
    table: 'fault',
    run: `DELETE FROM fault AS f WHERE ${inStretch} AND at < ?3
      AND NOT EXISTS (SELECT 1 FROM incident_member m WHERE m.subject = f.subject)
      AND NOT EXISTS (SELECT 1 FROM fault_pending p WHERE p.subject = f.subject)
      AND NOT EXISTS (SELECT 1 FROM absence a WHERE a.id = f.subject AND COALESCE(a.closed_at, ?3) >= ?3)`,
    ordered: null,
  },
  { table: 'planned_work', run: `DELETE FROM planned_work WHERE ${inStretch} AND until_at < ?3`, ordered: null },
  { table: 'change', run: `DELETE FROM change WHERE ${inStretch} AND at < ?3`, ordered: 'noticed_at' },
  { table: 'correction', run: `DELETE FROM correction WHERE ${inStretch} AND at < ?3`, ordered: null },
  { table: 'backfill', run: `DELETE FROM backfill WHERE ${inStretch} AND to_at < ?3`, ordered: null },
  {
    table: 'coverage',
    run: `DELETE FROM coverage AS c WHERE ${inStretch} AND at < ?3 AND EXISTS (
      SELECT 1 FROM coverage l WHERE l.cluster = c.cluster AND l.kind = c.kind AND l.at < ?3 AND (l.at, l.id) > (c.at, c.id))`,
    ordered: null,
  },
  {
    table: 'coverage',
    run: `UPDATE OR REPLACE coverage SET at = ?3 WHERE ${inStretch} AND at < ?3`,
    ordered: null,
  },
  {
    table: 'alarm_coverage',
    run: `DELETE FROM alarm_coverage AS c WHERE ${inStretch} AND at < ?3 AND EXISTS (
      SELECT 1 FROM alarm_coverage l WHERE l.fact_source = c.fact_source AND l.at < ?3 AND (l.at, l.id) > (c.at, c.id))`,
    ordered: null,
  },
  {
    table: 'alarm_coverage',
    run: `UPDATE OR REPLACE alarm_coverage SET at = ?3 WHERE ${inStretch} AND at < ?3`,
    ordered: null,
  },
  // Behind the coverage: of no time is it said that nobody was called while its calls go. They come out of order, by clocks that may have been set back.
  { table: 'alarm_call', run: `DELETE FROM alarm_call WHERE ${inStretch} AND to_at <= ?3`, ordered: null },
];

interface Round {
  readonly since: number;
  sweep: number;
  id: number;
}

/** Once in a UTC day deletes what is older than `spans`, whole days of it, table by table. */
export function oldSpans(database: DatabaseSync, progress: Progress): Work {
  const prepared = sweeps.map(({ table, run, ordered }) => ({
    run: database.prepare(run),
    ends: prepare(database, `SELECT MAX(id) FROM ${table}`),
    time:
      ordered === null ? null : prepare(database, `SELECT ${ordered} FROM ${table} WHERE id > ? ORDER BY id LIMIT 1`),
  }));
  const arrivals = database.prepare('DELETE FROM arrival WHERE COALESCE(last_at, offered_at) < ?');
  const keepRolled = database.prepare('UPDATE rollup_range SET from_day = MAX(from_day, ?1), to_day = MAX(to_day, ?1)');
  const dropRolled = ['rollup', 'rollup_absences', 'rollup_union', 'rollup_calls', 'call_alone', 'snapshot'].map(
    (table) => database.prepare(`DELETE FROM ${table} WHERE block < ?`),
  );
  let under: Round | null = null;

  /** Days that are rolled up go first: what is deleted after that is in none of them. */
  function begin(since: number): Round {
    keepRolled.run(since);
    for (const drop of dropRolled) drop.run(blockOf(since));
    return { since, sweep: 0, id: 0 };
  }

  return ({ spans }, now) => {
    const since = dayOf(now - spans);
    if (progress.get('spans') >= since) return false;
    const round: Round = under?.since === since ? under : begin(since);
    under = round;
    const sweep = prepared[round.sweep];
    if (sweep === undefined) {
      arrivals.run(since);
      progress.set('spans', since);
      under = null;
      return true;
    }
    const to = round.id + atOnce;
    sweep.run.run(round.id, to, since);
    const time = sweep.time === null ? null : firstWhole(sweep.time, to);
    const done = to >= (firstWhole(sweep.ends) ?? 0) || (time !== null && time >= since);
    round.id = done ? 0 : to;
    if (done) round.sweep += 1;
    return true;
  };
}
