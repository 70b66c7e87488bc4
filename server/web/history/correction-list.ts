import type { CorrectionFilter, WireCorrection, WireCorrectionList } from '#lib/api/correction.ts';
import { correctionsPath, objectPath, refParams } from '#lib/api/paths.ts';
import type { LedgerEntry } from '#lib/domain/record/figures.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { momentText } from '#lib/format/moment.ts';
import { day } from '#lib/domain/time/length.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import { csvOf, refColumns, type CsvColumns } from '../wire/lists/csv.ts';
import { refOnly } from '../wire/object/wire-object.ts';
import { wireTime } from '../wire/wire-time.ts';
import { recordList, type ListQuestion } from './record-list.ts';
import { everyPage, readUpTo, type RecordPages } from './record-pages.ts';

/** Parameters of the ledger. */
export interface CorrectionQuestion extends ListQuestion {
  readonly filter: CorrectionFilter;
}

/** Which objects drift most is counted from so many of the newest entries at most, so many at once. */
const counted = 10_000;
const chunk = 1_000;
const mostShown = 10;

/** The corrections that a filter keeps, one page of them, with their trend. */
export async function correctionList(question: CorrectionQuestion): Promise<WireCorrectionList | Refused> {
  const list = await recordList(question, pagesFor(question));
  if (isRefused(list)) return list;
  const rows = list.items.map(wireCorrection);
  return { ...list.frame, rows, days: await daysOf(question), ...(await mostOf(question)) };
}

const columns: CsvColumns<LedgerEntry> = {
  ...refColumns,
  at: ({ correction }) => wireTime(correction.at),
  certainty: ({ correction }) => correction.certainty,
  atLeast: ({ correction }) => correction.count,
  said: ({ correction }) => correction.said,
};

/** All corrections that a filter keeps as lines of CSV, some at a time. */
export function correctionCsv(question: CorrectionQuestion): AsyncGenerator<string> {
  return csvOf(columns, everyPage(pagesFor(question), chunk));
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

async function mostOf(question: CorrectionQuestion): Promise<Pick<WireCorrectionList, 'most' | 'mostOf'>> {
  const { from, to } = question.period;
  const { items: entries, complete } = await readUpTo(pagesFor(question), chunk, counted);
  const sum = (list: readonly LedgerEntry[]): number =>
    list.reduce((total, { correction }) => total + correction.count, 0);
  const most = [...Map.groupBy(entries, ({ ref }) => refKey(ref)).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const contested = own.filter(({ correction }) => correction.certainty === 'contested');
    const href = correctionsPath({ ...refParams(first.ref), from: momentText(from), to: momentText(to) });
    return { ref: refOnly(first.ref), count: sum(own), contested: sum(contested), href };
  });
  return {
    most: most.toSorted((a, b) => b.count - a.count).slice(0, mostShown),
    mostOf: complete ? null : entries.length,
  };
}
