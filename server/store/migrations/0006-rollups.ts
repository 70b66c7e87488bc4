import type { Migration } from './migration.ts';

const day = 86_400_000;
const never = 9_000_000_000_000_000;
const rolledTo = (row: string): string => `(SELECT to_day FROM rolled WHERE cluster = ${row}.cluster)`;
const rolledFrom = (row: string): string => `(SELECT from_day FROM rolled WHERE cluster = ${row}.cluster)`;

/** A trigger that takes back what is rolled up of a cluster from the day on in which `time` lies. */
function takesBack(name: string, event: string, row: string, time: string, when = 'TRUE'): string {
  return `CREATE TRIGGER rolled_${name} AFTER ${event} WHEN ${time} < ${rolledTo(row)} AND ${when} BEGIN
  UPDATE rolled SET to_day = MIN(to_day, ${time} - ${time} % ${day}) WHERE cluster = ${row}.cluster;
END;`;
}

/** The earlier of two times, either of which may be none; never where they are the same. */
function earlier(column: string): string {
  return `CASE WHEN OLD.${column} IS NEW.${column} THEN ${never}
    ELSE MIN(COALESCE(OLD.${column}, ${never}), COALESCE(NEW.${column}, ${never})) END`;
}

const ofTransition = `MIN(${earlier('until')}, ${earlier('noticed_at')})`;
const ofIncident = `MIN(${earlier('closed_at')}, ${earlier('noticed_at')})`;

/**
 * What closed UTC days come to, so that a long report need not read every span. `rolled` says of a cluster which days are: from
 * `from_day` to `to_day` (ms, half-open); `rollup` holds them by blocks of days (`server/store/codec/rollup-block.ts`). Whatever
 * writes or removes something that lies in such a day takes the days from it on back: no writer has to think of it.
 */
export const rollups: Migration = {
  version: 6,
  name: 'rollups',
  sqlite: `
DROP INDEX transition_span;
CREATE INDEX transition_span ON transition (object, noticed_at, until, to_verdict);
CREATE INDEX transition_verdict ON transition (to_verdict, noticed_at, until, cluster);
DROP INDEX incident_cluster;
CREATE INDEX incident_cluster ON incident (cluster, noticed_at, closed_at);
CREATE INDEX incident_noticed ON incident (noticed_at, closed_at, opened_at, cluster, object);
CREATE INDEX incident_long ON incident (noticed_at) WHERE closed_at IS NULL OR closed_at - noticed_at > ${day};
DROP INDEX correction_at;
CREATE INDEX correction_at ON correction (at, certainty, count, cluster);
DROP INDEX change_at;
CREATE INDEX change_at ON change (at, kind, cluster);

CREATE TABLE rolled (
  cluster INTEGER PRIMARY KEY,
  from_day INTEGER NOT NULL,
  to_day INTEGER NOT NULL
) STRICT;

CREATE TABLE rollup (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  shares ANY NOT NULL,
  away ANY NOT NULL,
  incidents ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX rollup_once ON rollup (cluster, block);

${takesBack('transition_added', 'INSERT ON transition', 'NEW', 'NEW.noticed_at')}
${takesBack('transition_changed', 'UPDATE OF until, noticed_at ON transition', 'OLD', ofTransition)}
${takesBack('transition_removed', 'DELETE ON transition', 'OLD', `MAX(OLD.noticed_at, ${rolledFrom('OLD')})`, `COALESCE(OLD.until, ${never}) > ${rolledFrom('OLD')}`)}
${takesBack('incident_added', 'INSERT ON incident', 'NEW', 'NEW.noticed_at')}
${takesBack('incident_changed', 'UPDATE OF opened_at, closed_at, ended, noticed_at ON incident', 'OLD', ofIncident)}
${takesBack('incident_removed', 'DELETE ON incident', 'OLD', `MAX(OLD.noticed_at, ${rolledFrom('OLD')})`, `COALESCE(OLD.closed_at, ${never}) > ${rolledFrom('OLD')}`)}
${takesBack('coverage_added', 'INSERT ON coverage', 'NEW', 'NEW.at')}
${takesBack('coverage_changed', 'UPDATE OF at ON coverage', 'OLD', 'MIN(OLD.at, NEW.at)', `OLD.at >= ${rolledFrom('OLD')}`)}
${takesBack('coverage_removed', 'DELETE ON coverage', 'OLD', 'OLD.at', `OLD.at >= ${rolledFrom('OLD')}`)}
`,
};
