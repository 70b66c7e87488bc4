import type { IncidentQuestion } from '../../../../port/incident-port.ts';
import type { RecordCursor } from '../../../../port/record-port.ts';
import { isAsked, objectTimeBy, rankOf } from '../../../../record/incident/asked.ts';
import { allRows, firstWhole, whole } from '../../../rows/cells.ts';
import { keyOf, type PageKey } from '../page-cursor.ts';
import type { Condition, Scopes } from '../record-scope.ts';
import type { Moments } from './incident-moments.ts';
import type { Standing } from './incident-rows.ts';
import { withMembers } from './incident-scope.ts';
import { all, sourcesOf, type IncidentSources } from './incident-sources.ts';

/** Incidents that a question looks at. */
interface Sought {
  /** Those of which something was recorded later, as they stood then, if they are asked for. */
  readonly changed: readonly Standing[];
  /** Where the others are looked for, and what is asked of them. */
  readonly sources: IncidentSources;
  readonly asked: Condition;
}

/** Incidents that are asked for, one page of them or how many there are. */
export function openIncidentList(scopes: Scopes, moments: Moments) {
  /** Null where the store has no word for a part of the scope, or nothing lies in the period. */
  function soughtOf(question: IncidentQuestion): Sought | null {
    const ids = scopes.resolve(question.scope);
    if (ids === null || question.period.from >= question.period.to) return null;
    const known = moments.knownAt(question.at);
    const scope = withMembers(scopes, ids, known.isNow ? null : question.at, question.order === 'newest');
    return {
      changed: within(scopes, scope, known.changed).filter((standing) => isAsked(standing, question)),
      sources: sourcesOf(scopes, question, scope),
      asked: all(known.unchanged, askedOf(question)),
    };
  }

  /** Object-ms of an incident of which something was recorded later, up to a moment (ms). */
  function timeOf(standing: Standing, by: number): number {
    const last = by < standing.at ? moments.stoodAt(standing.incident, by) : standing;
    return last === null ? 0 : objectTimeBy(last, by);
  }

  return {
    /** Keys of a page and of one more, and how those stood of which something was recorded later; null where there is none. */
    page(
      question: IncidentQuestion,
      { cursor, limit }: { readonly cursor: RecordCursor | null; readonly limit: number },
    ): { readonly keys: readonly PageKey[]; readonly changed: readonly Standing[] } | null {
      const sought = soughtOf(question);
      if (sought === null) return null;
      const after = keyOf(cursor) ?? { rank: Number.MAX_SAFE_INTEGER, id: 0 };
      const changed = sought.changed
        .map((standing) => ({
          rank: rankOf(standing, question, (moment) => timeOf(standing, moment)),
          id: standing.incident,
        }))
        .filter(({ rank, id }) => rank < after.rank || (rank === after.rank && id < after.id));
      const ranked = (sources: readonly Condition[]): readonly PageKey[] =>
        inOrder(sources.flatMap((one) => rankedIn(scopes, all(one, sought.asked), question, after, limit + 1)));
      return {
        keys: inOrder([...changed, ...foundIn(sought.sources, limit, ranked)]).slice(0, limit + 1),
        changed: sought.changed,
      };
    },
    incidentCount(question: IncidentQuestion, most: number): number {
      const sought = soughtOf(question);
      if (sought === null) return 0;
      let count = sought.changed.length;
      for (const source of sought.sources.all) {
        if (count >= most) break;
        const { sql, parameters } = all(source, sought.asked);
        const counted = scopes.statement(`SELECT COUNT(*) FROM (SELECT 1 ${sql} LIMIT ?)`);
        count += firstWhole(counted, ...parameters, most - count) ?? 0;
      }
      return Math.min(most, count);
    },
  };
}

/** The first of what is sought, and one more, from as few sources as are enough. */
function foundIn(
  { quick, all: everything }: IncidentSources,
  limit: number,
  ranked: (sources: readonly Condition[]) => readonly PageKey[],
): readonly PageKey[] {
  for (const { sources, others } of quick) {
    const found = ranked(sources);
    if (others === null || (found[limit]?.rank ?? -Infinity) > others) return found;
  }
  return ranked(everything);
}

function inOrder(keys: readonly PageKey[]): readonly PageKey[] {
  return keys.toSorted((a, b) => b.rank - a.rank || b.id - a.id);
}

/** Those of some incidents that are in a scope. */
export function within(scopes: Scopes, scope: Condition, standings: readonly Standing[]): readonly Standing[] {
  if (standings.length === 0 || scope.sql === 'TRUE') return standings;
  const ids = JSON.stringify(standings.map(({ incident }) => incident));
  const found = new Set(
    scopes.ids(`SELECT i.id FROM json_each(?) c CROSS JOIN incident i ON i.id = c.value WHERE ${scope.sql}`, [
      ids,
      ...scope.parameters,
    ]),
  );
  return standings.filter(({ incident }) => found.has(incident));
}

/** `isAsked` in SQL, of incidents `i` that stood as their rows say. */
function askedOf({ period, at, verdicts, causes, open, objects, lasted }: IncidentQuestion): Condition {
  const conditions: Condition[] = [
    {
      sql: 'i.noticed_at < ? AND (i.closed_at IS NULL OR i.closed_at > MAX(?, i.noticed_at))',
      parameters: [period.to, period.from],
    },
  ];
  const among = (column: string, values: readonly string[]): void =>
    void conditions.push({
      sql: `${column} IN (SELECT value FROM json_each(?))`,
      parameters: [JSON.stringify(values)],
    });
  if (verdicts !== undefined) among('i.worst', verdicts);
  if (causes !== undefined) among('i.cause_type', causes);
  if (open !== undefined) conditions.push({ sql: `i.closed_at IS ${open ? '' : 'NOT '}NULL`, parameters: [] });
  if (objects !== undefined) conditions.push({ sql: 'i.most_objects >= ?', parameters: [objects] });
  if (lasted !== undefined)
    conditions.push({ sql: 'COALESCE(i.closed_at, ?) - i.opened_at >= ?', parameters: [at, lasted] });
  return all(...conditions);
}

function rankedIn(
  scopes: Scopes,
  source: Condition,
  question: IncidentQuestion,
  after: PageKey,
  limit: number,
): readonly PageKey[] {
  const rank = rankIn(question);
  const statement = scopes.statement(
    question.order === 'newest'
      ? `SELECT ${rank.sql} AS rank, i.id ${source.sql} AND i.noticed_at <= ? AND (i.noticed_at < ? OR i.id < ?)
         ORDER BY i.noticed_at DESC, i.id DESC LIMIT ?`
      : `SELECT rank, id FROM (SELECT ${rank.sql} AS rank, i.id AS id ${source.sql})
         WHERE rank <= ? AND (rank < ? OR id < ?) ORDER BY rank DESC, id DESC LIMIT ?`,
  );
  const behind = [after.rank, after.rank, after.id, limit];
  const rows = allRows(statement, ...rank.parameters, ...source.parameters, ...behind);
  return rows.map((row) => ({ rank: whole(row[0]), id: whole(row[1]) }));
}

/** `rankOf` of an incident `i` in SQL. */
function rankIn({ order, period, at }: IncidentQuestion): Condition {
  const { from } = period;
  const to = Math.min(period.to, at);
  switch (order) {
    case 'newest':
      return { sql: 'i.noticed_at', parameters: [] };
    case 'longest':
      return { sql: 'MIN(COALESCE(i.closed_at, ?), ?) - MAX(i.opened_at, ?)', parameters: [to, to, from] };
    case 'largest':
      return { sql: 'i.most_objects', parameters: [] };
    case 'worst':
      return {
        sql: `CASE WHEN i.changed_at <= ? THEN i.object_time + i.objects * (? - i.changed_at) ELSE ${timeBy} END
          - CASE WHEN i.noticed_at > ? THEN 0 ELSE ${timeBy} END`,
        parameters: [to, to, to, to, from, from, from],
      };
  }
}

/** Object-ms of an incident `i` up to a moment, which is asked for twice, from its steps. */
const timeBy = `COALESCE((
  SELECT s.object_time + s.objects * (? - s.at) FROM incident_step s INDEXED BY incident_step_of
  WHERE s.incident = i.id AND s.at <= ? ORDER BY s.at DESC, s.id DESC LIMIT 1
), 0)`;
