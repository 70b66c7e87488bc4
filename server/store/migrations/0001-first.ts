import type { Migration } from './migration.ts';

/**
 * The first schema. Names and texts are integer ids: `name` holds what identifies (unique), `text` what repeats
 * (not unique on purpose: an index over a million texts costs more than the doubles do).
 * `object` is the identity for ever: a removed object keeps its row with `traits` null, which is its tombstone,
 * so that a cursor of any age still meets it and a transition always finds its object.
 */
export const first: Migration = {
  version: 1,
  name: 'first',
  sqlite: `
CREATE TABLE store (
  id TEXT NOT NULL
) STRICT;

CREATE TABLE name (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE text (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE cluster (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  record_seq INTEGER NOT NULL DEFAULT 0,
  record TEXT
) STRICT;

CREATE TABLE head (
  cluster INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL DEFAULT 0,
  confirmation_seq INTEGER NOT NULL DEFAULT 0,
  objects INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE lease (
  cluster INTEGER PRIMARY KEY,
  holder TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE object (
  id INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  namespace INTEGER NOT NULL,
  name TEXT NOT NULL,
  seq INTEGER NOT NULL DEFAULT 0,
  uid TEXT,
  traits INTEGER,
  message INTEGER,
  sentence INTEGER,
  onset_at INTEGER,
  onset_noticed_at INTEGER,
  away_at INTEGER,
  away_noticed_at INTEGER,
  observed_at INTEGER,
  confirmed_at INTEGER,
  valid_until INTEGER,
  revision INTEGER,
  path INTEGER,
  source INTEGER,
  delivered_by INTEGER,
  repository INTEGER,
  rest INTEGER
) STRICT;
CREATE UNIQUE INDEX object_identity ON object (cluster, kind, namespace, name);
CREATE INDEX object_seq ON object (cluster, seq);

CREATE TABLE confirmation (
  object INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  confirmed_at INTEGER,
  observed_at INTEGER NOT NULL,
  valid_until INTEGER
) STRICT;
CREATE INDEX confirmation_seq ON confirmation (cluster, seq);

CREATE TABLE detail (
  object INTEGER PRIMARY KEY,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE transition (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  at INTEGER NOT NULL,
  noticed_at INTEGER NOT NULL,
  bound TEXT NOT NULL,
  from_verdict TEXT NOT NULL,
  to_verdict TEXT NOT NULL,
  uid TEXT NOT NULL,
  reason INTEGER NOT NULL,
  message INTEGER NOT NULL,
  commit_id INTEGER,
  root_cause INTEGER
) STRICT;
CREATE UNIQUE INDEX transition_once ON transition (object, at, noticed_at, to_verdict);
CREATE INDEX transition_at ON transition (at);
CREATE INDEX transition_cluster ON transition (cluster, at);

CREATE TABLE coverage (
  id INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  at INTEGER NOT NULL,
  observed INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT
) STRICT;
CREATE UNIQUE INDEX coverage_once ON coverage (cluster, at, kind, state, observed);

CREATE TABLE resume (
  cluster INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  version TEXT NOT NULL,
  resource_version TEXT NOT NULL,
  PRIMARY KEY (cluster, kind)
) STRICT, WITHOUT ROWID;
`,
};
