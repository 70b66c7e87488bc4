import type { Migration } from './migration.ts';

/**
 * Incidents as the changes of verdict of before tell them: from one that is not converged to the next that is, where any of them was
 * away. One that lasts began when its object says, so that the records to come go on with it.
 */
const recordedBefore = `
INSERT OR IGNORE INTO incident (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason, root_cause, first_bad, last_good)
WITH told AS (
  SELECT id, object, cluster, uid, at, bound, noticed_at, until, to_verdict, reason, root_cause, attempted,
    CASE to_verdict WHEN 'diverged' THEN 0 WHEN 'drifted' THEN 1 WHEN 'unhealthy' THEN 2 WHEN 'stale' THEN 3
      WHEN 'behind' THEN 4 WHEN 'waiting' THEN 5 WHEN 'progressing' THEN 6 END AS rank,
    SUM(to_verdict IN ('converged', '')) OVER before AS run,
    LAG(commit_id) OVER before AS ran,
    LEAD(to_verdict) OVER before AS next
  FROM transition WINDOW before AS (PARTITION BY object ORDER BY id)
), off AS (
  SELECT * FROM told WHERE to_verdict NOT IN ('converged', '')
), begun AS (
  SELECT object, run, MIN(id), uid, cluster, at, bound, ran FROM off GROUP BY object, run
), away AS (
  SELECT object, run, MIN(id), noticed_at, attempted FROM off WHERE rank IS NOT NULL GROUP BY object, run
), worst AS (
  SELECT object, run, MIN(rank * 1000000000000 + id), to_verdict, reason, root_cause FROM off WHERE rank IS NOT NULL GROUP BY object, run
), over AS (
  SELECT object, run, MAX(id), until, next FROM off GROUP BY object, run
)
SELECT begun.object, begun.cluster, begun.uid,
  CASE WHEN over.until IS NULL THEN COALESCE((SELECT away_at FROM object WHERE id = begun.object), begun.at) ELSE begun.at END,
  begun.bound, away.noticed_at, MAX(over.until, away.noticed_at),
  CASE WHEN over.until IS NULL THEN NULL WHEN over.next IS NULL THEN 'forgotten' WHEN over.next = '' THEN 'removed' ELSE 'converged' END,
  worst.to_verdict, worst.reason, worst.root_cause, away.attempted, begun.ran
FROM away JOIN begun USING (object, run) JOIN worst USING (object, run) JOIN over USING (object, run)
ORDER BY begun.object, begun.run;
`;

/**
 * The record: what was when. A row of `transition` is a span from `noticed_at` to `until`, which is null while it lasts and is set
 * by the transaction that writes the object's next transition; a row whose `to_verdict` is '' is a removal and no span. `traits` is
 * the text of the object's traits as that verdict began; null for a removal and for rows of former versions. A `message` of 0 is
 * not kept any more.
 *
 * An incident is open while `ended` is null. Of `arrival`, a commit that was offered and has not arrived has no `first_at`.
 * `arrived` of an object are the last commits that it was counted for, so that a batch that is written twice counts once.
 * `keeping` remembers how far the keeping of the record has come, by the name of the work.
 */
export const record: Migration = {
  version: 5,
  name: 'record',
  sqlite: `
ALTER TABLE transition ADD COLUMN until INTEGER;
ALTER TABLE transition ADD COLUMN traits INTEGER;
UPDATE transition SET until = next.noticed_at FROM (
  SELECT id, LEAD(noticed_at) OVER (PARTITION BY object ORDER BY id) AS noticed_at FROM transition
) AS next WHERE next.id = transition.id AND next.noticed_at IS NOT NULL;
UPDATE transition SET until = noticed_at WHERE until < noticed_at;
-- Forgetting a cluster wrote no removals: its objects were there for as long as it was looked at.
UPDATE transition SET until = MAX(noticed_at, COALESCE((SELECT MAX(at) FROM coverage WHERE coverage.cluster = transition.cluster), 0))
  WHERE until IS NULL AND to_verdict <> '' AND object IN (SELECT id FROM object WHERE traits IS NULL);
CREATE INDEX transition_span ON transition (object, noticed_at);
CREATE INDEX transition_open ON transition (object) WHERE until IS NULL;
CREATE INDEX transition_noticed ON transition (cluster, noticed_at);

ALTER TABLE object ADD COLUMN arrived TEXT;

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
  first_bad INTEGER,
  last_good INTEGER
) STRICT;
CREATE UNIQUE INDEX incident_once ON incident (object, opened_at, uid);
CREATE INDEX incident_cluster ON incident (cluster, opened_at);
CREATE INDEX incident_closed ON incident (closed_at);
${recordedBefore}
CREATE TABLE correction (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  at INTEGER NOT NULL,
  certainty TEXT NOT NULL,
  said INTEGER NOT NULL,
  count INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX correction_once ON correction (object, at);
CREATE INDEX correction_cluster ON correction (cluster, at);
CREATE INDEX correction_at ON correction (at);

CREATE TABLE earlier (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  uid TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  good INTEGER NOT NULL,
  status TEXT NOT NULL,
  revision INTEGER
) STRICT;
CREATE UNIQUE INDEX earlier_once ON earlier (object, uid, from_at, to_at, status);

CREATE TABLE arrival (
  cluster INTEGER NOT NULL,
  commit_hash TEXT NOT NULL,
  offered_at INTEGER,
  first_at INTEGER,
  last_at INTEGER,
  objects INTEGER NOT NULL,
  PRIMARY KEY (cluster, commit_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX arrival_last ON arrival (last_at) WHERE last_at IS NOT NULL;
CREATE INDEX arrival_age ON arrival (COALESCE(last_at, offered_at));

CREATE TABLE keeping (
  work TEXT PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
};
