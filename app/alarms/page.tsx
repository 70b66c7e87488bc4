import { connection } from 'next/server';
import { alarmsParams, filterFrom } from '#components/alarms/alarms-filter.ts';
import { AlarmsScreen } from '#components/alarms/alarms-screen.tsx';
import { RecordUnread } from '#components/record/record-page.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sent } from '#server/web/sent.ts';

interface AlarmsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function AlarmsPage({ searchParams }: AlarmsPageProps) {
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
  const { answer, notThere } = await sent(known, runtime.endpoints.alarms, alarmsParams(filterFrom(search)));
  const summary = await known.summary();
  if (notThere.length > 0) {
    pageIsNotFound();
    return <NotThereScreen title="Alarms" tab="alarms" names={notThere} summary={summary} moment={moment} />;
  }
  if (answer === null) return <RecordUnread title="Alarms" tab="alarms" summary={summary} />;
  const params = alarmsParams(filterFrom(search), at);
  return <AlarmsScreen sent={{ params, answer }} summary={summary} moment={moment} />;
}
