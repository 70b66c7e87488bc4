import { connection } from 'next/server';
import { absenceParamsFrom } from '#components/absences/absence-filter.ts';
import { AbsencesScreen } from '#components/absences/absences-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { RecordUnread } from '#components/record/record-page.tsx';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sent } from '#server/web/sent.ts';
import { GitHere } from '../git-here.tsx';

interface AbsencesPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function AbsencesPage({ searchParams }: AbsencesPageProps) {
  await connection();
  const runtime = webRuntime();
  const asked = absenceParamsFrom(await searchParams);
  const { params, answer: list, notThere } = await sent(runtime, runtime.endpoints.absences, asked);
  if (notThere.length > 0) {
    pageIsNotFound();
    return <NotThereScreen title="Absences" tab="history" names={notThere} summary={runtime.summary()} />;
  }
  if (list === null) return <RecordUnread title="Absences" summary={runtime.summary()} />;
  return (
    <GitHere of={list}>
      <AbsencesScreen sent={{ params, list }} summary={runtime.summary()} />
    </GitHere>
  );
}
