import type { Migration } from './migration.ts';

/**
 * What stood at the beginning of each closed UTC day, so that a past moment of a large fleet need not be sought object by object:
 * made with the blocks of `rollup`, and as true as `rolled` says (`server/store/standing-block.ts`). All is rolled up anew for it.
 * `transition_gone` tells since when an object is the one it is now: what is made again under a name comes after a removal.
 */
export const standing: Migration = {
  version: 8,
  name: 'standing',
  sqlite: `
CREATE TABLE standing (
  block INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  spans ANY NOT NULL,
  PRIMARY KEY (block, cluster)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_cluster ON standing (cluster);
CREATE INDEX transition_gone ON transition (object, noticed_at) WHERE to_verdict = '';
DELETE FROM rolled;
DELETE FROM rollup;
`,
};
