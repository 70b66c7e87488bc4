'use client';

import type { WireObjectPage } from '#lib/api/object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { PlannedWork } from '../../ui/planned-work.tsx';
import { StickyLine } from '../../ui/sticky-line.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';

/** Says that the object's cluster is not seen now, and why; and that work on it is planned. */
export function ClusterNotice({ cluster }: { readonly cluster: WireObjectPage['cluster'] }) {
  const { state, plannedWork } = cluster;
  return (
    <>
      {state !== 'live' && state !== 'declared' && <Unseen cluster={cluster} />}
      {plannedWork !== null && (
        <StickyLine>
          <PlannedWork where={` on ${cluster.name}`} work={{ ...plannedWork, objects: 0 }} />
        </StickyLine>
      )}
    </>
  );
}

function Unseen({ cluster }: { readonly cluster: WireObjectPage['cluster'] }) {
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
