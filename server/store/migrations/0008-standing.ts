import type { Migration } from './migration.ts';

/**
 * What stood at the beginning of each closed UTC day, so that a past moment of a large fleet need not be sought object by object:
 * made with the blocks of `rollup`, and as true as `rolled` says (`server/store/codec/snapshot-block.ts`). All is rolled up anew for it.
 * What a report of all clusters adds up of a block is in indexes that hold it, so that the rest of a row is not read.
 * Suspensions are in an index by how long they were: a report looks at the longest.
 * `transition_gone` tells since when an object is the one it is now: what is made again under a name comes after a removal.
 */
export const standing: Migration = {
  version: 8,
  name: 'standing',
  sqlite: `
CREATE TABLE standing (
  block INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  spans ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX standing_once ON standing (block, cluster);
CREATE INDEX standing_cluster ON standing (cluster);
CREATE INDEX rollup_totals ON rollup (block, cluster, totals);
CREATE INDEX rollup_away ON rollup (block, cluster, away);
CREATE INDEX transition_suspended ON transition (until - noticed_at, noticed_at, until, cluster, object) WHERE to_verdict = 'suspended';
CREATE INDEX transition_gone ON transition (object, noticed_at) WHERE to_verdict = '';
DELETE FROM rolled;
DELETE FROM rollup;
`,
};
