import type { Migration } from './migration.ts';

/**
 * Indexes that hold all that is read by them: the span that lasts of each object, which is all that a day knows of most; and the
 * commits that arrived; and incidents by how long they were. A block of days that are rolled up also holds what
 * it comes to as a whole, and its incidents in another form (`server/store/{totals,incident}-block.ts`), so all is rolled up
 * anew.
 */
export const reportIndexes: Migration = {
  version: 7,
  name: 'report indexes',
  sqlite: `
DROP INDEX transition_open;
CREATE INDEX transition_open ON transition (object, noticed_at, to_verdict) WHERE until IS NULL;
DROP INDEX arrival_last;
CREATE INDEX arrival_last ON arrival (last_at, cluster, commit_hash, offered_at, first_at, objects) WHERE last_at IS NOT NULL;
CREATE INDEX incident_length ON incident (closed_at - opened_at, noticed_at, closed_at, opened_at, cluster, object) WHERE closed_at IS NOT NULL;
DELETE FROM rolled;
DROP TABLE rollup;
CREATE TABLE rollup (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  totals ANY NOT NULL,
  incidents ANY NOT NULL,
  away ANY NOT NULL,
  shares ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX rollup_once ON rollup (cluster, block);
CREATE INDEX rollup_block ON rollup (block);
`,
};
