import { connection } from 'next/server';
import { IncidentScreen } from '#components/incidents/incident-screen.tsx';
import { MissingIncident } from '#components/incidents/missing-incident.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { RecordUnread } from '#components/record/record-page.tsx';
import { IncidentQuery } from '#lib/api/incident.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { GitHere } from '../../git-here.tsx';
import { sentSuspects } from '../../sent-suspects.ts';

interface IncidentPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function IncidentPage({ params, searchParams }: IncidentPageProps) {
  await connection();
  const { id } = await params;
  const runtime = webRuntime();
  const asked = await requestedMoment(runtime, (await searchParams)['at'], { clusters: null });
  if (asked.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={asked.why} summary={runtime.summary()} />;
  }
  const { known, moment } = asked;
  const summary = await known.summary();
  const query = IncidentQuery.safeParse({ id });
  const page = query.success ? await known.ask(runtime.endpoints.incident, query.data) : null;
  if (page === null || (isRefused(page) && page.refused.type === 'not-found')) {
    pageIsNotFound();
    return <MissingIncident id={id} summary={summary} moment={moment} />;
  }
  if (isRefused(page)) return <RecordUnread title="Incident" tab="incidents" summary={summary} />;
  const asking = moment === null ? { id } : { id, at: moment.at };
  const { incident } = page;
  const suspects =
    incident.range === null ? null : await sentSuspects({ known, runtime, moment }, { incident: incident.id });
  return (
    <GitHere of={page}>
      <IncidentScreen sent={{ params: asking, page, suspects }} summary={summary} moment={moment} />
    </GitHere>
  );
}
