'use client';

import './changes.css';
import Link from 'next/link';
import type { NotChanged } from '#lib/api/changed.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface NoChangesScreenProps {
  readonly why: Exclude<NotChanged, { type: 'not-there' }>;
  readonly head: WireFleetSummary;
}

/** Screen where no list of changes can be made: why, and the way on. */
export function NoChangesScreen({ why, head }: NoChangesScreenProps) {
  return (
    <PageFrame title="What changed" place="history" topic={{ topic: 'head' }} head={head}>
      <EmptyState whole title={titleOf(why)}>
        <p className="mt-3">
          <Link className="link" href="/changes" prefetch={false}>
            What changed in the last 24 h, on every cluster
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  );
}

function titleOf(why: NoChangesScreenProps['why']): string {
  switch (why.type) {
    case 'bad-period':
      return why.message;
    case 'unreadable':
      return 'The record cannot be read now, so what changed cannot be said.';
  }
}
