import { largeFrom } from '#lib/domain/incident/cause-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { CauseTally } from '../../../../record/incident/cause-tally.ts';
import { addDurations } from '../../../rows/duration-text.ts';
import { firstRow, textOrNull, whole, wholeOrNull, type Row } from '../../../rows/cells.ts';
import type { Condition, Scopes } from '../record-scope.ts';
import { incidentsAbout } from './incident-moments.ts';
import { all } from './incident-sources.ts';

/** Adds those known first in a period. */
export function addOpened(scopes: Scopes, tally: CauseTally, asked: Condition, { from, to }: Period): void {
  const within = { sql: 'i.merged_into IS NULL AND i.noticed_at >= ? AND i.noticed_at < ?', parameters: [from, to] };
  const { sql, parameters } = all(within, asked);
  const times = "CASE WHEN i.bound = 'exact' THEN MAX(0, i.noticed_at - i.opened_at) END";
  const row = sums(
    scopes,
    `COUNT(*), SUM(i.members), GROUP_CONCAT(${times})`,
    `FROM incident i INDEXED BY incident_noticed WHERE ${sql}`,
    parameters,
  );
  const large = `FROM incident i INDEXED BY incident_large WHERE i.most_objects >= ${largeFrom} AND ${sql}`;
  tally.opened += whole(row[0]);
  tally.members += wholeOrNull(row[1]) ?? 0;
  tally.large += whole(sums(scopes, 'COUNT(*)', large, parameters)[0]);
  addDurations(tally.toNotice, textOrNull(row[2]));
}

/** Ends that are no loss: an index holds what ended so, one what ended so and lasted at least so long, and one the others. */
const home = "i.ended IN ('converged', 'seen')";

/** Adds those that were over in a period. */
export function addClosed(scopes: Scopes, tally: CauseTally, asked: Condition, { from, to }: Period): void {
  const within = { sql: 'i.merged_into IS NULL AND i.closed_at >= ? AND i.closed_at < ?', parameters: [from, to] };
  const { sql, parameters } = all(within, asked);
  const closed = (columns: string, index: string): Row =>
    sums(scopes, columns, `FROM incident i INDEXED BY ${index} AND ${sql}`, parameters);
  const times = 'GROUP_CONCAT(MAX(0, i.closed_at - i.opened_at))';
  const [count, lasted] = closed(`COUNT(*), ${times}`, `incident_closed WHERE ${home}`);
  const [atLeast] = closed(times, `incident_closed_at_least WHERE ${home} AND i.bound = 'at-least'`);
  const [gone] = closed('COUNT(*)', "incident_gone WHERE i.ended NOT IN ('converged', 'seen')");
  tally.closed += whole(count);
  tally.gone += whole(gone);
  addDurations(tally.toConverge, textOrNull(lasted));
  addDurations(tally.toConvergeAtLeast, textOrNull(atLeast));
}

/** Adds those that lasted as a period began. */
export function addLasting(scopes: Scopes, tally: CauseTally, asked: Condition, { from, to }: Period): void {
  const columns = `COUNT(*), SUM(i.most_objects >= ${largeFrom}), SUM(i.closed_at < ? AND ${home})`;
  const { late, older } = incidentsAbout({ from, to: from });
  for (const source of [late, older]) {
    const lasts = { sql: '(i.closed_at IS NULL OR i.closed_at >= ?)', parameters: [from] };
    const { sql, parameters } = all(source, asked, lasts);
    const row = sums(scopes, columns, sql, [to, ...parameters]);
    tally.openAtStart += whole(row[0]);
    tally.large += wholeOrNull(row[1]) ?? 0;
    tally.closedFromBefore += wholeOrNull(row[2]) ?? 0;
  }
}

function sums(scopes: Scopes, columns: string, source: string, parameters: Condition['parameters']): Row {
  return firstRow(scopes.statement(`SELECT ${columns} ${source}`), ...parameters) ?? [];
}
