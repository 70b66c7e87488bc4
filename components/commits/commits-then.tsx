'use client';

import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { commitsPath } from '#lib/api/paths.ts';
import Link from 'next/link';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface CommitsThenProps {
  readonly summary: WireFleetSummary;
  readonly moment: Moment;
}

/** The list of commits at a past moment, which nobody knows: the present is not shown in its place. */
export function CommitsThen({ summary, moment }: CommitsThenProps) {
  return (
    <PageFrame title="Commits" tab="commits" summary={summary} moment={moment}>
      <EmptyState whole title="Which commits a branch had then, and how far each had come, is not told.">
        <p className="mt-2 text-mute">
          Mirrors know their branches as they are now. The page of one commit tells what was recorded of its arrival by
          this moment.
        </p>
        <p className="mt-4">
          <Link className="link py-1" href={commitsPath()} prefetch={false}>
            The commits of now
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  );
}
