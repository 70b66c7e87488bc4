import { connection } from 'next/server';
import { HistoryScreen } from '#components/history/history-screen.tsx';
import { recordFilterFrom, textOf } from '#components/history/record-filter.ts';
import { historyParams, periodFrom, rowsFor, usualHistory } from '#components/history/shown-period.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { sentHistory } from '#server/web/history/sent.ts';
import { pageIsNotFound } from '#server/web/page-status.ts';
import { webRuntime } from '#server/web/runtime-global.ts';

interface HistoryPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function HistoryPage({ searchParams }: HistoryPageProps) {
  await connection();
  const search = await searchParams;
  const rows = rowsFor(textOf(search, 'table'));
  const params = { ...historyParams(recordFilterFrom(search), periodFrom(search), usualHistory), ...rows };
  const runtime = webRuntime();
  const sent = await sentHistory(runtime, params);
  if (sent.notThere.length === 0) return <HistoryScreen sent={sent} head={runtime.head()} />;
  pageIsNotFound();
  return <NotThereScreen title="History" place="history" names={sent.notThere} head={runtime.head()} />;
}
