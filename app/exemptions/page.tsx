import { connection } from 'next/server';
import { ExemptionsScreen } from '#components/exemptions/exemptions-screen.tsx';
import { apiParams, filterFrom, tabFrom } from '#components/exemptions/ownership-filter.ts';
import { ConflictFilter } from '#lib/api/conflict.ts';
import { ExemptionFilter } from '#lib/api/exemption.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { WireNotThere } from '#lib/api/not-there.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { pageIsNotFound } from '#server/web/page-status.ts';
import { webRuntime } from '#server/web/runtime-global.ts';

interface ExemptionsPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ExemptionsPage({ searchParams }: ExemptionsPageProps) {
  await connection();
  const params = await searchParams;
  const filter = filterFrom(params);
  const runtime = webRuntime();
  const head = runtime.head();
  const refused = 'A list without a cursor was refused for its cursor.';
  if (tabFrom(params) === 'conflicts') {
    const list = runtime.conflicts(ConflictFilter.parse(apiParams('conflicts', filter)));
    if ('names' in list) return notThere('Conflicts', list.names, head);
    if (!('rows' in list)) throw new Error(refused);
    return <ExemptionsScreen sent={{ tab: 'conflicts', filter, list }} head={head} />;
  }
  const list = runtime.exemptions(ExemptionFilter.parse(apiParams('exemptions', filter)));
  if ('names' in list) return notThere('Exemptions', list.names, head);
  if (!('rows' in list)) throw new Error(refused);
  return <ExemptionsScreen sent={{ tab: 'exemptions', filter, list }} head={head} />;
}

function notThere(title: string, names: readonly WireNotThere[], head: WireFleetSummary) {
  pageIsNotFound();
  return <NotThereScreen title={title} place="exemptions" names={names} head={head} />;
}
