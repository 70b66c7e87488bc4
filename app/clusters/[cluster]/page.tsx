import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { ClusterScreen } from '#components/cluster/cluster-screen.tsx';
import { MissingCluster } from '#components/object/missing-screen.tsx';
import { refFromSegments } from '#lib/api/paths.ts';
import { pageIsNotFound } from '#server/web/page-status.ts';
import { webRuntime } from '#server/web/slot.ts';

interface ClusterPageProps {
  readonly params: Promise<{ readonly cluster: string }>;
}

export default async function ClusterPage({ params }: ClusterPageProps) {
  await connection();
  const name = readName((await params).cluster);
  if (name === null) notFound();
  const runtime = webRuntime();
  const page = runtime.clusterPage(name);
  if ('type' in page) {
    pageIsNotFound();
    return <MissingCluster name={name} nearest={page.nearest} head={runtime.head()} />;
  }
  return <ClusterScreen page={page} head={runtime.head()} />;
}

/** The cluster that an address names; null where it cannot be read. */
function readName(segment: string): string | null {
  try {
    return refFromSegments({ cluster: segment, group: '', kind: '', namespace: '', name: '' }).cluster;
  } catch {
    return null;
  }
}
