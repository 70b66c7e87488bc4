import { connection } from 'next/server';
import { incidentParamsFrom } from '#components/incidents/incident-filter.ts';
import { IncidentsScreen } from '#components/incidents/incidents-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { RecordUnread } from '#components/record/record-page.tsx';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sent } from '#server/web/sent.ts';

interface IncidentsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function IncidentsPage({ searchParams }: IncidentsPageProps) {
  await connection();
  const runtime = webRuntime();
  const asked = incidentParamsFrom(await searchParams);
  const { params, answer: list, notThere } = await sent(runtime, runtime.endpoints.incidents, asked);
  if (notThere.length > 0) {
    pageIsNotFound();
    return <NotThereScreen title="Incidents" tab="history" names={notThere} summary={runtime.summary()} />;
  }
  if (list === null) return <RecordUnread title="Incidents" summary={runtime.summary()} />;
  return <IncidentsScreen sent={{ params, list }} summary={runtime.summary()} />;
}
