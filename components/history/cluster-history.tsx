'use client';

import Link from 'next/link';
import { historyPath } from '#lib/api/paths.ts';
import { SectionHeading } from '../ui/section-heading.tsx';
import { LanesView } from './timeline/lanes-view.tsx';
import { noRows, periodParams, usualHere } from './shown-period.ts';
import type { SentHistory } from './use-history.ts';
import { useTimeline } from './use-timeline.ts';

interface ClusterHistoryProps {
  readonly cluster: string;
  readonly sent: SentHistory;
}

/** Record of one cluster: a lane for every kind. */
export function ClusterHistory({ cluster, sent }: ClusterHistoryProps) {
  const timeline = useTimeline({ cluster }, usualHere, sent, noRows);
  const table = historyPath({ cluster, last: usualHere, ...periodParams(timeline.asked), table: '1' });
  return (
    <section aria-labelledby="history">
      <SectionHeading
        id="history"
        note={
          <>
            one lane per kind;{' '}
            <Link className="link" href={table} prefetch={false}>
              as a table
            </Link>
          </>
        }
      >
        History
      </SectionHeading>
      <LanesView timeline={timeline} nothing="Nothing is recorded of this cluster in this period.">
        Every mark leads to that moment, every kind to its objects.
      </LanesView>
    </section>
  );
}
