'use client';

import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { reportsPath } from '#lib/api/paths.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** Why a question about a period has no answer, and where one is to be had. */
export function RefusedScreen({ message, head }: { readonly message: string; readonly head: WireFleetSummary }) {
  return (
    <PageFrame title="Not to be had" place="reports" topic={{ topic: 'head' }} head={head}>
      <EmptyState title={message} whole>
        <p className="mt-3">
          <a className="link" href={reportsPath()}>
            Report on the last 30 days
          </a>
        </p>
      </EmptyState>
    </PageFrame>
  );
}
