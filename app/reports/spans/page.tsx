import { connection } from 'next/server';
import { RefusedScreen } from '#components/reports/figure-list.tsx';
import { refusalText, singleParams, type Params } from '#components/reports/requested-report.ts';
import { SpansScreen } from '#components/reports/spans-screen.tsx';
import { SpansQuery } from '#lib/api/report.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { webRuntime } from '#server/web/runtime-global.ts';

interface SpansPageProps {
  readonly searchParams: Promise<Params>;
}

export default async function SpansPage({ searchParams }: SpansPageProps) {
  await connection();
  const { cursor: _ignored, ...params } = singleParams(await searchParams, Object.keys(SpansQuery.shape));
  const runtime = webRuntime();
  const summary = runtime.summary();
  const read = SpansQuery.safeParse(params);
  if (!read.success) return <RefusedScreen message={refusalText(read.error)} summary={summary} />;
  const list = await runtime.ask(runtime.endpoints.spans, read.data);
  if (isRefused(list)) return <RefusedScreen message={refusalText(list.refused)} summary={summary} />;
  return <SpansScreen params={params} list={list} summary={summary} />;
}
