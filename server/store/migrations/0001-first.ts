import { rollupTriggers } from './0001-rollup-triggers.ts';
import type { Migration } from './migration.ts';

const day = 86_400_000;

/** The whole schema as it was released first. Columns that name a name or a text hold its integer id; times are ms since the epoch. */
export const first: Migration = {
  version: 13,
  name: 'first',
  sqlite: `
CREATE TABLE store (
  id TEXT NOT NULL
) STRICT;

-- Identifiers, and the words of details: each once and for ever.
CREATE TABLE name (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

-- What repeats. Not unique on purpose: an index over a million texts costs more than the doubles do.
CREATE TABLE text (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL
) STRICT;

-- Sources of facts, which own rows: how far the changes of each are numbered, and how many of its objects live.
CREATE TABLE fact_source (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  seq INTEGER NOT NULL DEFAULT 0,
  confirmation_seq INTEGER NOT NULL DEFAULT 0,
  objects INTEGER NOT NULL DEFAULT 0,
  UNIQUE (type, name)
) STRICT;

CREATE TABLE lease (
  fact_source INTEGER PRIMARY KEY,
  holder TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- \`id\`: of its source of facts, which has the name; so is every \`cluster\` below. One without a record was forgotten.
CREATE TABLE cluster (
  id INTEGER PRIMARY KEY,
  record_seq INTEGER NOT NULL DEFAULT 0,
  record TEXT
) STRICT;

-- The identity for ever: a removed object keeps its row with \`traits\` null, which is its tombstone, so that a cursor of any age still
-- meets it and a transition always finds its object. \`arrived\`: the last commits that it was counted for, so that a batch that is
-- written twice counts once.
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
  extras INTEGER,
  upstreams INTEGER,
  arrived TEXT,
  commit_range INTEGER
) STRICT;
CREATE UNIQUE INDEX object_identity ON object (cluster, kind, namespace, name);
CREATE INDEX object_seq ON object (cluster, seq);

-- What only confirms, apart from its object, whose seq stays.
CREATE TABLE confirmation (
  object INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  confirmed_at INTEGER,
  observed_at INTEGER NOT NULL,
  valid_until INTEGER
) STRICT;
CREATE INDEX confirmation_seq ON confirmation (cluster, seq);

-- Packed (\`server/store/codec/pack\`): an eighth of the bytes of its JSON.
CREATE TABLE detail (
  object INTEGER PRIMARY KEY,
  detail ANY NOT NULL
) STRICT;

CREATE TABLE resume (
  cluster INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  version TEXT NOT NULL,
  resource_version TEXT NOT NULL,
  PRIMARY KEY (cluster, kind)
) STRICT, WITHOUT ROWID;

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

-- A span from \`noticed_at\` to \`until\`, which is null while it lasts and is set by the transaction that writes the object's next
-- transition; a \`to_verdict\` of '' is a removal and no span. \`traits\` is the text of the object's traits as that verdict began, null
-- for a removal. A \`message\` of 0 is not kept any more.
-- The indexes hold all that is read by them. Suspensions are in one by their length: a report looks at the longest. \`transition_gone\`
-- tells since when an object is the one it is now: what is made again under a name comes after a removal.
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
  root_cause INTEGER,
  attempted INTEGER,
  until INTEGER,
  traits INTEGER
) STRICT;
CREATE INDEX transition_at ON transition (at);
CREATE INDEX transition_cluster ON transition (cluster, at);
CREATE INDEX transition_gone ON transition (object, noticed_at) WHERE to_verdict = '';
CREATE INDEX transition_noticed ON transition (cluster, noticed_at);
CREATE UNIQUE INDEX transition_once ON transition (object, at, noticed_at, to_verdict);
CREATE INDEX transition_open ON transition (object, noticed_at, to_verdict) WHERE until IS NULL;
CREATE INDEX transition_span ON transition (object, noticed_at, until, to_verdict);
CREATE INDEX transition_suspended ON transition (until - noticed_at, noticed_at, until, cluster, object) WHERE to_verdict = 'suspended';
CREATE INDEX transition_verdict ON transition (to_verdict, noticed_at, until, cluster);

-- Open while \`ended\` is null. \`commit_range\`: see \`server/store/codec/range-text.ts\`.
CREATE TABLE incident (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  uid TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  bound TEXT NOT NULL,
  noticed_at INTEGER NOT NULL,
  closed_at INTEGER,
  ended TEXT,
  worst TEXT NOT NULL,
  reason INTEGER NOT NULL,
  root_cause INTEGER,
  commit_range INTEGER
) STRICT;
CREATE INDEX incident_closed ON incident (closed_at);
CREATE INDEX incident_cluster ON incident (cluster, noticed_at, closed_at);
CREATE INDEX incident_length ON incident (closed_at - opened_at, noticed_at, closed_at, opened_at, cluster, object) WHERE closed_at IS NOT NULL;
CREATE INDEX incident_long ON incident (noticed_at) WHERE closed_at IS NULL OR closed_at - noticed_at > ${day};
CREATE INDEX incident_noticed ON incident (noticed_at, closed_at, opened_at, cluster, object);
CREATE UNIQUE INDEX incident_once ON incident (object, opened_at, uid);

-- \`object\` is 0 for the cluster as a whole, a controller or a package; \`kind\` is the name of what tells two changes at one moment apart.
-- \`change_undated\` holds only those that are not dated: what happened somewhere in a span of time is found from both of its ends.
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
CREATE INDEX change_at ON change (at, kind, cluster);
CREATE INDEX change_cluster ON change (cluster, at);
CREATE UNIQUE INDEX change_once ON change (cluster, object, at, noticed_at, kind);
CREATE INDEX change_undated ON change (cluster, at, not_before) WHERE not_before < at;

CREATE TABLE correction (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  at INTEGER NOT NULL,
  certainty TEXT NOT NULL,
  said INTEGER NOT NULL,
  count INTEGER NOT NULL
) STRICT;
CREATE INDEX correction_at ON correction (at, certainty, count, cluster);
CREATE INDEX correction_cluster ON correction (cluster, at);
CREATE UNIQUE INDEX correction_once ON correction (object, at);

-- What reconcilers tell of the time before an object was first seen.
CREATE TABLE backfill (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  uid TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  good INTEGER NOT NULL,
  status TEXT NOT NULL,
  revision INTEGER
) STRICT;
CREATE UNIQUE INDEX backfill_once ON backfill (object, uid, from_at, to_at, status);

-- A commit that was offered and has not arrived has no \`first_at\`.
CREATE TABLE arrival (
  cluster INTEGER NOT NULL,
  commit_hash TEXT NOT NULL,
  offered_at INTEGER,
  first_at INTEGER,
  last_at INTEGER,
  objects INTEGER NOT NULL,
  PRIMARY KEY (cluster, commit_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX arrival_age ON arrival (COALESCE(last_at, offered_at));
CREATE INDEX arrival_last ON arrival (last_at, cluster, commit_hash, offered_at, first_at, objects) WHERE last_at IS NOT NULL;

-- Which closed UTC days of a cluster are rolled up: from \`from_day\` to \`to_day\` (ms, half-open).
CREATE TABLE rollup_range (
  cluster INTEGER PRIMARY KEY,
  from_day INTEGER NOT NULL,
  to_day INTEGER NOT NULL
) STRICT;

-- What those days come to, by blocks of days (\`server/store/codec/rollup-block.ts\`), so that a long report need not read every span. What
-- a report of all clusters adds up of a block is in indexes that hold it, so that the other columns are not read.
CREATE TABLE rollup (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  totals ANY NOT NULL,
  away ANY NOT NULL,
  shares ANY NOT NULL
) STRICT;
CREATE INDEX rollup_away ON rollup (block, cluster, away);
CREATE INDEX rollup_block ON rollup (block);
CREATE UNIQUE INDEX rollup_once ON rollup (cluster, block);
CREATE INDEX rollup_totals ON rollup (block, cluster, totals);

-- The incidents of a block are more than all else of it: a long report reads them all and little else.
CREATE TABLE rollup_incidents (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  incidents ANY NOT NULL
) STRICT;
CREATE INDEX rollup_incidents_block ON rollup_incidents (block);
CREATE UNIQUE INDEX rollup_incidents_once ON rollup_incidents (cluster, block);

-- When at least one object of a cluster, of a kind on it or of an application was away (\`server/store/codec/away-block.ts\`).
CREATE TABLE rollup_union (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  lists ANY NOT NULL
) STRICT;
CREATE INDEX rollup_union_block ON rollup_union (block);
CREATE UNIQUE INDEX rollup_union_once ON rollup_union (cluster, block);

-- What stood four times a day (\`server/store/codec/snapshot-block.ts\`), so that a past moment of a large fleet need not be sought object by
-- object. As true as \`rollup_range\` says.
CREATE TABLE snapshot (
  block INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  spans ANY NOT NULL
) STRICT;
CREATE INDEX snapshot_cluster ON snapshot (cluster);
CREATE UNIQUE INDEX snapshot_once ON snapshot (block, cluster);

-- How far the housekeeping has come, by the name of the work.
CREATE TABLE housekeeping (
  work TEXT PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

${rollupTriggers}
`,
};
