import type { Migration } from './migration.ts';

const day = 86_400_000;
const never = 9_000_000_000_000_000;
const reach = (column: string): string => `(SELECT ${column} FROM rolled WHERE cluster = OLD.cluster)`;
/** The first time that the removal of a row changes of the days that are kept. */
const changed = `MAX(OLD.noticed_at, ${reach('from_day')})`;

/**
 * What stood is written down four times a day instead of once (`server/store/codec/snapshot-block.ts`), so that less is left to be read
 * row by row of a past moment: a block counts its marks, and all is rolled up anew. The incidents of a block, which are more than all
 * else of it, are in a table of their own: a long report reads them all and little else.
 * The row of a removal ends as it begins: that an old one is deleted takes no day back that is kept.
 */
export const standingMarks: Migration = {
  version: 9,
  name: 'standing-marks',
  sqlite: `
DELETE FROM standing;
DELETE FROM rolled;
DELETE FROM rollup;
ALTER TABLE rollup DROP COLUMN incidents;
CREATE TABLE rollup_incidents (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  incidents ANY NOT NULL
) STRICT;
CREATE UNIQUE INDEX rollup_incidents_once ON rollup_incidents (cluster, block);
CREATE INDEX rollup_incidents_block ON rollup_incidents (block);
DROP TRIGGER rolled_transition_removed;
CREATE TRIGGER rolled_transition_removed AFTER DELETE ON transition
WHEN ${changed} < ${reach('to_day')}
  AND COALESCE(OLD.until, CASE OLD.to_verdict WHEN '' THEN OLD.noticed_at ELSE ${never} END) > ${reach('from_day')}
BEGIN
  UPDATE rolled SET to_day = MIN(to_day, ${changed} - ${changed} % ${day}) WHERE cluster = OLD.cluster;
END;
`,
};
