import type { Migration } from './migration.ts';

/**
 * Words of alarm sources: rows of their own, owned by their source of facts. `of_` columns hold the object that the labels of a call name
 * (`server/store/record/alarm/called-object.ts`), as texts: it may be of a cluster that the store does not know.
 */
export const alarms: Migration = {
  version: 18,
  name: 'alarms',
  sqlite: `
-- One without a record was forgotten, or something was purged from it. Tombstones of its facts up to \`swept_seq\` are kept no longer.
CREATE TABLE alarm_source (
  fact_source INTEGER PRIMARY KEY,
  record_seq INTEGER NOT NULL DEFAULT 0,
  swept_seq INTEGER NOT NULL DEFAULT 0,
  record TEXT
) STRICT;

-- \`body\`: JSON, null for a tombstone; \`format\`: of which version of its shape (\`server/store/codec/alarm/fact-shapes.ts\`).
CREATE TABLE alarm_fact (
  id INTEGER PRIMARY KEY,
  fact_source INTEGER NOT NULL,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  format INTEGER NOT NULL,
  body TEXT
) STRICT;
CREATE UNIQUE INDEX alarm_fact_identity ON alarm_fact (fact_source, type, key);
CREATE INDEX alarm_fact_seq ON alarm_fact (fact_source, seq);
CREATE INDEX alarm_fact_format ON alarm_fact (fact_source, format) WHERE body IS NOT NULL;
CREATE INDEX alarm_fact_gone ON alarm_fact (fact_source, seq) WHERE body IS NULL;

-- \`to_at\` is null while it lasts; labels and receivers are JSON.
CREATE TABLE alarm_call (
  id INTEGER PRIMARY KEY,
  fact_source INTEGER NOT NULL,
  key TEXT NOT NULL,
  alert TEXT NOT NULL,
  labels TEXT NOT NULL,
  attributed TEXT,
  receivers TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER,
  of_group TEXT,
  of_kind TEXT,
  of_namespace TEXT,
  of_name TEXT
) STRICT;
CREATE UNIQUE INDEX alarm_call_once ON alarm_call (fact_source, key, from_at);
CREATE INDEX alarm_call_from ON alarm_call (from_at, to_at);
CREATE INDEX alarm_call_object ON alarm_call (attributed, of_name, from_at) WHERE of_name IS NOT NULL;
CREATE INDEX alarm_call_open ON alarm_call (fact_source) WHERE to_at IS NULL;

CREATE TABLE alarm_coverage (
  id INTEGER PRIMARY KEY,
  fact_source INTEGER NOT NULL,
  at INTEGER NOT NULL,
  read INTEGER NOT NULL,
  clusters TEXT NOT NULL,
  reason TEXT
) STRICT;
CREATE UNIQUE INDEX alarm_coverage_once ON alarm_coverage (fact_source, at, read, clusters);
CREATE INDEX alarm_coverage_at ON alarm_coverage (at);
`,
};
