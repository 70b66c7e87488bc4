'use client';

import { refParams } from '#lib/api/paths.ts';
import type { WireRef } from '#lib/api/object.ts';
import { useNow } from '../ui/now.tsx';
import { SectionHead } from '../ui/section-head.tsx';
import { LaneTable } from './lane-table.tsx';
import { LanesView } from './lanes-view.tsx';
import { sharesSentence } from './mark-words.ts';
import { usualHere } from './shown-period.ts';
import type { SentHistory } from './use-history.ts';
import { useTimeline } from './use-timeline.ts';

interface ObjectHistoryProps {
  readonly object: WireRef;
  readonly sent: SentHistory;
}

/** What the record tells of one object, as a lane and as a table. */
export function ObjectHistory({ object, sent }: ObjectHistoryProps) {
  const now = useNow();
  const timeline = useTimeline(refParams(object), usualHere, sent);
  const { history } = timeline;
  const [lane] = history?.lanes ?? [];
  return (
    <section aria-labelledby="history">
      <SectionHead id="history" note={lane === undefined ? undefined : sharesSentence(lane)}>
        History
      </SectionHead>
      <LanesView timeline={timeline} nothing="Nothing is recorded of it in this period.">
        Every mark leads to that moment.
      </LanesView>
      {history !== null && (
        <div className="sr-only">
          <LaneTable
            caption={`History of ${object.name}`}
            lanes={history.lanes}
            earlier={history.earlier}
            from={history.from}
            now={now}
          />
        </div>
      )}
    </section>
  );
}
