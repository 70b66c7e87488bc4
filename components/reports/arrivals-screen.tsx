'use client';

import './report.css';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { clusterPath } from '#lib/api/paths.ts';
import type { WireArrival, WireArrivalList, WireArrivals } from '#lib/api/report.ts';
import { notKnownSentence } from '#lib/report/clauses/arrival-clauses.ts';
import { writeLength } from '#lib/report/write-figure.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { shortTime } from '#lib/format/time.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { PeriodLine } from './figure-list.tsx';
import { ReportTable } from './report-table.tsx';
import { ListBody, ListSentence } from '../ui/list/list-page.tsx';

interface ArrivalsScreenProps {
  readonly list: WireArrivalList;
  readonly summary: WireFleetSummary;
}

/** Every commit that arrived on a cluster in a period, and how long it took. */
export function ArrivalsScreen({ list, summary }: ArrivalsScreenProps) {
  const { spread, arrivals } = list;
  const all = spread.count === null ? null : spread.count + (spread.unknown ?? 0);
  return (
    <PageFrame title="Commits that arrived" tab="reports" summary={summary}>
      <ListSentence>{sentencesOf(spread)}</ListSentence>
      <PeriodLine {...list} />
      <ListBody>
        <ReportTable
          label="Commits"
          table={{
            columns: [
              { title: 'Commit' },
              { title: 'Cluster' },
              { title: 'Offered (UTC)' },
              { title: 'First at it' },
              { title: 'Last at it' },
              { title: 'Appliers', right: true },
              { title: 'It took', right: true },
            ],
            rows: (arrivals ?? []).map((arrival) => rowOf(arrival, Date.parse(list.period.to) - 1)),
            none: noneOf(spread),
            more: {
              text:
                arrivals !== null && all !== null && arrivals.length < all
                  ? `${formatCount(arrivals.length)} of ${formatCount(all)}, newest first`
                  : '',
            },
          }}
        />
      </ListBody>
    </PageFrame>
  );
}

/** Number of those that arrived and the time they took, and of which clusters that is not known. */
function sentencesOf(spread: WireArrivals): string {
  const { count, unknown, medianMs, p95Ms, notKnownOn } = spread;
  const beside = notKnownSentence(spread);
  if (count === null) return beside ?? '';
  const all = count + (unknown ?? 0);
  const where = notKnownOn.length === 0 ? '' : ' on the clusters that you see whole';
  const on = notKnownOn.length === 0 ? ' on a cluster' : where;
  const took =
    count === 0 ? '' : `, half of them within ${writeLength(medianMs)}, 95 of 100 within ${writeLength(p95Ms)}`;
  const told = all === 0 ? `No commit arrived${where}.` : `${countOf(all, 'commit')} arrived${on}${took}.`;
  return beside === null ? told : `${told} ${beside}`;
}

/** Words where the table has no rows. */
function noneOf({ count, notKnownOn }: WireArrivals): string {
  if (count === null) return 'Not known in your view.';
  return notKnownOn.length === 0
    ? 'None in this period and scope.'
    : 'None on the clusters that you see whole, in this period and scope.';
}

function rowOf({ commit, cluster, offeredAt, firstAt, lastAt, objects, tookMs }: WireArrival, end: number) {
  const time = (at: string) => ({ text: shortTime(Date.parse(at), end) });
  return [
    { text: shortCommit(commit), commit },
    { text: cluster, href: clusterPath(cluster) },
    offeredAt === null ? { text: 'before the record' } : time(offeredAt),
    time(firstAt),
    time(lastAt),
    { text: formatCount(objects) },
    { text: tookMs === null ? 'not known' : writeLength(tookMs) },
  ];
}
