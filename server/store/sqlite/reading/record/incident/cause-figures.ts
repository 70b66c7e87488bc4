import type { CauseFigures } from '#lib/domain/incident/cause-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { boundOf } from '../../../../codec/traits.ts';
import { incidentEndOf } from '../../../../codec/incident-words.ts';
import { causeFiguresOf, countCause, emptyCauses, type CauseTally } from '../../../../record/incident/cause-tally.ts';
import { allRows, text, textOrNull, whole, wholeOrNull } from '../../../rows/cells.ts';
import type { Condition, ScopeIds, Scopes } from '../record-scope.ts';
import { addClosed, addLasting, addOpened } from './cause-sums.ts';
import { openIncidentHourReader } from './incident-hours.ts';
import { within } from './incident-list.ts';
import type { KnownThen, Moments } from './incident-moments.ts';
import { withMembers } from './incident-scope.ts';
import { all } from './incident-sources.ts';

/**
 * Figures over incidents, of an open database. Of the whole fleet from what hours that are over come to, and where there is none of those
 * added up in SQL, from what an index holds.
 */
export function openCauseFigures(scopes: Scopes, moments: Moments) {
  const hoursOf = openIncidentHourReader(scopes);

  /** Unchanged incidents of the whole fleet. */
  function countFleet(asked: Condition, period: Period, at: number, known: KnownThen): CauseTally {
    const { tally, left } = hoursOf(period, { at, known });
    for (const piece of left) {
      addOpened(scopes, tally, asked, piece);
      addClosed(scopes, tally, asked, piece);
    }
    addLasting(scopes, tally, asked, period);
    return tally;
  }

  return (scope: ScopeIds, period: Period, at: number): CauseFigures => {
    const known = moments.knownAt(at);
    const members = withMembers(scopes, scope, known.isNow ? null : at);
    const asked = all(known.unchanged, members);
    const isFleet = members.sql === 'TRUE';
    const tally = isFleet ? countFleet(asked, period, at, known) : countRows(scopes, asked, period);
    for (const standing of within(scopes, members, known.changed)) countCause(tally, standing, period);
    return causeFiguresOf(tally);
  };
}

/** Counts incidents one by one: a scope is gone through once, and not for each sum. */
function countRows(scopes: Scopes, asked: Condition, period: Period): CauseTally {
  const tally = emptyCauses();
  const { sql, parameters } = all({ sql: 'i.merged_into IS NULL', parameters: [] }, asked, {
    sql: 'i.noticed_at < ? AND (i.closed_at IS NULL OR i.closed_at >= ?)',
    parameters: [period.to, period.from],
  });
  const statement = scopes.statement(
    `SELECT i.opened_at, i.noticed_at, i.closed_at, i.bound, i.ended, i.most_objects, i.members FROM incident i WHERE ${sql}`,
  );
  for (const row of allRows(statement, ...parameters)) {
    const incident = {
      openedAt: whole(row[0]),
      noticedAt: whole(row[1]),
      closedAt: wholeOrNull(row[2]),
      bound: boundOf(text(row[3])),
      ended: incidentEndOf(textOrNull(row[4])),
      mostObjects: whole(row[5]),
      members: whole(row[6]),
    };
    countCause(tally, incident, period);
  }
  return tally;
}
