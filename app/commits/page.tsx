import { connection } from 'next/server';
import { commitsFilterFrom, commitsParams } from '#components/commits/commits-filter.ts';
import { CommitsScreen } from '#components/commits/commits-screen.tsx';
import { CommitsThen } from '#components/commits/commits-then.tsx';
import { MissingRepository } from '#components/commits/missing-commit.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { CommitsQuery, type WireCommitList } from '#lib/api/commit.ts';
import { gitIsLate } from '#server/web/git/patience.ts';
import { isRefused, problemOf } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';

interface CommitsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function CommitsPage({ searchParams }: CommitsPageProps) {
  await connection();
  const search = await searchParams;
  const runtime = webRuntime();
  const then = await requestedMoment(runtime, search['at'], { clusters: null });
  if (then.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={then.why} summary={runtime.summary()} />;
  }
  if (then.moment !== null) return <CommitsThen summary={await then.known.summary()} moment={then.moment} />;
  const params = commitsParams(commitsFilterFrom(search));
  const asked = runtime.ask(runtime.endpoints.commits, CommitsQuery.parse(params));
  const summary = runtime.summary();
  const list = (await runtime.patience.whole.inTime(asked)) ?? notYet(summary.asOf);
  if (!isRefused(list)) return <CommitsScreen sent={{ params, list }} summary={summary} />;
  pageIsNotFound();
  return <MissingRepository why={problemOf(list.refused).detail} summary={summary} />;
}

/** The list before git has answered: the screen asks again by itself. */
function notYet(asOf: string): WireCommitList {
  return { asOf, repositories: [], of: null, rows: [], reason: gitIsLate, nextCursor: null };
}
