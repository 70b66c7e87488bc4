'use client';

import type { ReactNode } from 'react';
import { addressOf, type Endpoint } from '#lib/api/endpoint.ts';
import type { Last } from '#lib/api/params.ts';
import { countOf } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { ListNotices, ListSentence, ShowMore } from '../ui/list/list-page.tsx';
import type { PagedList } from '../queries/use-paged-list.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { useNow } from '../ui/now.tsx';
import { RecordTabs, type RecordTab } from './record-page.tsx';
import type { RecordFilter } from './record-filter.ts';
import { RecordFilters } from './record-filters.tsx';
import { periodParams, type ShownPeriod } from './shown-period.ts';
import { ZoomBar } from './zoom-bar.tsx';

interface RecordListProps {
  readonly tab: RecordTab;
  readonly sentence: string;
  readonly filter: RecordFilter;
  readonly changeFilter: (change: Partial<RecordFilter>) => void;
  /** Filters of this list alone. */
  readonly filters: ReactNode;
  /** The list in the API, and what it is asked with: for its file. */
  readonly endpoint: Pick<Endpoint, 'path'>;
  readonly params: Readonly<Record<string, string>>;
  readonly list: PagedList<{ readonly from: string; readonly to: string; readonly recordedSince: string | null }>;
  readonly period: ShownPeriod;
  readonly usual: Last;
  readonly change: (period: ShownPeriod) => void;
  readonly shown: number;
  /** Noun of what is counted: "absence". */
  readonly noun: string;
  /** The same of several, where it is not one + s. */
  readonly nouns?: string;
  /** Sentence where nothing matches. */
  readonly nothing: string;
  readonly children: ReactNode;
}

interface PeriodLineProps {
  readonly list: { readonly from: string; readonly to: string; readonly recordedSince: string | null };
}

/** Period that a list is of, and since when anything of it is recorded. */
export function PeriodLine({ list: { from, to, recordedSince } }: PeriodLineProps) {
  const now = useNow();
  const [begin, end] = [parseTime(from) ?? 0, parseTime(to) ?? 0];
  const since = parseTime(recordedSince ?? '');
  const past = useMoment() !== null;
  return (
    <p className="pb-2 text-mute">
      From {formatTime(begin, now)} to {end >= now - 90_000 ? (past ? 'then' : 'now') : formatTime(end, now)}.
      {since === null && ' Nothing is recorded.'}
      {since !== null && since > begin && ` The record begins at ${formatTime(since, now)}.`}
    </p>
  );
}

/** A list over a period of the record under its tab, sentence and filters: the period above it, how much of it stands here and its file beneath. */
export function RecordList(props: RecordListProps) {
  const { list, tab, sentence, filter, changeFilter, filters, period, usual, change, shown, nothing, children } = props;
  const now = useNow();
  const { first } = list;
  const [from, to] = [parseTime(first.from) ?? 0, parseTime(first.to) ?? 0];
  return (
    <>
      <RecordTabs tab={tab} filter={{ ...filter, ...periodParams(period) }} />
      <ListSentence>{sentence}</ListSentence>
      <RecordFilters filter={filter} change={changeFilter}>
        {filters}
      </RecordFilters>
      <div className={list.waiting ? 'opacity-55' : undefined} aria-busy={list.waiting}>
        <ListNotices list={list} partial={[]} />
        <div className="px-gutter pt-2 pb-6">
          <ZoomBar asked={period} period={{ from, to }} now={now} change={change} usual={usual} />
          <PeriodLine list={first} />
          {shown === 0 ? <p className="py-4">{nothing}</p> : children}
          {(shown > 0 || list.more !== null) && <MoreOfList {...props} />}
        </div>
      </div>
    </>
  );
}

type MoreOfListProps = Pick<RecordListProps, 'endpoint' | 'params' | 'shown' | 'noun' | 'nouns'> & {
  readonly list: Pick<PagedList<unknown>, 'more' | 'loadingMore'>;
};

/** Length of the list that stands here, more of it, and all of it as a file. */
export function MoreOfList({ endpoint, params, list, shown, noun, nouns }: MoreOfListProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-mute">
      <span>
        {countOf(shown, noun, nouns)}
        {list.more !== null && ', and more'}
      </span>
      <ShowMore {...list} />
      <a className="link screen-only" href={addressOf(endpoint, { ...params, format: 'csv' })} download>
        All as CSV
      </a>
    </p>
  );
}
