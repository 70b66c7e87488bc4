import { redirect } from 'next/navigation';
import { connection } from 'next/server';
import { GoScreen } from '#components/go/go-screen.tsx';
import { parseTime } from '#lib/format/time.ts';
import { goAnswer } from '#server/web/go/go-answer.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { webRuntime } from '#server/web/runtime-global.ts';

interface GoPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function GoPage({ searchParams }: GoPageProps) {
  await connection();
  const { params, isWhole } = readParams(await searchParams);
  const runtime = webRuntime();
  const { go, incidents } = runtime.endpoints;
  const summary = runtime.summary();
  const answer = await goAnswer(
    {
      now: parseTime(summary.asOf) ?? 0,
      resolve: (query) => runtime.ask(go, query),
      resolveThen: (moment, query) => moment.ask(go, query),
      incidents: (filter, moment) => (moment === null ? runtime.ask(incidents, filter) : moment.ask(incidents, filter)),
      past: runtime.past,
    },
    params,
  );
  if (answer.target !== null && isWhole) redirect(answer.target);
  const sent = { params, answer };
  const asked = await requestedMoment(runtime, answer.at ?? '', { clusters: null }).catch(() => null);
  if (asked === null || asked.type === 'none') return <GoScreen sent={sent} summary={summary} moment={null} />;
  return <GoScreen sent={sent} summary={await asked.known.summary()} moment={asked.moment} />;
}

/** The labels of an address; one that it gives twice is left out, as the page says. `isWhole`: there is none. */
function readParams(search: Awaited<GoPageProps['searchParams']>) {
  const once = Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const params: Readonly<Record<string, string>> = Object.fromEntries(once);
  return { params, isWhole: once.length === Object.keys(search).length };
}
