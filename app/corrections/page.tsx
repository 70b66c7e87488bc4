import { connection } from 'next/server';
import { correctionParamsFrom } from '#components/corrections/correction-filter.ts';
import { CorrectionsScreen } from '#components/corrections/corrections-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { RecordUnread } from '#components/record/record-page.tsx';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sent } from '#server/web/sent.ts';

interface CorrectionsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function CorrectionsPage({ searchParams }: CorrectionsPageProps) {
  await connection();
  const runtime = webRuntime();
  const asked = correctionParamsFrom(await searchParams);
  const { params, answer: list, notThere } = await sent(runtime, runtime.endpoints.corrections, asked);
  if (notThere.length > 0) {
    pageIsNotFound();
    return <NotThereScreen title="Corrections" tab="history" names={notThere} summary={runtime.summary()} />;
  }
  if (list === null) return <RecordUnread title="Corrections" summary={runtime.summary()} />;
  return <CorrectionsScreen sent={{ params, list }} summary={runtime.summary()} />;
}
