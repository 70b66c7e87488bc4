import type { CorrectionFilter, WireCorrection, WireCorrectionList } from '#lib/api/correction.ts';
import { correctionsPath, objectPath, refParams } from '#lib/api/paths.ts';
import type { LedgerEntry } from '#lib/domain/record/figures.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { momentText } from '#lib/format/moment.ts';
import { day } from '#lib/domain/time/length.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { badCursor, type Refused } from '../http/problem.ts';
import { csvLine } from '../wire/lists/csv.ts';
import { refOnly } from '../wire/object/wire-object.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { noneRecorded } from './none-recorded.ts';
import { pagesOf, type RecordPages } from './record-pages.ts';
import { earliestSince } from './record-since.ts';

/** Parameters of the ledger. */
export interface CorrectionQuestion {
  readonly record: RecordReader;
  readonly filter: CorrectionFilter;
  readonly scopes: readonly RecordScope[];
  readonly period: Period;
  readonly context: Pick<WireContext, 'now'>;
}

/** Which objects drift most is counted from so many of the newest entries at most, so many at once. */
const counted = 10_000;
const chunk = 1_000;
const mostShown = 10;

/** The corrections that a filter keeps, one page of them, with their trend. */
export async function correctionList(question: CorrectionQuestion): Promise<WireCorrectionList | Refused> {
  const { record, filter, scopes, period, context } = question;
  const { now } = context;
  const page = await pagesOf(pagesFor(question), filter.cursor, filter.limit);
  if (page === null) return badCursor;
  return {
    asOf: wireTime(now),
    from: wireTime(period.from),
    to: wireTime(period.to),
    recordedSince: wireTimeOrNull(await earliestSince(record, scopes)),
    rows: page.items.map(wireCorrection),
    days: await daysOf(question),
    ...(await mostOf(question)),
    notRecorded: page.items.length > 0 ? null : await noneRecorded({ record, filter, scopes, now }),
    nextCursor: page.next,
  };
}

const head = ['cluster', 'group', 'kind', 'namespace', 'name', 'at', 'certainty', 'atLeast', 'said'];

/** All corrections that a filter keeps as lines of CSV, some at a time. */
export async function* correctionCsv(question: CorrectionQuestion): AsyncGenerator<string> {
  yield csvLine(head);
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof pagesOf<LedgerEntry>>> = await pagesOf(pagesFor(question), cursor, chunk);
    if (page === null) return;
    yield page.items
      .map(({ ref, correction: { at, certainty, count, said } }) =>
        csvLine([ref.cluster, ref.group, ref.kind, ref.namespace, ref.name, wireTime(at), certainty, count, said]),
      )
      .join('');
    cursor = page.next;
  }
}

function pagesFor({ record, filter, scopes, period }: CorrectionQuestion): RecordPages<LedgerEntry> {
  return {
    scopes,
    read: (scope, cursor, limit) => record.corrections(scope, period, { cursor, limit }),
    keeps: ({ correction }) => filter.certainty === '' || correction.certainty === filter.certainty,
  };
}

function wireCorrection({ ref, correction: { at, certainty, said, count } }: LedgerEntry): WireCorrection {
  return { ref: refOnly(ref), at: wireTime(at), certainty, said, count, links: { self: objectPath(ref) } };
}

/** Every UTC day of the period with its count; a day without any is there too. */
async function daysOf({ record, scopes, period }: CorrectionQuestion): Promise<WireCorrectionList['days']> {
  const found = (await Promise.all(scopes.map((scope) => record.correctionDays(scope, period)))).flat();
  const counts = new Map<number, { confirmed: number; probable: number; contested: number }>();
  for (let at = Math.floor(period.from / day) * day; at < period.to; at += day)
    counts.set(at, { confirmed: 0, probable: 0, contested: 0 });
  for (const { day: at, certainty, count } of found) {
    const day = counts.get(at);
    if (day !== undefined) day[certainty] += count;
  }
  return [...counts].map(([at, count]) => ({ day: wireTime(at), ...count }));
}

async function mostOf({
  record,
  scopes,
  period,
}: CorrectionQuestion): Promise<Pick<WireCorrectionList, 'most' | 'mostOf'>> {
  const entries: LedgerEntry[] = [];
  let cut = false;
  for (const scope of scopes) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<RecordReader['corrections']>> = await record.corrections(scope, period, {
        cursor,
        limit: chunk,
      });
      entries.push(...page.items);
      cursor = page.next;
    } while (cursor !== null && entries.length < counted);
    cut ||= cursor !== null;
  }
  const sum = (list: readonly LedgerEntry[]): number =>
    list.reduce((total, { correction }) => total + correction.count, 0);
  const most = [...Map.groupBy(entries, ({ ref }) => refKey(ref)).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const contested = own.filter(({ correction }) => correction.certainty === 'contested');
    const { from, to } = period;
    const href = correctionsPath({ ...refParams(first.ref), from: momentText(from), to: momentText(to) });
    return { ref: refOnly(first.ref), count: sum(own), contested: sum(contested), href };
  });
  return {
    most: most.toSorted((a, b) => b.count - a.count).slice(0, mostShown),
    mostOf: cut ? entries.length : null,
  };
}
