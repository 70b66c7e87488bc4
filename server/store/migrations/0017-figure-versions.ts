import type { Migration } from './migration.ts';

const block = 8 * 86_400_000;

/** The block of days (`server/store/codec/rollup-block.ts`) that an hour lies in; below 1970 too. */
function blockOfHour(hour: string): string {
  return `(${hour} - ((${hour} % ${block}) + ${block}) % ${block}) / ${block}`;
}

/** Counts on the version of figures of a block of days. Not with OR IGNORE, as in the step before. */
function renews(of: 'days' | 'hours', place: string): string {
  return `INSERT INTO figure_version (of, place, version) SELECT '${of}', ${place}, 0
    WHERE NOT EXISTS (SELECT 1 FROM figure_version WHERE of = '${of}' AND place = ${place});
  UPDATE figure_version SET version = version + 1 WHERE of = '${of}' AND place = ${place};`;
}

function triggers(table: string, of: 'days' | 'hours', placeIn: (row: string) => string): string {
  return [
    ['INSERT', 'added', ['NEW']] as const,
    ['UPDATE', 'changed', ['OLD', 'NEW']] as const,
    ['DELETE', 'removed', ['OLD']] as const,
  ]
    .map(
      ([event, name, rows]) => `CREATE TRIGGER figure_version_${table}_${name} AFTER ${event} ON ${table} BEGIN
  ${rows.map((row) => renews(of, placeIn(row))).join('\n  ')}
END;`,
    )
    .join('\n');
}

/**
 * Figures that are added up by the day and by the hour have versions, so that a reader may keep what it made of them for as long as
 * they stand. `place` is a block of days. A row is never removed: a version that was used once means the same for ever. Triggers count them on: no writer has to
 * think of it.
 */
export const figureVersions: Migration = {
  version: 17,
  name: 'figure versions',
  sqlite: `
CREATE TABLE figure_version (
  of TEXT NOT NULL,
  place INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (of, place)
) STRICT, WITHOUT ROWID;
${['rollup', 'rollup_absences', 'rollup_union'].map((table) => triggers(table, 'days', (row) => `${row}.block`)).join('\n')}
${triggers('incident_hour', 'hours', (row) => blockOfHour(`${row}.hour`))}
`,
};
