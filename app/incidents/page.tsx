import { connection } from 'next/server';
import { incidentParamsFrom } from '#components/incidents/incident-filter.ts';
import { IncidentsScreen } from '#components/incidents/incidents-screen.tsx';
import { RecordUnread } from '#components/history/record-unread.tsx';
import { sentIncidents } from '#server/web/history/sent.ts';
import { webRuntime } from '#server/web/slot.ts';

interface IncidentsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function IncidentsPage({ searchParams }: IncidentsPageProps) {
  await connection();
  const runtime = webRuntime();
  const { params, list } = await sentIncidents(runtime, incidentParamsFrom(await searchParams));
  if (list === null) return <RecordUnread title="Incidents" head={runtime.head()} />;
  return <IncidentsScreen sent={{ params, list }} head={runtime.head()} />;
}
