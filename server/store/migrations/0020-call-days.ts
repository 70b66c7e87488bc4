import type { Migration } from './migration.ts';

const day = 86_400_000;
const block = 8 * day;
const never = 9_000_000_000_000_000;

/** Where the day, or the block of days (`server/store/codec/rollup-block.ts`), of a time begins; below 1970 too. */
function beginning(time: string, length: number): string {
  return `(${time} - ((${time} % ${length}) + ${length}) % ${length})`;
}

const blockIn = (time: string): string => `(${beginning(time, block)} / ${block})`;

/**
 * Takes back what is added up of calls from the day of a time on, as far as something counts in it that was there until another time. `of` says of which
 * clusters.
 */
function takesBack({ from, to, of }: { readonly from: string; readonly to: string; readonly of: string }): string {
  return `UPDATE rollup_calls SET added_to = MAX(block * ${block}, ${beginning(from, day)})
    WHERE ${of} AND block >= ${blockIn(from)} AND added_to > ${from} AND begins_at <= ${to};`;
}

const clusterNamed = (row: string): string =>
  `(SELECT id FROM fact_source WHERE type = 'cluster' AND name = ${row}.attributed)`;

/** A call without a cluster may be for any. */
function takesBackCall(row: string, from: string, to: string): string {
  return `${takesBack({ from, to, of: `cluster = ${clusterNamed(row)}` })}
  ${takesBack({ from, to, of: `${row}.attributed IS NULL` })}`;
}

const wholeCall = (row: string): string => takesBackCall(row, `${row}.from_at`, `COALESCE(${row}.to_at, ${never})`);

/** All that is told of a call but when it ended. */
const meaning = ['fact_source', 'labels', 'attributed', 'from_at', 'reads_objects'];
const otherMeaning = meaning.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
const ends = ['OLD', 'NEW'].map((row) => `COALESCE(${row}.to_at, ${never})`).join(', ');

const callTriggers = `
CREATE TRIGGER rollup_calls_call_added AFTER INSERT ON alarm_call BEGIN
  ${wholeCall('NEW')}
END;
CREATE TRIGGER rollup_calls_call_ended AFTER UPDATE OF to_at ON alarm_call WHEN OLD.to_at IS NOT NEW.to_at BEGIN
  ${takesBackCall('NEW', `MIN(${ends})`, `MAX(${ends})`)}
END;
CREATE TRIGGER rollup_calls_call_changed AFTER UPDATE OF ${meaning.join(', ')} ON alarm_call WHEN ${otherMeaning} BEGIN
  ${wholeCall('OLD')}
  ${wholeCall('NEW')}
  DELETE FROM call_alone WHERE call = OLD.id;
END;
CREATE TRIGGER rollup_calls_call_removed AFTER DELETE ON alarm_call BEGIN
  ${wholeCall('OLD')}
  DELETE FROM call_alone WHERE call = OLD.id;
END;`;

/** The time until which a word on a source holds. */
const nextWord = (row: string, after: string): string =>
  `COALESCE((SELECT MIN(at) FROM alarm_coverage WHERE fact_source = ${row}.fact_source AND at > ${after}), ${never})`;
const [earlierWord, laterWord] = ['MIN(OLD.at, NEW.at)', 'MAX(OLD.at, NEW.at)'];
const wordBetween = `EXISTS (SELECT 1 FROM alarm_coverage o WHERE o.fact_source = NEW.fact_source AND o.id <> NEW.id
      AND o.at BETWEEN ${earlierWord} AND ${laterWord})`;

const coverageTriggers = `
CREATE TRIGGER rollup_calls_coverage_added AFTER INSERT ON alarm_coverage BEGIN
  ${takesBack({ from: 'NEW.at', to: nextWord('NEW', 'NEW.at'), of: 'TRUE' })}
END;
CREATE TRIGGER rollup_calls_coverage_moved AFTER UPDATE OF at ON alarm_coverage WHEN OLD.at <> NEW.at BEGIN
  ${takesBack({
    from: earlierWord,
    to: `CASE WHEN ${wordBetween} THEN ${nextWord('NEW', laterWord)} ELSE ${laterWord} END`,
    of: 'TRUE',
  })}
END;
CREATE TRIGGER rollup_calls_coverage_changed AFTER UPDATE OF read, clusters, reason, fact_source ON alarm_coverage BEGIN
  ${takesBack({ from: 'OLD.at', to: `${never}`, of: 'TRUE' })}
  ${takesBack({ from: 'NEW.at', to: `${never}`, of: 'TRUE' })}
END;
CREATE TRIGGER rollup_calls_coverage_removed AFTER DELETE ON alarm_coverage BEGIN
  ${takesBack({ from: 'OLD.at', to: nextWord('OLD', 'OLD.at'), of: 'TRUE' })}
END;`;

/** A root cause counts in the day in which its absence ended. */
function takesBackCause(row: string): string {
  const closed = `(SELECT closed_at FROM absence WHERE id = ${row}.subject)`;
  return takesBack({ from: closed, to: closed, of: `cluster = ${row}.cluster` });
}

const causeTriggers = `
CREATE TRIGGER rollup_calls_cause_added AFTER INSERT ON fault BEGIN
  ${takesBackCause('NEW')}
END;
CREATE TRIGGER rollup_calls_cause_changed AFTER UPDATE OF subject, at, fault ON fault BEGIN
  ${takesBackCause('OLD')}
  ${takesBackCause('NEW')}
END;
CREATE TRIGGER rollup_calls_cause_removed AFTER DELETE ON fault BEGIN
  ${takesBackCause('OLD')}
END;`;

const absenceTriggers = ['INSERT', 'UPDATE OF opened_at']
  .map(
    (
      event,
      place,
    ) => `CREATE TRIGGER rollup_calls_absence_${place === 0 ? 'added' : 'changed'} AFTER ${event} ON absence BEGIN
  UPDATE rollup_calls SET added_to = block * ${block} WHERE cluster = NEW.cluster
    AND block IN (SELECT block FROM call_alone WHERE object = NEW.object AND ended_at > NEW.opened_at);
END;`,
  )
  .join('\n');

/** Not with ON CONFLICT: within a trigger the outer statement's way of taking conflicts holds, https://sqlite.org/lang_createtrigger.html */
const reaches = `
  INSERT INTO rollup_calls (cluster, block, rolled_to, added_to, begins_at)
    SELECT NEW.cluster, ${blockIn('NEW.to_day - 1')}, NEW.to_day, ${blockIn('NEW.to_day - 1')} * ${block}, ${blockIn('NEW.to_day - 1')} * ${block}
    WHERE NOT EXISTS (SELECT 1 FROM rollup_calls WHERE cluster = NEW.cluster AND block = ${blockIn('NEW.to_day - 1')});
  UPDATE rollup_calls SET rolled_to = NEW.to_day WHERE cluster = NEW.cluster AND block = ${blockIn('NEW.to_day - 1')} AND rolled_to < NEW.to_day;`;

const dayTriggers = `
CREATE TRIGGER rollup_calls_days_begun AFTER INSERT ON rollup_range BEGIN${reaches}
END;
CREATE TRIGGER rollup_calls_days_added AFTER UPDATE OF to_day ON rollup_range WHEN NEW.to_day > OLD.to_day BEGIN${reaches}
END;
CREATE TRIGGER rollup_calls_days_taken AFTER UPDATE OF to_day ON rollup_range WHEN NEW.to_day < OLD.to_day BEGIN
  UPDATE rollup_calls SET rolled_to = MAX(block * ${block}, MIN(rolled_to, NEW.to_day)), added_to = MAX(block * ${block}, MIN(added_to, NEW.to_day))
    WHERE cluster = NEW.cluster AND block >= ${blockIn('NEW.to_day')};
END;
CREATE TRIGGER rollup_calls_days_removed AFTER DELETE ON rollup_range BEGIN
  DELETE FROM rollup_calls WHERE cluster = OLD.cluster;
  DELETE FROM call_alone WHERE cluster = OLD.cluster;
END;`;

function renews(row: string): string {
  return `INSERT INTO figure_version (of, place, version) SELECT 'calls', ${row}.block, 0
    WHERE NOT EXISTS (SELECT 1 FROM figure_version WHERE of = 'calls' AND place = ${row}.block);
  UPDATE figure_version SET version = version + 1 WHERE of = 'calls' AND place = ${row}.block;`;
}

const versionTriggers = ['INSERT', 'UPDATE', 'DELETE']
  .map(
    (event) => `CREATE TRIGGER figure_version_rollup_calls_${event.toLowerCase()} AFTER ${event} ON rollup_calls BEGIN
  ${renews(event === 'DELETE' ? 'OLD' : 'NEW')}
END;`,
  )
  .join('\n');

/**
 * Keeps what days that are rolled up come to of calls, so that the first report after a start adds up some thousand rows in place of a million absences. Triggers
 * take days back when a call, a word on a source, a root cause or anything else that counts in them is written, changed or removed: no writer has to
 * think of it.
 */
export const callDays: Migration = {
  version: 20,
  name: 'call days',
  sqlite: `
-- Holds what a report counts of calls.
CREATE INDEX alarm_call_alert ON alarm_call (from_at, fact_source, alert);
CREATE INDEX alarm_call_cluster ON alarm_call (attributed, from_at, to_at);
-- Days of a block of a cluster: rolled up to \`rolled_to\`, of these added up to \`added_to\` (ms). No absence that counts in them began before \`begins_at\`.
-- \`figures\`, of all kinds and by kind: \`server/store/codec/alarm/call-block.ts\`; null where there are more calls than are looked at.
CREATE TABLE rollup_calls (
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  rolled_to INTEGER NOT NULL,
  added_to INTEGER NOT NULL,
  begins_at INTEGER NOT NULL,
  figures ANY,
  kinds ANY
) STRICT;
CREATE INDEX rollup_calls_behind ON rollup_calls (block) WHERE added_to < rolled_to;
CREATE INDEX rollup_calls_block ON rollup_calls (block, begins_at);
CREATE UNIQUE INDEX rollup_calls_once ON rollup_calls (cluster, block);
-- Calls that ended in such a day and name objects which were seen and never away meanwhile. An object that comes later may have the \`name\`, and an
-- absence is noticed later than it begins.
CREATE TABLE call_alone (
  call INTEGER NOT NULL,
  object INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  block INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (call, object)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_alone_block ON call_alone (block, cluster);
CREATE INDEX call_alone_name ON call_alone (cluster, name);
CREATE INDEX call_alone_object ON call_alone (object, ended_at);
INSERT INTO rollup_calls (cluster, block, rolled_to, added_to, begins_at)
  SELECT r.cluster, r.block, MAX(r.block * ${block}, MIN(g.to_day, (r.block + 1) * ${block})), r.block * ${block}, r.block * ${block}
  FROM rollup r JOIN rollup_range g ON g.cluster = r.cluster;
${versionTriggers}
${dayTriggers}
${callTriggers}
${coverageTriggers}
${causeTriggers}
${absenceTriggers}
CREATE TRIGGER rollup_calls_object_added AFTER INSERT ON object BEGIN
  UPDATE rollup_calls SET added_to = block * ${block} WHERE cluster = NEW.cluster
    AND block IN (SELECT block FROM call_alone WHERE cluster = NEW.cluster AND name = NEW.name);
END;
`,
};
