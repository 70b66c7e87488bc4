'use client';

import Link from 'next/link';
import { historyPath, refParams } from '#lib/api/paths.ts';
import type { WireRef } from '#lib/api/object.ts';
import { useNow } from '../ui/now.tsx';
import { Section } from '../ui/page/page.tsx';
import { LaneTable } from './timeline/lane-table.tsx';
import { LanesView } from './timeline/lanes-view.tsx';
import { sharesSentence } from './timeline/mark-text.ts';
import { historyCsvPath, noRows, periodParams, tableRows, usualHere } from '../record/shown-period.ts';
import { useTimeline, type SentHistory } from './use-timeline.ts';

export type { SentHistory };

interface ObjectHistoryProps {
  readonly object: WireRef;
  readonly sent: SentHistory;
}

/** Record of one object, as a lane and as a table. */
export function ObjectHistory({ object, sent }: ObjectHistoryProps) {
  const now = useNow();
  const timeline = useTimeline(refParams(object), usualHere, sent, tableRows);
  const { history } = timeline;
  const table = historyPath({ ...refParams(object), last: usualHere, ...periodParams(timeline.asked), table: '1' });
  const [lane] = history?.lanes ?? [];
  return (
    <Section id="history" title="History" note={lane === undefined ? undefined : sharesSentence(lane)}>
      <LanesView timeline={timeline} nothing="Nothing is recorded of it in this period.">
        <span>
          Every mark leads to that moment;{' '}
          <Link className="link" href={table} prefetch={false}>
            as a table
          </Link>
        </span>
      </LanesView>
      {history !== null && (
        <div className="sr-only">
          <LaneTable
            caption={`History of ${object.name}`}
            history={history}
            csv={historyCsvPath(timeline.params)}
            leads={false}
            now={now}
          />
        </div>
      )}
    </Section>
  );
}

interface ClusterHistoryProps {
  readonly cluster: string;
  readonly sent: SentHistory;
}

/** Record of one cluster: a lane for every kind. */
export function ClusterHistory({ cluster, sent }: ClusterHistoryProps) {
  const timeline = useTimeline({ cluster }, usualHere, sent, noRows);
  const table = historyPath({ cluster, last: usualHere, ...periodParams(timeline.asked), table: '1' });
  return (
    <Section
      id="history"
      title="History"
      note={
        <>
          one lane per kind;{' '}
          <Link className="link" href={table} prefetch={false}>
            as a table
          </Link>
        </>
      }
    >
      <LanesView timeline={timeline} nothing="Nothing is recorded of this cluster in this period.">
        Every mark leads to that moment, every kind to its objects.
      </LanesView>
    </Section>
  );
}
