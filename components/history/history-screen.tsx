'use client';

import Link from 'next/link';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { historyPath } from '#lib/api/paths.ts';
import { parseAsString, useQueryState } from 'nuqs';
import { MoreLine, ListSentence } from '../ui/list/list-page.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { useNow } from '../ui/now.tsx';
import { LaneTable } from './timeline/lane-table.tsx';
import { LanesView } from './timeline/lanes-view.tsx';
import { recordText, type RecordFilter } from '../record/record-filter.ts';
import { RecordFilters, useRecordFilter } from '../record/record-filters.tsx';
import { RecordTabs } from '../record/record-page.tsx';
import { historyCsvPath, periodParams, rowsFor, usualHistory } from '../record/shown-period.ts';
import { type SentHistory, useTimeline } from './use-timeline.ts';

interface HistoryScreenProps {
  readonly sent: SentHistory;
  readonly summary: WireFleetSummary;
}

/** Timelines of whatever a filter names: the kinds of a cluster, the objects of a kind, a column across clusters. */
export function HistoryScreen({ sent, summary }: HistoryScreenProps) {
  return (
    <PageFrame title="History" tab="history" summary={summary}>
      <Lanes sent={sent} />
    </PageFrame>
  );
}

const laneNouns = { object: 'object', kind: 'kind', cluster: 'cluster' } as const;

const laneWords = {
  object: 'One lane per object, least converged first.',
  kind: 'One lane per kind, least converged first.',
  cluster: 'One lane per cluster, by name.',
} as const;

function Lanes({ sent }: { readonly sent: SentHistory }) {
  const now = useNow();
  const [filter, change] = useRecordFilter();
  const [table] = useQueryState('table', parseAsString.withDefault(''));
  const timeline = useTimeline(filter, usualHistory, sent, rowsFor(table));
  const { history, asked } = timeline;
  const scope = { ...filter, ...periodParams(asked) };
  return (
    <>
      <RecordTabs tab="timelines" filter={scope} />
      <ListSentence>{sentenceOf(filter)}</ListSentence>
      <RecordFilters filter={filter} change={change} />
      <div className="px-gutter pt-2 pb-6">
        <LanesView timeline={timeline} nothing={`Nothing is recorded of ${recordText(filter)} in this period.`}>
          {history === null ? '' : `${laneWords[history.by]} Every mark leads to that moment.`}
        </LanesView>
        {history !== null && (
          <MoreLine
            shown={history.lanes.length}
            total={Math.max(history.total, history.lanes.length)}
            noun={laneNouns[history.by]}
            list={timeline}
          />
        )}
        <AsTable scope={scope} shown={table === '1'} />
        {history !== null && table === '1' && (
          <LaneTable
            caption={sentenceOf(filter)}
            history={history}
            csv={historyCsvPath(timeline.params)}
            leads
            now={now}
          />
        )}
      </div>
    </>
  );
}

/** The same as a table, in the URL: so it is there without scripts too. */
function AsTable({ scope, shown }: { readonly scope: Readonly<Record<string, string>>; readonly shown: boolean }) {
  const set = Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== ''));
  return (
    <p className="screen-only pb-2">
      <Link className="link" href={historyPath(shown ? set : { ...set, table: '1' })} prefetch={false} scroll={false}>
        {shown ? 'Without the table' : 'The same as a table'}
      </Link>
    </p>
  );
}

function sentenceOf(filter: RecordFilter): string {
  return `History of ${recordText(filter)}`;
}
