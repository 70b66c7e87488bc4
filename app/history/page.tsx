import { connection } from 'next/server';
import { HistoryScreen } from '#components/history/history-screen.tsx';
import { textOf } from '#components/queries/address-texts.ts';
import { recordFilterFrom } from '#components/record/record-filter.ts';
import { historyParams, periodFrom, rowsFor, usualHistory } from '#components/record/shown-period.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sent } from '#server/web/sent.ts';
import { GitHere } from '../git-here.tsx';

interface HistoryPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function HistoryPage({ searchParams }: HistoryPageProps) {
  await connection();
  const search = await searchParams;
  const rows = rowsFor(textOf(search, 'table'));
  const params = { ...historyParams(recordFilterFrom(search), periodFrom(search), usualHistory), ...rows };
  const runtime = webRuntime();
  const { answer: history, notThere } = await sent(runtime, runtime.endpoints.history, params);
  if (notThere.length === 0)
    return (
      <GitHere of={history}>
        <HistoryScreen sent={{ params, history }} summary={runtime.summary()} />
      </GitHere>
    );
  pageIsNotFound();
  return <NotThereScreen title="History" tab="history" names={notThere} summary={runtime.summary()} />;
}
