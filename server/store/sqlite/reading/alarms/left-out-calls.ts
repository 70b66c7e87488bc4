import { loudestOf, type HeardOn, type LeftOut } from '#lib/domain/alarm/called/left-out.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { decodeNames } from '../../../codec/alarm/decode-alarms.ts';
import { allRows, firstRow, firstWhole, text, whole } from '../../rows/cells.ts';
import type { Scopes } from '../record/record-scope.ts';

/** In SQL, of a call: it lasted at some time from ?1 to ?2. */
export const lasting = 'from_at < ?2 AND (to_at IS NULL OR (to_at > ?1 AND to_at > from_at))';

/** Sources whose calls are not read, and those whose calls are. */
export interface LeftOutCalls extends LeftOut {
  /** By the ids of the sources, as JSON; null where all are read. */
  readonly read: string | null;
}

/** All calls are read. */
export const allRead: LeftOutCalls = { sources: [], heard: [], read: null };

/** Tells of periods which sources have so many calls that they are not read, over an open database: `most` are of all. */
export function openLeftOutCalls(scopes: Scopes, most: number) {
  const heardOf = openHeard(scopes);
  const some = scopes.statement(
    `SELECT COUNT(*) FROM (SELECT 1 FROM alarm_call INDEXED BY alarm_call_from WHERE ${lasting} LIMIT ${most + 1})`,
  );
  const ofEach = scopes.statement(
    `SELECT s.id, s.name, (SELECT COUNT(*) FROM alarm_call INDEXED BY alarm_call_source WHERE fact_source = s.id AND ${lasting})
     FROM fact_source s WHERE s.type = 'alarm-source'`,
  );

  /** True if all calls of a period are read. */
  const areAllRead = ({ from, to }: Period): boolean => (firstWhole(some, from, to) ?? 0) <= most;

  return {
    areAllRead,
    leftOut(period: Period): LeftOutCalls {
      if (areAllRead(period)) return allRead;
      const all = allRows(ofEach, period.from, period.to).map(([id, name, calls]) => ({
        id: whole(id),
        ...{ source: text(name), calls: whole(calls) },
      }));
      const loudest = loudestOf(all, most);
      return {
        sources: loudest.map(({ source, calls }) => ({ source, calls })),
        heard: loudest.flatMap((one) => heardOf(one, period)),
        read: JSON.stringify(all.filter((one) => !loudest.includes(one)).map(({ id }) => id)),
      };
    },
  };
}

/** Reads when a source called for clusters that it did not speak for all the time. */
function openHeard(scopes: Scopes) {
  const clusters = scopes.statement(
    `SELECT s.name, c.from_at FROM fact_source s JOIN alarm_call c ON c.rowid = (SELECT rowid FROM alarm_call INDEXED BY alarm_call_source
       WHERE fact_source = ? AND attributed = s.name ORDER BY from_at LIMIT 1) WHERE s.type = 'cluster'`,
  );
  const words = scopes.statement(
    'SELECT clusters, MIN(at) FROM alarm_coverage WHERE fact_source = ? GROUP BY clusters',
  );
  const during = scopes.statement(
    `SELECT MIN(from_at), MAX(COALESCE(to_at, ?2)) FROM alarm_call INDEXED BY alarm_call_source
     WHERE fact_source = ?3 AND attributed = ?4 AND ${lasting}`,
  );

  return ({ id, source }: { readonly id: number; readonly source: string }, period: Period): readonly HeardOn[] => {
    const said = allRows(words, id).map(([names, at]) => ({ names: new Set(decodeNames(text(names))), at: whole(at) }));
    const since = said.reduce((first, { at }) => Math.min(first, at), Infinity);
    const isSpokenFor = (cluster: string): boolean => said.every(({ names }) => names.size === 0 || names.has(cluster));
    return allRows(clusters, id).flatMap(([name, first]) => {
      const cluster = text(name);
      if (isSpokenFor(cluster) && whole(first) >= since) return [];
      const [from = null, to = null] = firstRow(during, period.from, period.to, id, cluster) ?? [];
      if (from === null || to === null) return [];
      return [{ source, cluster, from: Math.max(period.from, whole(from)), to: Math.min(period.to, whole(to)) }];
    });
  };
}
