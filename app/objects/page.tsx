import { connection } from 'next/server';
import { filterFrom, filterParams } from '#components/list/list-filter.ts';
import { ListScreen } from '#components/list/list-screen.tsx';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { webRuntime } from '#server/web/slot.ts';

interface ListPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ListPage({ searchParams }: ListPageProps) {
  await connection();
  const filter = filterFrom(await searchParams);
  const runtime = webRuntime();
  const answer = runtime.objects(ObjectFilter.parse(filterParams(filter)));
  if (!('objects' in answer)) throw new Error('A list without a cursor was refused for its cursor.');
  return <ListScreen sent={{ filter, list: answer }} head={runtime.head()} />;
}
