import { connection } from 'next/server';
import { FleetScreen } from '#components/matrix/fleet-screen.tsx';
import { viewFrom } from '#components/matrix/view-from.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { isRefused } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { notThereIn } from '#server/web/sent.ts';

interface FleetPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function FleetPage({ searchParams }: FleetPageProps) {
  await connection();
  const params = await searchParams;
  const runtime = webRuntime();
  const asked = await requestedMoment(runtime, params['at'], { clusters: null });
  if (asked.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={asked.why} summary={runtime.summary()} />;
  }
  const view = viewFrom(params);
  const fleet = await asked.known.ask(runtime.endpoints.fleet, { ...view, causes: 'first' });
  if (!isRefused(fleet)) return <FleetScreen sent={{ view, fleet }} moment={asked.moment} />;
  pageIsNotFound();
  const summary = await asked.known.summary();
  return <NotThereScreen title="Fleet" tab="fleet" names={notThereIn(fleet)} summary={summary} moment={asked.moment} />;
}
