import type { HistoryQuery, WireHistory, WireLane } from '#lib/api/history.ts';
import { csvLine } from '../wire/lists/csv.ts';
import { clustersOf } from './record-scope.ts';

/** `lane` is the kind or the object of the cluster that a line is about; empty where it is about all that was asked for there. */
const head = [
  'cluster',
  'lane',
  'state',
  'from',
  'to',
  'milliseconds',
  'objects',
  'of',
  'steady',
  'reason',
  'commit',
  'onset',
  'bound',
];

/** So many clusters are read at once. */
const clustersAtOnce = 60;

/** The first page of what a query asks for as a file: all rows of its lanes. */
function wholeQuery(query: HistoryQuery): HistoryQuery {
  const limit = clustersOf(query)?.length === 1 ? Number.MAX_SAFE_INTEGER : clustersAtOnce;
  return { ...query, limit, rows: Number.MAX_SAFE_INTEGER, cursor: '' };
}

/**
 * All rows of all lanes as lines of CSV, some at a time; of time that is too much to be read at once a line says `not-read`.
 * `ask` gives the page behind a cursor.
 */
export async function* historyCsv(
  query: HistoryQuery,
  ask: (query: HistoryQuery) => Promise<WireHistory>,
): AsyncGenerator<string> {
  yield csvLine(head);
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: WireHistory = await ask({ ...wholeQuery(query), cursor });
    yield linesOf(page, query);
    cursor = page.nextCursor;
  }
}

function linesOf(page: WireHistory, query: HistoryQuery): string {
  if (page.tooMany) return unread('', '', page.askedFrom, page.to);
  return page.lanes
    .map((lane) => {
      const [cluster, name] = page.by === 'cluster' ? [lane.key, ''] : [query.cluster, lane.key];
      const missing = page.from === page.askedFrom ? '' : unread(cluster, name, page.askedFrom, page.from);
      return missing + lane.rows.map((row) => lineOf(cluster, name, row)).join('');
    })
    .join('');
}

function lineOf(cluster: string, lane: string, row: WireLane['rows'][number]): string {
  const { state, from, to, objects, of, steady, reason, commit, onset } = row;
  const length = Date.parse(to) - Date.parse(from);
  const began = [onset?.time ?? null, onset?.bound ?? null];
  return csvLine([cluster, lane, state, from, to, length, objects, of, String(steady), reason, commit, ...began]);
}

function unread(cluster: string, lane: string, from: string, to: string): string {
  const length = Date.parse(to) - Date.parse(from);
  return csvLine([cluster, lane, 'not-read', from, to, length, null, null, null, null, null, null, null]);
}
