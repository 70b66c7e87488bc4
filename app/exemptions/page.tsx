import { connection } from 'next/server';
import { ExemptionsScreen } from '#components/exemptions/exemptions-screen.tsx';
import { apiParams, filterFrom, tabFrom } from '#components/exemptions/ownership-filter.ts';
import { ConflictFilter } from '#lib/api/conflict.ts';
import { ExemptionFilter } from '#lib/api/exemption.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { isRefused, type Refused } from '#server/web/http/problem.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { notThereIn } from '#server/web/sent.ts';

interface ExemptionsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ExemptionsPage({ searchParams }: ExemptionsPageProps) {
  await connection();
  const params = await searchParams;
  const filter = filterFrom(params);
  const runtime = webRuntime();
  const { conflicts, exemptions } = runtime.endpoints;
  const summary = runtime.summary();
  if (tabFrom(params) === 'conflicts') {
    const list = await runtime.ask(conflicts, ConflictFilter.parse(apiParams('conflicts', filter)));
    if (isRefused(list)) return refused('Conflicts', list, summary);
    return <ExemptionsScreen sent={{ tab: 'conflicts', filter, list }} summary={summary} />;
  }
  const list = await runtime.ask(exemptions, ExemptionFilter.parse(apiParams('exemptions', filter)));
  if (isRefused(list)) return refused('Exemptions', list, summary);
  return <ExemptionsScreen sent={{ tab: 'exemptions', filter, list }} summary={summary} />;
}

function refused(title: string, list: Refused, summary: WireFleetSummary) {
  pageIsNotFound();
  return <NotThereScreen title={title} tab="exemptions" names={notThereIn(list)} summary={summary} />;
}
