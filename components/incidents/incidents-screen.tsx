'use client';

import './incidents.css';
import { incidentsApi, type WireIncidentList } from '#lib/api/incident.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import { parseTime } from '#lib/format/time.ts';
import { recordText } from '../record/record-filter.ts';
import { MoreOfList, PeriodLine } from '../record/record-list.tsx';
import { usePeriod, ZoomBar } from '../record/zoom-bar.tsx';
import { uniqueRows, usePagedList } from '../queries/use-paged-list.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { useSaidAloud } from '../shell/live/live-region.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { ListNotices, ListSentence, Without } from '../ui/list/list-page.tsx';
import type { SentSuspects } from '../suspects/use-suspects.ts';
import { useNow } from '../ui/now.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { IncidentFigures } from './incident-figures.tsx';
import { incidentParams, isNarrowed, setParts, type IncidentNames } from './incident-filter.ts';
import { IncidentFilters, useIncidentFilter } from './incident-filters.tsx';
import { IncidentTable } from './incident-table.tsx';
import { incidentsSentence, knownUpTo, madeSentence, narrowedSentence } from './incident-text.ts';

/** The list as the server sent it with the page, and what it answers. */
export interface SentIncidents {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireIncidentList;
  /** null or absent where the page came without. */
  readonly suspects?: SentSuspects | null;
}

interface IncidentsScreenProps {
  readonly sent: SentIncidents;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

const topic = { topic: 'incidents' };

/** Incidents of a period, one line a cause, with what accounts for all of them. */
export function IncidentsScreen({ sent, summary, moment }: IncidentsScreenProps) {
  return (
    <PageFrame
      title="Incidents"
      tab="incidents"
      topic={topic}
      summary={{ ...summary, asOf: sent.list.asOf }}
      moment={moment}
    >
      <Incidents key={moment?.at ?? 'now'} sent={sent} />
    </PageFrame>
  );
}

/** A step of any incident is heard; while stored history is made into incidents, that goes on without one. */
function hears({ type }: StreamFrame, { made }: WireIncidentList): boolean {
  return type === 'incidents' || type === 'reset' || (type === 'tick' && made !== null);
}

function Incidents({ sent }: { readonly sent: SentIncidents }) {
  const now = useNow();
  const [filter, change] = useIncidentFilter();
  const [period, setPeriod] = usePeriod();
  const params = incidentParams(filter, period, useAtParam());
  const list = usePagedList({ endpoint: incidentsApi, params, sent, hears });
  const { first } = list;
  const { at: _then, ...address } = params;
  const shownPeriod = { from: parseTime(first.from) ?? 0, to: parseTime(first.to) ?? 0 };
  const over = shownPeriod.to < now - 90_000 && first.made === null;
  const rows = uniqueRows(
    list.pages.flatMap((page) => page.rows),
    ({ id }) => id,
  );
  const made = madeSentence(first.made, now);
  useSaidAloud(incidentsSentence(first, over));
  return (
    <>
      <ListSentence>{narrowedSentence(first, over, isNarrowed(filter))}</ListSentence>
      <IncidentFilters filter={filter} change={change} />
      <div className={list.waiting ? 'opacity-55' : undefined} aria-busy={list.waiting}>
        {made !== null && <StickyLine>{made}</StickyLine>}
        <ListNotices list={list} partial={[]} />
        <div className="px-gutter pt-2 pb-6">
          <ZoomBar asked={period} period={shownPeriod} now={now} change={setPeriod} usual="7d" />
          <PeriodLine list={first} />
          {first.figures !== null && first.figures.opened + first.figures.openAtStart > 0 && (
            <IncidentFigures figures={first.figures} address={address} />
          )}
          {rows.length === 0 ? (
            <Nothing filter={filter} change={change} list={first} />
          ) : (
            <IncidentTable rows={rows} knownAt={knownUpTo(first.made, now)} suspects={sent.suspects ?? null} />
          )}
          {(rows.length > 0 || list.more !== null) && (
            <MoreOfList endpoint={incidentsApi} params={params} list={list} shown={rows.length} noun="incident" />
          )}
        </div>
      </div>
    </>
  );
}

interface NothingProps {
  readonly filter: IncidentNames;
  readonly change: (change: Partial<IncidentNames>) => void;
  readonly list: WireIncidentList;
}

/** Words where no incident is listed: of what, and the ways out of what narrows it. */
function Nothing({ filter, change, list: { figures, made } }: NothingProps) {
  const parts = setParts(filter);
  // Of what is not told yet it cannot be said that nothing failed.
  if (figures === null) return null;
  const soFar = made === null ? '' : ' so far';
  return (
    <div className="py-4">
      <p>
        {parts.length === 0
          ? `No incident is known of this period${soFar}.`
          : `No incident of ${recordText(filter)} matches in this period${soFar}.`}
      </p>
      {parts.length > 0 && <Without parts={parts} take={(name) => change({ [name]: '' })} />}
    </div>
  );
}
