import { connection } from 'next/server';
import { filterFrom, filterParams } from '#components/list/list-filter.ts';
import { ListScreen } from '#components/list/list-screen.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { notThereIn } from '#server/web/sent.ts';
import { GitHere } from '../git-here.tsx';

interface ListPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ListPage({ searchParams }: ListPageProps) {
  await connection();
  const params = await searchParams;
  const filter = filterFrom(params);
  const runtime = webRuntime();
  const asked = await requestedMoment(runtime, params['at'], { clusters: null });
  if (asked.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={asked.why} summary={runtime.summary()} />;
  }
  const { known, moment } = asked;
  const list = await known.ask(runtime.endpoints.objects, ObjectFilter.parse(filterParams(filter)));
  const summary = await known.summary();
  if (!isRefused(list))
    return (
      <GitHere of={list}>
        <ListScreen sent={{ filter, list }} summary={summary} moment={moment} />
      </GitHere>
    );
  pageIsNotFound();
  return <NotThereScreen title="Objects" tab="objects" names={notThereIn(list)} summary={summary} moment={moment} />;
}
