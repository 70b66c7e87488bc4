'use client';

import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { WireReport } from '#lib/api/report.ts';
import { chartUrl } from '#lib/draw/report/report-charts.ts';
import { reportPicture } from '#lib/draw/report/report-picture.ts';

const DayChart = lazy(() => import('./day-chart.tsx').then(({ DayChart: chart }) => ({ default: chart })));
const DistributionChart = lazy(() =>
  import('./distribution-chart.tsx').then(({ DistributionChart: chart }) => ({ default: chart })),
);

const titles = {
  days: 'Share of object time away from git per day; the table beneath says the same',
  distribution: 'How long it took to converge; the table beneath says the same',
} as const;

interface ReportPictureProps {
  readonly picture: 'days' | 'distribution';
  readonly report: WireReport;
}

function never(): () => void {
  return () => {};
}

/** A chart of a report: drawn by the server and on paper as a picture, in the browser one that answers to pointer and keys. */
export function ReportPicture({ picture, report }: ReportPictureProps) {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const drawn = (
    <img src={chartUrl(reportPicture(picture, report, 'auto'))} alt={titles[picture]} className="report-drawn" />
  );
  return (
    <>
      <div className="report-drawn-scroll screen-only">
        {inBrowser ? (
          <Suspense fallback={drawn}>
            {picture === 'days' ? <DayChart report={report} /> : <DistributionChart report={report} />}
          </Suspense>
        ) : (
          drawn
        )}
      </div>
      <img
        src={chartUrl(reportPicture(picture, report, 'light'))}
        alt={titles[picture]}
        className="report-drawn paper-only"
      />
    </>
  );
}
