'use client';

import './incidents.css';
import { parseAsString, useQueryStates } from 'nuqs';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { incidentsApi, type WireIncidentList } from '#lib/api/incident.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { recordText } from '../record/record-filter.ts';
import { RecordFilters, useRecordFilter } from '../record/record-filters.tsx';
import { RecordList } from '../record/record-list.tsx';
import { RecordTabs } from '../record/record-page.tsx';
import { periodParams } from '../record/shown-period.ts';
import { usePeriod } from '../record/zoom-bar.tsx';
import { FilterChoice } from '../ui/list/filters.tsx';
import { usePagedList } from '../queries/use-paged-list.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { incidentParams, incidentPartsFrom } from './incident-filter.ts';
import { IncidentTable } from './incident-table.tsx';
import { narrowedSentence } from './incident-text.ts';
import { ListSentence } from '../ui/list/list-page.tsx';

/** The list as the server sent it with the page, and what it answers. */
export interface SentIncidents {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireIncidentList;
}

interface IncidentsScreenProps {
  readonly sent: SentIncidents;
  readonly head: WireFleetSummary;
}

/** Everything that left converged in a period, until it was converged again. */
export function IncidentsScreen({ sent, head }: IncidentsScreenProps) {
  return (
    <PageFrame title="Incidents" place="history" topic={{ topic: 'head' }} head={{ ...head, asOf: sent.list.asOf }}>
      <Incidents sent={sent} />
    </PageFrame>
  );
}

const text = parseAsString.withDefault('');
const parsers = { verdict: text, open: text, order: text };
const ends = { true: 'ongoing', false: 'ended' } as const;

function Incidents({ sent }: { readonly sent: SentIncidents }) {
  const [filter, change] = useRecordFilter();
  const [found, setParts] = useQueryStates(parsers, { history: 'replace' });
  const [period, setPeriod] = usePeriod();
  const parts = incidentPartsFrom(found);
  const params = incidentParams(filter, parts, period);
  const list = usePagedList({ endpoint: incidentsApi, params, sent });
  const first = list.pages[0] ?? sent.list;
  const rows = [
    ...new Map(list.pages.flatMap((page) => page.rows).map((row) => [row.links.self + row.openedAt, row])).values(),
  ];
  return (
    <>
      <RecordTabs tab="incidents" filter={{ ...filter, ...periodParams(period) }} />
      <ListSentence>{narrowedSentence(first, parts)}</ListSentence>
      <RecordFilters filter={filter} change={change}>
        <FilterChoice
          label="Worst"
          value={parts.verdict}
          offer={verdicts.filter((verdict) => verdict !== 'converged')}
          onChange={(verdict) => void setParts({ verdict: verdict || null })}
        />
        <FilterChoice
          label="State"
          value={parts.open === 'true' || parts.open === 'false' ? ends[parts.open] : ''}
          offer={Object.values(ends)}
          onChange={(word) => void setParts({ open: word === '' ? null : String(word === ends.true) })}
        />
        <FilterChoice
          label="Order"
          value={parts.order}
          offer={['newest', 'longest']}
          onChange={(order) => void setParts({ order: order || null })}
        />
      </RecordFilters>
      <RecordList
        endpoint={incidentsApi}
        params={params}
        list={list}
        first={first}
        period={period}
        usual="7d"
        change={setPeriod}
        shown={rows.length}
        noun="incident"
        nothing={`No incident of ${recordText(filter)} matches in this period.`}
      >
        <IncidentTable rows={rows} columns="all" />
      </RecordList>
    </>
  );
}
