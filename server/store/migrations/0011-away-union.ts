import type { Migration } from './migration.ts';

/**
 * When at least one object of a cluster, of a kind on it or of an application was away (`server/store/codec/away-block.ts`), so that the
 * wall clock of a long report is not read from spans. All is rolled up anew.
 */
export const awayUnion: Migration = {
  version: 11,
  name: 'away-union',
  sqlite: `
DELETE FROM standing;
DELETE FROM rolled;
DELETE FROM rollup;
DELETE FROM rollup_incidents;
CREATE TABLE rollup_union (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  lists ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX rollup_union_once ON rollup_union (cluster, block);
CREATE INDEX rollup_union_block ON rollup_union (block);
`,
};
