import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { ClusterScreen } from '#components/cluster/cluster-screen.tsx';
import { clusterScopeFrom } from '#components/cluster/cluster-filter.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { MissingCluster } from '#components/object/missing-screen.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { refFromSegments } from '#lib/api/paths.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { notThereIn } from '#server/web/sent.ts';
import { recordOfCluster } from '../record-here.ts';
import { GitHere } from '../../git-here.tsx';

interface ClusterPageProps {
  readonly params: Promise<{ readonly cluster: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ClusterPage({ params, searchParams }: ClusterPageProps) {
  await connection();
  const name = readName((await params).cluster);
  if (name === null) notFound();
  const runtime = webRuntime();
  const search = await searchParams;
  const asked = await requestedMoment(runtime, search['at'], { clusters: [name] });
  if (asked.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={asked.why} summary={runtime.summary()} />;
  }
  const { known, moment } = asked;
  const page = await known.ask(runtime.endpoints.cluster, { name, ...clusterScopeFrom(search) });
  if (isRefused(page)) {
    pageIsNotFound();
    const { refused } = page;
    if (refused.type === 'not-found')
      return <MissingCluster name={name} nearest={refused.nearest} summary={await known.summary()} moment={moment} />;
    return (
      <NotThereScreen
        title={name}
        tab="fleet"
        names={notThereIn(page)}
        summary={await known.summary()}
        moment={moment}
      />
    );
  }
  const record =
    page.cluster.state === 'declared'
      ? null
      : await recordOfCluster({ known, endpoints: runtime.endpoints, search, moment }, name);
  return (
    <GitHere of={[page, record]} lag={moment === null ? { cluster: name } : null}>
      <ClusterScreen page={page} summary={await known.summary()} moment={moment} record={record} />
    </GitHere>
  );
}

/** The cluster that an address names; null where it cannot be read. */
function readName(segment: string): string | null {
  try {
    return refFromSegments({ cluster: segment, group: '', kind: '', namespace: '', name: '' }).cluster;
  } catch {
    return null;
  }
}
