import { connection } from 'next/server';
import { AwaitedComparison } from '#components/compare/awaited-comparison.tsx';
import { compareParams } from '#components/compare/compare-params.ts';
import { CompareScreen } from '#components/compare/compare-screen.tsx';
import { MissingRepository } from '#components/commits/missing-commit.tsx';
import { CompareQuery } from '#lib/api/git/compare.ts';
import { gitIsLate } from '#server/web/git/patience.ts';
import { isRefused, problemOf } from '#server/web/http/problem.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';

interface ComparePageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ComparePage({ searchParams }: ComparePageProps) {
  await connection();
  const params = compareParams(await searchParams);
  const runtime = webRuntime();
  const asked = runtime.ask(runtime.endpoints.compare, CompareQuery.parse(params));
  const summary = runtime.summary();
  const page = await runtime.patience.whole.inTime(asked);
  if (page === null) return <AwaitedComparison params={params} reason={gitIsLate} summary={summary} />;
  if (!isRefused(page)) return <CompareScreen sent={{ params, page }} summary={summary} />;
  pageIsNotFound();
  return <MissingRepository why={problemOf(page.refused).detail} summary={summary} />;
}
