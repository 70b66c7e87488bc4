'use client';

import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface RecordUnreadProps {
  /** The tab's title: "Incidents". */
  readonly title: string;
  readonly head: WireFleetSummary;
}

/** Screen where the record, or what was asked of it, cannot be read. */
export function RecordUnread({ title, head }: RecordUnreadProps) {
  return (
    <PageFrame title={title} place="history" topic={{ topic: 'head' }} head={head}>
      <EmptyState whole title="The record cannot be read now.">
        <p className="mt-2 text-mute">
          Either the period of this address has not begun yet, or the store does not answer; then the line above says
          why. What is recorded is not lost by that.
        </p>
      </EmptyState>
    </PageFrame>
  );
}
