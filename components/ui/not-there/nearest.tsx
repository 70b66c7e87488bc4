import type { WireRef } from '#lib/api/object.ts';
import { clusterPath, objectPath } from '#lib/api/paths.ts';
import { OfKind } from '../of-kind.tsx';
import { PageLink as Link } from '../page-link.tsx';

/** Objects that may have been meant, or clusters where a reference has no name, each a link. */
export function NearestList({ nearest }: { readonly nearest: readonly WireRef[] }) {
  return (
    <ul className="mt-1">
      {nearest.map((ref) =>
        ref.name === '' ? (
          <li key={ref.cluster} className="py-1">
            <Link className="link" href={clusterPath(ref.cluster)}>
              {ref.cluster}
            </Link>
          </li>
        ) : (
          <li key={objectPath(ref)} className="py-1">
            <Link className="link" href={objectPath(ref)}>
              {ref.name} on {ref.cluster}
            </Link>{' '}
            <OfKind of={ref} />
          </li>
        ),
      )}
    </ul>
  );
}
