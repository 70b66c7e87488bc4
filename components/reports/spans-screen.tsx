'use client';

import './report.css';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { objectPath } from '#lib/api/paths.ts';
import { spansApi, type WireSpan, type WireSpanList } from '#lib/api/report.ts';
import { writeAmount, writeObjectTime } from '#lib/report/write-figure.ts';
import { formatCount } from '#lib/format/number.ts';
import { shortTime } from '#lib/format/time.ts';
import { getJson } from '../queries/endpoint-query.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { PeriodLine } from './figure-list.tsx';
import { ReportTable } from './report-table.tsx';
import { ListBody, ListSentence, ShowMore } from '../ui/list/list-page.tsx';

interface SpansScreenProps {
  /** Parameters of the API that the first page answers. */
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireSpanList;
  readonly summary: WireFleetSummary;
}

/** Spans that object time of a report is made of: each with what of it counts; added up they are the figure. */
export function SpansScreen({ params, list, summary }: SpansScreenProps) {
  return (
    <PageFrame title="What a figure is made of" tab="reports" summary={summary}>
      <Spans params={params} list={list} />
    </PageFrame>
  );
}

function Spans({ params, list }: Omit<SpansScreenProps, 'summary'>) {
  const query = useInfiniteQuery<WireSpanList, Error, InfiniteData<WireSpanList, string>, string[], string>({
    queryKey: ['spans', new URLSearchParams(params).toString()],
    queryFn: ({ pageParam, signal }) => getJson(spansApi, { ...params, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    initialData: { pages: [list], pageParams: [''] },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const spans = query.data.pages.flatMap((page) => page.spans);
  const sum = spans.reduce((all, { observedMs }) => all + observedMs, 0);
  const verdict = (params['verdict'] ?? '').split(',').filter(Boolean).join(', ');
  const whole = !query.hasNextPage;
  return (
    <>
      <ListSentence>
        {writeObjectTime(list.observedMs)}
        {verdict === '' ? '' : `: ${verdict}`}
      </ListSentence>
      <p className="px-gutter pb-1">
        The figure is a sum: of every line below it counts what lies in the period and was observed (last column).
        Objects that were away at the same time count each for itself, so it can be longer than the period.
      </p>
      <PeriodLine {...list} />
      {query.error !== null && <StickyLine tone="warn">{query.error.message}</StickyLine>}
      <ListBody>
        <ReportTable
          label="Spans"
          table={{
            columns: [
              { title: 'Object' },
              { title: 'Why' },
              { title: 'From (UTC)' },
              { title: 'To' },
              { title: 'Within the period', right: true },
              { title: 'Observed', right: true },
            ],
            rows: spans.map(rowOf),
            none: 'No span of this period and scope is so.',
            more: { text: '' },
          }}
        />
        <p className="flex flex-wrap gap-4 py-3 text-mute">
          <span>
            {formatCount(spans.length)} {spans.length === 1 ? 'span' : 'spans'}, newest first,{' '}
            {whole ? 'which add up to' : 'which are part of the figure:'} {writeObjectTime(sum)}
            {!whole && ` of ${writeObjectTime(list.observedMs)}`}
          </span>
          <ShowMore
            more={query.hasNextPage ? () => void query.fetchNextPage() : null}
            loadingMore={query.isFetchingNextPage}
          />
        </p>
      </ListBody>
    </>
  );
}

function rowOf({ ref, verdict, from, to, reason, withinMs, observedMs }: WireSpan) {
  return [
    { text: `${ref.name} on ${ref.cluster}`, href: objectPath(ref), verdict },
    { text: reason },
    { text: shortTime(Date.parse(from), 'year') },
    { text: to === null ? 'lasts' : shortTime(Date.parse(to), 'year') },
    { text: writeAmount(withinMs) },
    { text: writeAmount(observedMs) },
  ];
}
