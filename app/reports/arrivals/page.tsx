import { connection } from 'next/server';
import { ArrivalsScreen } from '#components/reports/arrivals-screen.tsx';
import { RefusedScreen } from '#components/reports/figure-list.tsx';
import { refusalText, singleParams, type Params } from '#components/reports/requested-report.ts';
import { ArrivalsQuery } from '#lib/api/report.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { webRuntime } from '#server/web/runtime-global.ts';
import { GitHere } from '../../git-here.tsx';

interface ArrivalsPageProps {
  readonly searchParams: Promise<Params>;
}

export default async function ArrivalsPage({ searchParams }: ArrivalsPageProps) {
  await connection();
  const params = singleParams(await searchParams, Object.keys(ArrivalsQuery.shape));
  const runtime = webRuntime();
  const summary = runtime.summary();
  const read = ArrivalsQuery.safeParse(params);
  if (!read.success) return <RefusedScreen message={refusalText(read.error)} summary={summary} />;
  const list = await runtime.ask(runtime.endpoints.arrivals, read.data);
  if (isRefused(list)) return <RefusedScreen message={refusalText(list.refused)} summary={summary} />;
  return (
    <GitHere of={list}>
      <ArrivalsScreen list={list} summary={summary} />
    </GitHere>
  );
}
