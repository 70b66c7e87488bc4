'use client';

import './changes.css';
import Link from 'next/link';
import type { NotChanged } from '#lib/api/changed.ts';
import type { WireFleetHead } from '#lib/api/fleet.ts';
import { changesPath } from '#lib/api/paths.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface NoChangesScreenProps {
  readonly why: NotChanged;
  readonly head: WireFleetHead;
}

/** What stands where no list of changes can be made: why, and the way on. */
export function NoChangesScreen({ why, head }: NoChangesScreenProps) {
  return (
    <PageFrame title="What changed" place="history" topic={{ topic: 'head' }} head={head}>
      <EmptyState whole title={titleOf(why)}>
        {why.type === 'no-cluster' && why.clusters.length > 0 && (
          <ul className="mt-3 flex flex-wrap gap-x-4">
            {why.clusters.slice(0, 60).map((cluster) => (
              <li key={cluster}>
                <Link className="link py-1" href={changesPath({ cluster })} prefetch={false}>
                  {cluster}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <p className="mt-3">
          <Link className="link" href="/changes" prefetch={false}>
            What changed in the last 24 h, on every cluster
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  );
}

function titleOf(why: NotChanged): string {
  switch (why.type) {
    case 'bad-period':
      return why.message;
    case 'no-cluster':
      return `There is no cluster ${why.cluster}, and none of that name is in the record.`;
    case 'unreadable':
      return 'The record cannot be read now, so what changed cannot be said.';
  }
}
