import type { HistoryQuery, WireHistory, WireLane } from '#lib/api/history.ts';
import { csvHeader, csvPieces, type CsvColumns } from '../wire/lists/csv.ts';
import { clustersOf } from './record-scope.ts';

/** A row of a lane, or (without a state) time of it that is too much to be read at once. */
interface Line extends Partial<Omit<WireLane['rows'][number], 'from' | 'to'>> {
  readonly cluster: string;
  readonly lane: string;
  readonly from: string;
  readonly to: string;
}

/** `lane` is the kind or the object of the cluster that a line is about; empty where it is about all that was asked for there. */
const columns: CsvColumns<Line> = {
  cluster: ({ cluster }) => cluster,
  lane: ({ lane }) => lane,
  state: ({ state }) => state ?? 'not-read',
  from: ({ from }) => from,
  to: ({ to }) => to,
  milliseconds: ({ from, to }) => Date.parse(to) - Date.parse(from),
  objects: ({ objects }) => objects ?? null,
  of: ({ of }) => of ?? null,
  steady: ({ steady }) => (steady === undefined ? null : String(steady)),
  reason: ({ reason }) => reason ?? null,
  commit: ({ commit }) => commit ?? null,
  onset: ({ onset }) => onset?.time ?? null,
  bound: ({ onset }) => onset?.bound ?? null,
};

/** So many clusters are read at once. */
const clustersAtOnce = 60;

/** A query as a file asks it: all rows of its lanes. */
function wholeQuery(query: HistoryQuery): HistoryQuery {
  const limit = clustersOf(query)?.length === 1 ? Number.MAX_SAFE_INTEGER : clustersAtOnce;
  return { ...query, limit, rows: Number.MAX_SAFE_INTEGER };
}

/**
 * All rows of all lanes as lines of CSV, some at a time; of time that is too much to be read at once a line says `not-read`.
 * `ask` gives the page behind a cursor.
 */
export async function* historyCsv(
  query: HistoryQuery,
  ask: (query: HistoryQuery) => Promise<WireHistory>,
): AsyncGenerator<string> {
  yield csvHeader(columns);
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: WireHistory = await ask({ ...wholeQuery(query), cursor });
    yield* csvPieces(columns, linesOf(page, query));
    cursor = page.nextCursor;
  }
}

function linesOf(page: WireHistory, query: HistoryQuery): readonly Line[] {
  const { from, to, askedFrom } = page;
  if (page.tooMany) return [{ cluster: '', lane: '', from: askedFrom, to }];
  return page.lanes.flatMap(({ key, rows }) => {
    const of = page.by === 'cluster' ? { cluster: key, lane: '' } : { cluster: query.cluster, lane: key };
    const missing = from === askedFrom ? [] : [{ ...of, from: askedFrom, to: from }];
    return [...missing, ...rows.map((row) => ({ ...of, ...row }))];
  });
}
