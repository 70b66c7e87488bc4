import type { WireObjectPage } from '#lib/api/object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { PageLink as Link } from '../page-link.tsx';

/** Where the page stands: fleet / environment / cluster. */
export function Crumbs({ cluster }: { readonly cluster: Pick<WireObjectPage['cluster'], 'name' | 'labels'> }) {
  const environment = cluster.labels['environment'];
  return (
    <nav aria-label="Where this is" className="pt-3 text-mute [&_a:hover]:text-ink">
      <Link href="/">fleet</Link>
      {environment !== undefined && (
        <>
          {' / '}
          <Link href={`/?label=${encodeURIComponent(`environment=${environment}`)}`} prefetch={false}>
            {environment}
          </Link>
        </>
      )}
      {' / '}
      <Link href={clusterPath(cluster.name)} prefetch={false}>
        {cluster.name}
      </Link>
    </nav>
  );
}
