import { earliest } from '#lib/domain/time/earliest.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { badCursor, type Refused } from '../http/problem.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import type { RecordQuestion } from './ask-record.ts';
import { pagesOf, type RecordPages } from './record-pages.ts';
import { clustersOf, type RecordFilter } from './record-scope.ts';

/** A question for a list of the record. */
export interface ListQuestion extends Pick<RecordQuestion, 'record' | 'scopes' | 'period'> {
  readonly filter: RecordFilter & { readonly cursor: string; readonly limit: number };
  readonly context: { readonly now: number };
}

/** The items of the page that a filter asks for, and what every list of the record says beside them. */
export interface RecordList<T> {
  readonly items: readonly T[];
  readonly frame: {
    readonly asOf: string;
    readonly from: string;
    readonly to: string;
    readonly recordedSince: string | null;
    readonly notRecorded: string | null;
    readonly nextCursor: string | null;
  };
}

/** Reads one page of a list. */
export async function recordList<T>(question: ListQuestion, pages: RecordPages<T>): Promise<RecordList<T> | Refused> {
  const { record, filter, scopes, period, context } = question;
  const page = await pagesOf(pages, filter.cursor, filter.limit);
  if (page === null) return badCursor;
  return {
    items: page.items,
    frame: {
      asOf: wireTime(context.now),
      from: wireTime(period.from),
      to: wireTime(period.to),
      recordedSince: wireTimeOrNull(await earliestSince(record, scopes)),
      notRecorded: page.items.length > 0 ? null : await noneRecorded(question),
      nextCursor: page.next,
    },
  };
}

/** Since when there is a record of any of the scopes (ms); null where there is none. */
async function earliestSince(record: RecordReader, scopes: readonly RecordScope[]): Promise<number | null> {
  const times = await Promise.all(scopes.map((scope) => record.since({ clusters: scope.clusters })));
  return earliest(...times);
}

const MOST_NAMED = 3;

/**
 * "No such object is recorded on eu-west-3.": each name that is asked for is somewhere, but no object ever had them all, so that an
 * empty list is no good news. null where there was one, or none in particular is asked for.
 */
async function noneRecorded({ record, filter, scopes, context: { now } }: ListQuestion): Promise<string | null> {
  const { group, kind, namespace, name } = filter;
  if (group + kind + namespace + name === '') return null;
  for (const scope of scopes) if (await record.hasObject(scope, { from: 0, to: now })) return null;
  const clusters = scopes[0]?.clusters ?? clustersOf(filter) ?? [];
  const where = clusters.length > MOST_NAMED ? 'these clusters' : clusters.join(' or ');
  return `No such object is recorded${where === '' ? '' : ` on ${where}`}.`;
}
