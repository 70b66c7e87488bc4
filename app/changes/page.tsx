import { connection } from 'next/server';
import { ChangesScreen, NoChangesScreen } from '#components/changes/changes-screen.tsx';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';

interface ChangesPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ChangesPage({ searchParams }: ChangesPageProps) {
  await connection();
  const params = await searchParams;
  const one = (name: string): string => {
    const value = params[name];
    return typeof value === 'string' ? value : '';
  };
  const runtime = webRuntime();
  const changed = await runtime.changed({
    from: one('from'),
    to: one('to'),
    last: one('last'),
    cluster: one('cluster'),
  });
  if (!('type' in changed)) return <ChangesScreen changed={changed} head={runtime.head()} />;
  if (changed.type !== 'unreadable') pageIsNotFound();
  if (changed.type === 'not-there')
    return <NotThereScreen title="What changed" place="history" names={changed.names} head={runtime.head()} />;
  return <NoChangesScreen why={changed} head={runtime.head()} />;
}
