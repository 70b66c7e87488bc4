import { connection } from 'next/server';
import { incidentParamsFrom } from '#components/incidents/incident-filter.ts';
import { IncidentsScreen } from '#components/incidents/incidents-screen.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { RecordUnread } from '#components/record/record-page.tsx';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sent } from '#server/web/sent.ts';
import { suspectedIn } from '#components/suspects/suspected-in.ts';
import { GitHere } from '../git-here.tsx';
import { sentSuspects } from '../sent-suspects.ts';

interface IncidentsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function IncidentsPage({ searchParams }: IncidentsPageProps) {
  await connection();
  const search = await searchParams;
  const runtime = webRuntime();
  const asked = await requestedMoment(runtime, search['at'], { clusters: null });
  if (asked.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={asked.why} summary={runtime.summary()} />;
  }
  const { known, moment } = asked;
  const at = moment === null ? {} : { at: moment.at };
  const list = await sent(known, runtime.endpoints.incidents, incidentParamsFrom(search, at));
  const summary = await known.summary();
  const { params, answer, notThere } = list;
  if (notThere.length > 0) {
    pageIsNotFound();
    return <NotThereScreen title="Incidents" tab="incidents" names={notThere} summary={summary} moment={moment} />;
  }
  if (answer === null) return <RecordUnread title="Incidents" tab="incidents" summary={summary} />;
  const suspects = await sentSuspects({ known, runtime, moment }, { incident: suspectedIn(answer.rows) });
  return (
    <GitHere of={answer}>
      <IncidentsScreen sent={{ params, list: answer, suspects }} summary={summary} moment={moment} />
    </GitHere>
  );
}
