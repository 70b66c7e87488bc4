import { connection } from 'next/server';
import { correctionParamsFrom } from '#components/corrections/correction-filter.ts';
import { CorrectionsScreen } from '#components/corrections/corrections-screen.tsx';
import { RecordUnread } from '#components/history/record-unread.tsx';
import { sentCorrections } from '#server/web/history/sent.ts';
import { webRuntime } from '#server/web/slot.ts';

interface CorrectionsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function CorrectionsPage({ searchParams }: CorrectionsPageProps) {
  await connection();
  const runtime = webRuntime();
  const { params, list } = await sentCorrections(runtime, correctionParamsFrom(await searchParams));
  if (list === null) return <RecordUnread title="Corrections" head={runtime.head()} />;
  return <CorrectionsScreen sent={{ params, list }} head={runtime.head()} />;
}
