import type { Migration } from './migration.ts';

/**
 * What was changed on clusters. `object` is 0 for the cluster as a whole, a controller or a package; `kind` is the name of what
 * tells two changes at one moment apart; `fact` is a text. The last index holds only those that are not dated: what happened
 * somewhere in a span of time is found from both of its ends.
 */
export const changes: Migration = {
  version: 3,
  name: 'changes',
  sqlite: `
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL,
  object INTEGER NOT NULL,
  at INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  noticed_at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  fact INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX change_once ON change (cluster, object, at, noticed_at, kind);
CREATE INDEX change_cluster ON change (cluster, at);
CREATE INDEX change_at ON change (at);
CREATE INDEX change_undated ON change (cluster, at, not_before) WHERE not_before < at;
`,
};
