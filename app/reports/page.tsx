import { connection } from 'next/server';
import { askedFrom, refusalText, type Asked, type Params } from '#components/reports/requested-report.ts';
import { ReportScreen, type SentReport } from '#components/reports/report-screen.tsx';
import { ReportQuery } from '#lib/api/report.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { webRuntime } from '#server/web/runtime-global.ts';

interface ReportsPageProps {
  readonly searchParams: Promise<Params>;
}

export default async function ReportsPage({ searchParams }: ReportsPageProps) {
  await connection();
  const asked = askedFrom(await searchParams);
  const runtime = webRuntime();
  const known = await runtime.ask(runtime.endpoints.clusters, {});
  const clusters = isRefused(known) ? [] : known.clusters;
  const labels = new Set(clusters.flatMap((cluster) => Object.entries(cluster.labels).map((pair) => pair.join('='))));
  const offer = { clusters: clusters.map(({ name }) => name), labels: [...labels].toSorted() };
  return <ReportScreen sent={{ asked, answer: await answerTo(asked) }} offer={offer} summary={runtime.summary()} />;
}

async function answerTo(asked: Asked): Promise<SentReport['answer']> {
  const read = ReportQuery.safeParse(asked);
  if (!read.success) return { type: 'none', message: refusalText(read.error) };
  const { ask, endpoints } = webRuntime();
  const report = await ask(endpoints.report, { ...read.data, format: 'json' });
  return isRefused(report) ? { type: 'none', message: refusalText(report.refused) } : { type: 'report', report };
}
