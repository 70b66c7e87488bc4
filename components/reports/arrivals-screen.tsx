'use client';

import './report.css';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { clusterPath } from '#lib/api/paths.ts';
import type { WireArrival, WireArrivalList } from '#lib/api/report.ts';
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
  const { count, medianMs, p95Ms, unknown } = list.spread;
  const all = count + unknown;
  return (
    <PageFrame title="Commits that arrived" tab="reports" summary={summary}>
      <ListSentence>
        {all === 0 ? 'No commit arrived.' : `${countOf(all, 'commit')} arrived on a cluster`}
        {count > 0 && `, half of them within ${writeLength(medianMs)}, 95 of 100 within ${writeLength(p95Ms)}.`}
      </ListSentence>
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
            rows: list.arrivals.map((arrival) => rowOf(arrival, Date.parse(list.period.to) - 1)),
            none: 'None in this period and scope.',
            more: {
              text:
                list.arrivals.length < all
                  ? `${formatCount(list.arrivals.length)} of ${formatCount(all)}, newest first`
                  : '',
            },
          }}
        />
      </ListBody>
    </PageFrame>
  );
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
