import type { Migration } from './migration.ts';

/** Reasons of an applier whose attempt at a revision failed. Of others it is not known that what they tried was what failed. */
const attemptFailed = [
  'BuildFailed',
  'ReconciliationFailed',
  'HealthCheckFailed',
  'PruneFailed',
  'InstallFailed',
  'UpgradeFailed',
  'TestFailed',
]
  .map((reason) => `'${reason}'`)
  .join(', ');

const commit = '[0-9a-f]'.repeat(40);
/** The ref of a git revision, "main@sha1:" of "main@sha1:<commit>" ('' of a bare commit); null of what names no commit. */
const beforeCommit = `CASE
  WHEN bad.text GLOB '*@sha1:${commit}' THEN substr(bad.text, 1, length(bad.text) - 40)
  WHEN bad.text GLOB '${commit}' THEN '' END`;

/**
 * The range of an incident as the record proves it: first bad is what its first failing attempt tried, and not what had been tried when
 * it left converged for another reason; last good is the commit that ran just before, where it was converged then and both are commits.
 * Whether every attempt between was seen, and how many revisions lie between, was not kept.
 */
const recorded = `
CREATE TEMP TABLE told_range (incident INTEGER PRIMARY KEY, range TEXT NOT NULL);
INSERT INTO told_range
SELECT i.id, json_array(
  (SELECT ${beforeCommit} || good.text FROM transition b JOIN text good ON good.id = i.last_good
    WHERE b.id = (SELECT MAX(p.id) FROM transition p WHERE p.object = i.object AND p.noticed_at < i.noticed_at)
      AND b.to_verdict = 'converged' AND b.uid = i.uid),
  bad.text, NULL, '')
FROM incident i
JOIN transition t ON t.id = (
  SELECT MIN(f.id) FROM transition f JOIN text why ON why.id = f.reason
  WHERE f.object = i.object AND f.uid = i.uid AND f.noticed_at >= i.noticed_at AND (i.closed_at IS NULL OR f.noticed_at < i.closed_at)
    AND f.to_verdict IN ('diverged', 'unhealthy') AND f.root_cause IS NULL AND why.text IN (${attemptFailed}))
JOIN text bad ON bad.id = t.attempted;
CREATE TEMP TABLE range_text (range TEXT PRIMARY KEY, id INTEGER NOT NULL);
INSERT INTO range_text
SELECT range, (SELECT COALESCE(MAX(id), 0) FROM text) + ROW_NUMBER() OVER (ORDER BY range) FROM (SELECT DISTINCT range FROM told_range);
INSERT INTO text (id, text) SELECT id, range FROM range_text;
UPDATE incident SET commit_range = range_text.id FROM told_range JOIN range_text USING (range) WHERE told_range.incident = incident.id;
DROP TABLE told_range;
DROP TABLE range_text;
`;

/**
 * Between which revisions an object broke (`CommitRange`, as `server/store/codec/range-text.ts` writes it), of what is now and of incidents.
 * It takes the place of a commit that was called the first bad one because it was tried when the object left converged.
 */
export const commitRanges: Migration = {
  version: 10,
  name: 'commit-ranges',
  sqlite: `
ALTER TABLE object ADD COLUMN commit_range INTEGER;
ALTER TABLE incident ADD COLUMN commit_range INTEGER;
${recorded}
ALTER TABLE incident DROP COLUMN first_bad;
ALTER TABLE incident DROP COLUMN last_good;
`,
};
