const day = 86_400_000;
const never = 9_000_000_000_000_000;

/** The first or last day (ms) that is rolled up of the cluster of a trigger's row, `NEW` or `OLD`. */
const rangeOf = (row: string, column: 'from_day' | 'to_day'): string =>
  `(SELECT ${column} FROM rollup_range WHERE cluster = ${row}.cluster)`;

/** A trigger that takes back what is rolled up of a cluster from the day on in which `time` lies. */
function takesBack(name: string, event: string, row: string, time: string, when = 'TRUE'): string {
  return `CREATE TRIGGER rollup_range_${name} AFTER ${event} WHEN ${time} < ${rangeOf(row, 'to_day')} AND ${when} BEGIN
  UPDATE rollup_range SET to_day = MIN(to_day, ${time} - ${time} % ${day}) WHERE cluster = ${row}.cluster;
END;`;
}

/** The earlier of two times, either of which may be none; never where they are the same. */
function earlier(column: string): string {
  return `CASE WHEN OLD.${column} IS NEW.${column} THEN ${never}
    ELSE MIN(COALESCE(OLD.${column}, ${never}), COALESCE(NEW.${column}, ${never})) END`;
}

const changedTransition = `MIN(${earlier('until')}, ${earlier('noticed_at')})`;
const changedIncident = `MIN(${earlier('closed_at')}, ${earlier('noticed_at')})`;
/** The first time that the removal of a row changes of the days that are kept. */
const removed = `MAX(OLD.noticed_at, ${rangeOf('OLD', 'from_day')})`;
// The row of a removal ends as it begins: that an old one is deleted takes no day back that is kept.
const until = `COALESCE(OLD.until, CASE OLD.to_verdict WHEN '' THEN OLD.noticed_at ELSE ${never} END)`;
const since = rangeOf('OLD', 'from_day');

/** Whatever writes or removes something that lies in a day that is rolled up takes the days from it on back: no writer has to think of it. */
export const rollupTriggers = [
  takesBack('transition_added', 'INSERT ON transition', 'NEW', 'NEW.noticed_at'),
  takesBack('transition_changed', 'UPDATE OF until, noticed_at ON transition', 'OLD', changedTransition),
  takesBack('transition_removed', 'DELETE ON transition', 'OLD', removed, `${until} > ${since}`),
  takesBack('incident_added', 'INSERT ON incident', 'NEW', 'NEW.noticed_at'),
  takesBack(
    'incident_changed',
    'UPDATE OF opened_at, closed_at, ended, noticed_at ON incident',
    'OLD',
    changedIncident,
  ),
  takesBack('incident_removed', 'DELETE ON incident', 'OLD', removed, `COALESCE(OLD.closed_at, ${never}) > ${since}`),
  takesBack('coverage_added', 'INSERT ON coverage', 'NEW', 'NEW.at'),
  takesBack('coverage_changed', 'UPDATE OF at ON coverage', 'OLD', 'MIN(OLD.at, NEW.at)', `OLD.at >= ${since}`),
  takesBack('coverage_removed', 'DELETE ON coverage', 'OLD', 'OLD.at', `OLD.at >= ${since}`),
].join('\n');
