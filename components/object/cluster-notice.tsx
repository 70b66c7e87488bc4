'use client';

import Link from 'next/link';
import type { WireObjectPage } from '#lib/api/object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { StickyLine } from '../ui/sticky-line.tsx';

/** Says that the object's cluster is not seen now, and why. */
export function ClusterNotice({ cluster }: { readonly cluster: WireObjectPage['cluster'] }) {
  if (cluster.state === 'live' || cluster.state === 'declared') return null;
  return (
    <StickyLine tone="warn">
      <span>
        <b>
          <Link className="link" href={clusterPath(cluster.name)} prefetch={false}>
            {cluster.name}
          </Link>{' '}
          is {cluster.state === 'connecting' ? 'being connected' : cluster.state}
        </b>
        {cluster.reason !== null && <>: {cluster.reason}</>}. What stands here is what was last seen.
      </span>
    </StickyLine>
  );
}
