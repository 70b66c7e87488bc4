import type { ReactNode } from 'react';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import type { WireRef, WireTransition } from '#lib/api/object.ts';
import { clusterPath, listPath } from '#lib/api/paths.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LastSeen } from '../ui/not-there/last-seen.tsx';
import { NearestList } from '../ui/not-there/nearest.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';

interface MissingObjectProps {
  /** Object that the address names. */
  readonly wanted: WireRef;
  /** Objects that may have been meant. */
  readonly nearest: readonly WireRef[];
  /** The last change that is recorded of it; absent where it was never seen. */
  readonly last?: WireTransition | undefined;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

/** The page of an object that is not there: what may have been meant, and where to look. */
export function MissingObject({ wanted, nearest, last, summary, moment }: MissingObjectProps) {
  const { cluster, kind, namespace, name } = wanted;
  const named = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  const clusterOnly = nearest.every((ref) => ref.name === '');
  const known = !(clusterOnly && nearest.length > 0);
  return (
    <PageFrame title="Not found" tab={null} summary={summary} moment={moment}>
      <EmptyState
        whole
        title={`${moment === null ? 'There is' : 'As known then, there was'} no ${known ? `${named} on ${cluster}` : `cluster ${cluster}`}.`}
      >
        {last !== undefined ? (
          <p className="mt-2">
            <LastSeen last={last} />
          </p>
        ) : (
          <p className="mt-2 text-mute">
            {moment !== null
              ? 'It may have come later, or have been removed before.'
              : known
                ? 'It may have been removed before anything was recorded, or not been seen yet.'
                : 'It may have been renamed, or is no longer configured.'}
          </p>
        )}
        <Nearest nearest={nearest} />
        <Ways>
          {known && (
            <Link className="link" href={clusterPath(cluster)}>
              Everything on {cluster}
            </Link>
          )}
          <Link className="link" href={listPath({ kind, name })}>
            {kind} {name} on every cluster
          </Link>
          <Link className="link" href="/">
            Fleet
          </Link>
        </Ways>
      </EmptyState>
    </PageFrame>
  );
}

/** The page of a cluster that is not there. */
export function MissingCluster({
  name,
  nearest,
  summary,
  moment,
}: { readonly name: string } & Omit<MissingObjectProps, 'wanted'>) {
  return (
    <PageFrame title="Not found" tab={null} summary={summary} moment={moment}>
      <EmptyState whole title={`${moment === null ? 'There is' : 'As known then, there was'} no cluster ${name}.`}>
        <p className="mt-2 text-mute">
          {moment === null ? 'It may have been renamed, or is no longer configured.' : 'It may have come later.'}
        </p>
        <Nearest nearest={nearest} />
        <Ways>
          <Link className="link" href={listPath({ q: name })}>
            Objects with that in their name
          </Link>
          <Link className="link" href="/">
            Fleet
          </Link>
        </Ways>
      </EmptyState>
    </PageFrame>
  );
}

function Nearest({ nearest }: { readonly nearest: readonly WireRef[] }) {
  if (nearest.length === 0) return <p className="mt-3">Nothing has a name like it.</p>;
  return (
    <>
      <p className="mt-3">Perhaps one of these was meant:</p>
      <NearestList nearest={nearest} />
    </>
  );
}

function Ways({ children }: { readonly children: ReactNode }) {
  return <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1">{children}</p>;
}
