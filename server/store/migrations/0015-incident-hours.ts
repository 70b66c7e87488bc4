import type { Migration } from './migration.ts';

const hour = 3_600_000;

/** The hour in which a time of a trigger's row lies; below 1970 too. */
function hourOf(time: string): string {
  return `(${time} - ((${time} % ${hour}) + ${hour}) % ${hour})`;
}

/**
 * Opens the hours that what a trigger's row says is counted in. Not with OR IGNORE: within a trigger the outer statement's way of taking
 * conflicts holds, https://sqlite.org/lang_createtrigger.html
 */
function opens(...times: readonly string[]): string {
  return times
    .map(
      (time) => `INSERT INTO incident_hour_open (hour) SELECT ${hourOf(time)}
    WHERE ${time} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM incident_hour_open WHERE hour = ${hourOf(time)});`,
    )
    .join('\n  ');
}

const counted = ['opened_at', 'bound', 'noticed_at', 'closed_at', 'ended', 'merged_into', 'most_objects', 'members'];
const differs = counted.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');

/**
 * Figures over the incidents of every hour that is over, so that a report over a million of them reads two thousand rows. Triggers open an
 * hour again when an incident that it counts is written, changed or removed: no writer has to think of it.
 */
export const incidentHours: Migration = {
  version: 15,
  name: 'incident hours',
  sqlite: `
CREATE INDEX incident_changed ON incident (changed_at, noticed_at);
-- \`noticed_by\`: when the last of those that are counted was noticed.
CREATE TABLE incident_hour (
  hour INTEGER PRIMARY KEY,
  noticed_by INTEGER NOT NULL,
  figures BLOB NOT NULL
) STRICT;
-- Hours whose figures are not as their incidents are: those are counted one by one.
CREATE TABLE incident_hour_open (
  hour INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER incident_hour_added AFTER INSERT ON incident BEGIN
  ${opens('NEW.noticed_at', 'NEW.closed_at')}
END;
CREATE TRIGGER incident_hour_changed AFTER UPDATE OF ${counted.join(', ')} ON incident WHEN ${differs} BEGIN
  ${opens('OLD.noticed_at', 'OLD.closed_at', 'NEW.noticed_at', 'NEW.closed_at')}
END;
CREATE TRIGGER incident_hour_removed AFTER DELETE ON incident BEGIN
  ${opens('OLD.noticed_at', 'OLD.closed_at')}
END;
INSERT OR IGNORE INTO incident_hour_open (hour) SELECT ${hourOf('noticed_at')} FROM incident;
INSERT OR IGNORE INTO incident_hour_open (hour)
  SELECT ${hourOf('closed_at')} FROM incident WHERE closed_at IS NOT NULL;
`,
};
