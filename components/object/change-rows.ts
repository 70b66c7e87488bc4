import type { WireObjectChanges } from '#lib/api/object.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';

type ListedChange = WireObjectChanges['changes'][number];

/** One line of the table: what one hand did to one thing at one moment. */
export interface ChangeRow {
  readonly key: string;
  readonly first: ListedChange;
  readonly changes: readonly ListedChange[];
}

/** Changes of one thing, by one hand, at one moment as one line: an edit of a spec that suspends is both. */
export function changeRows(changes: readonly ListedChange[]): readonly ChangeRow[] {
  const rows = new Map<string, { first: ListedChange; changes: ListedChange[] }>();
  for (const change of changes) {
    const key = [change.href, change.ref === null ? change.text : '', change.at, change.by].join(' ');
    const row = rows.get(key);
    if (row) row.changes.push(change);
    else rows.set(key, { first: change, changes: [change] });
  }
  return [...rows].map(([key, row]) => ({ key, ...row }));
}

/**
 * Time before a moment (ms) at which it was: "4 min before"; "between 12 min and 4 min before" where it is not dated
 * ("about 5 min before" where that is the same), and "up to 12 min before" where it was found only after that moment.
 */
export function beforeText({ at, notBefore }: Pick<ListedChange, 'at' | 'notBefore'>, moment: number): string {
  const latest = moment - (parseTime(at) ?? moment);
  const earliest = moment - (parseTime(notBefore) ?? moment);
  if (earliest < 1000) return 'at that moment';
  if (earliest - latest < 1000) return `${formatDuration(latest)} before`;
  if (latest < 1000) return `up to ${formatDuration(earliest)} before`;
  const [from, to] = [formatDuration(earliest), formatDuration(latest)];
  return from === to ? `about ${to} before` : `between ${from} and ${to} before`;
}
