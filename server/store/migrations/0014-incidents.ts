import type { Migration } from './migration.ts';

const day = 86_400_000;

/**
 * Renames what was called an incident, one object away, to absence; an incident is from now on what is away by one cause
 * (docs/design/incidents.md).
 */
export const incidents: Migration = {
  version: 14,
  name: 'incidents',
  sqlite: `
ALTER TABLE incident RENAME TO absence;
ALTER TABLE rollup_incidents RENAME TO rollup_absences;
ALTER TABLE rollup_absences RENAME COLUMN incidents TO absences;
DROP INDEX incident_closed;
DROP INDEX incident_cluster;
DROP INDEX incident_length;
DROP INDEX incident_long;
DROP INDEX incident_noticed;
DROP INDEX incident_once;
DROP INDEX rollup_incidents_block;
DROP INDEX rollup_incidents_once;
CREATE INDEX absence_closed ON absence (closed_at);
CREATE INDEX absence_cluster ON absence (cluster, noticed_at, closed_at);
CREATE INDEX absence_length ON absence (closed_at - opened_at, noticed_at, closed_at, opened_at, cluster, object) WHERE closed_at IS NOT NULL;
CREATE INDEX absence_long ON absence (noticed_at) WHERE closed_at IS NULL OR closed_at - noticed_at > ${day};
CREATE INDEX absence_noticed ON absence (noticed_at, closed_at, opened_at, cluster, object);
CREATE UNIQUE INDEX absence_once ON absence (object, opened_at, uid);
CREATE INDEX rollup_absences_block ON rollup_absences (block);
CREATE UNIQUE INDEX rollup_absences_once ON rollup_absences (cluster, block);

-- Planned work as it was configured, from when it was known on. \`until_at\` is moved back where the plan is withdrawn.
CREATE TABLE planned_work (
  id INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX planned_work_cluster ON planned_work (cluster, until_at);

-- Why what was away was away, in the order in which that was noticed, append-only: incidents follow from it alone. \`subject\`: the id of an
-- absence, or below 0 that of the row of coverage with which a cluster was lost; \`object\` is 0 then, and \`objects\` as many as were known of
-- it. \`fault\` is null, and \`ended\` said, where it was over.
CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  subject INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  object INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  fault INTEGER,
  ended TEXT
) STRICT;
CREATE INDEX fault_at ON fault (at);
CREATE INDEX fault_loss ON fault (cluster, id) WHERE subject < 0;
CREATE INDEX fault_subject ON fault (subject, id);

-- What waits for its turn while stored history is carried over: what that tells by its time, then what was noticed meanwhile.
CREATE TABLE fault_waiting (
  id INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  object INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  fault INTEGER,
  ended TEXT
) STRICT;
CREATE INDEX fault_waiting_loss ON fault_waiting (cluster, id) WHERE subject < 0;
CREATE INDEX fault_waiting_turn ON fault_waiting (turn, id);

-- What is away and makes no incident: it waits, has not settled yet, or is away by plan. \`hash\`: of the key of its cause.
CREATE TABLE fault_pending (
  id INTEGER PRIMARY KEY,
  subject INTEGER NOT NULL UNIQUE,
  cluster INTEGER NOT NULL,
  object INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  bound TEXT NOT NULL,
  noticed_at INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  fault INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  from_at INTEGER NOT NULL
) STRICT;
CREATE INDEX fault_pending_hash ON fault_pending (hash, subject) WHERE planned = 0;
CREATE INDEX fault_pending_planned ON fault_pending (cluster, at) WHERE planned = 1;

-- As each incident is now; how it was before is in its steps. \`public_id\`: in its address.
CREATE TABLE incident (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  cause INTEGER NOT NULL,
  cause_type TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  bound TEXT NOT NULL,
  noticed_at INTEGER NOT NULL,
  closed_at INTEGER,
  ended TEXT,
  merged_into INTEGER,
  merged_at INTEGER,
  worst TEXT NOT NULL,
  reason INTEGER NOT NULL,
  commit_range INTEGER,
  returns INTEGER NOT NULL,
  open INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  clusters INTEGER NOT NULL,
  most_objects INTEGER NOT NULL,
  most_clusters INTEGER NOT NULL,
  members INTEGER NOT NULL,
  object_time INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  grown_at INTEGER NOT NULL,
  left_at INTEGER NOT NULL
) STRICT;
CREATE INDEX incident_closed ON incident (closed_at, opened_at, noticed_at) WHERE merged_into IS NULL AND ended IN ('converged', 'seen');
CREATE INDEX incident_closed_at_least ON incident (closed_at, opened_at, noticed_at)
  WHERE merged_into IS NULL AND ended IN ('converged', 'seen') AND bound = 'at-least';
CREATE INDEX incident_gone ON incident (closed_at, noticed_at) WHERE merged_into IS NULL AND ended NOT IN ('converged', 'seen');
CREATE INDEX incident_large ON incident (noticed_at, closed_at) WHERE merged_into IS NULL AND most_objects >= 5;
CREATE INDEX incident_long ON incident (noticed_at)
  WHERE merged_into IS NULL AND (closed_at IS NULL OR MAX(closed_at, changed_at) - MIN(opened_at, noticed_at) > ${day});
CREATE INDEX incident_merged ON incident (changed_at) WHERE merged_into IS NOT NULL;
CREATE INDEX incident_noticed ON incident (noticed_at, closed_at, opened_at, bound, most_objects, members) WHERE merged_into IS NULL;
CREATE INDEX incident_worst ON incident (object_time) WHERE merged_into IS NULL AND closed_at IS NOT NULL;

-- Every way in which an incident stood, from \`at\` on; the newest is the present one. Its id is the position of the news.
CREATE TABLE incident_step (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  incident INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  cause INTEGER NOT NULL,
  worst TEXT NOT NULL,
  reason INTEGER NOT NULL,
  commit_range INTEGER,
  opened_at INTEGER NOT NULL,
  bound TEXT NOT NULL,
  noticed_at INTEGER NOT NULL,
  closed_at INTEGER,
  ended TEXT,
  returns INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  clusters INTEGER NOT NULL,
  most_objects INTEGER NOT NULL,
  most_clusters INTEGER NOT NULL,
  members INTEGER NOT NULL,
  object_time INTEGER NOT NULL,
  merged_into INTEGER
) STRICT;
CREATE INDEX incident_step_at ON incident_step (at);
CREATE INDEX incident_step_of ON incident_step (incident, at);
CREATE INDEX incident_step_recognised ON incident_step (incident) WHERE type = 'recognised';

-- The time of one subject in one incident. \`object\` is 0 for a cluster as a whole; \`hash\`: of the key of its cause; \`fault\`: what it is in
-- it for, noticed at \`fault_at\`.
CREATE TABLE incident_member (
  id INTEGER PRIMARY KEY,
  incident INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  object INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  from_at INTEGER NOT NULL,
  bound TEXT NOT NULL,
  noticed_at INTEGER NOT NULL,
  joined_at INTEGER NOT NULL,
  to_at INTEGER,
  ended TEXT,
  own INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  fault INTEGER NOT NULL,
  fault_at INTEGER NOT NULL
) STRICT;
CREATE INDEX incident_member_beneath ON incident_member (incident, hash, subject) WHERE to_at IS NULL;
CREATE INDEX incident_member_fault ON incident_member (fault_at);
CREATE INDEX incident_member_object ON incident_member (object, joined_at, incident) WHERE object <> 0;
CREATE INDEX incident_member_order ON incident_member (incident);
CREATE INDEX incident_member_own ON incident_member (incident) WHERE own = 1;
CREATE INDEX incident_member_subject ON incident_member (subject, incident);

-- What incidents share with what is still to fail: hashes of keys, with how many members have each.
CREATE TABLE incident_key (
  hash INTEGER NOT NULL,
  incident INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (hash, incident)
) STRICT, WITHOUT ROWID;
CREATE INDEX incident_key_of ON incident_key (incident);

-- Every cluster that a member of an incident was on: \`open\` are on it now; it was in it first at \`joined_at\`.
CREATE TABLE incident_cluster (
  incident INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  open INTEGER NOT NULL,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (incident, cluster)
) STRICT, WITHOUT ROWID;
CREATE INDEX incident_cluster_of ON incident_cluster (cluster, incident);

-- What was recorded before incidents were is carried over by the housekeeping: up to which absence its faults are read, and up to when they
-- are folded.
INSERT INTO housekeeping (work, place) SELECT 'incidents-from', 0 WHERE EXISTS (SELECT 1 FROM absence) OR EXISTS (SELECT 1 FROM coverage);
INSERT INTO housekeeping (work, place) SELECT 'incidents-up-to', 0 FROM housekeeping WHERE work = 'incidents-from';
`,
};
