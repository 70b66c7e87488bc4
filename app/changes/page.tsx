import { connection } from 'next/server';
import { ChangesScreen, NoChangesScreen } from '#components/changes/changes-screen.tsx';
import { addressTexts } from '#components/queries/address-texts.ts';
import { NotThereScreen } from '#components/shell/not-there-screen.tsx';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { GitHere } from '../git-here.tsx';

interface ChangesPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ChangesPage({ searchParams }: ChangesPageProps) {
  await connection();
  const runtime = webRuntime();
  const changed = await runtime.changed(addressTexts(['from', 'to', 'last', 'cluster'], await searchParams));
  if (!('type' in changed))
    return (
      <GitHere of={changed}>
        <ChangesScreen changed={changed} summary={runtime.summary()} />
      </GitHere>
    );
  if (changed.type !== 'unreadable') pageIsNotFound();
  if (changed.type === 'not-there')
    return <NotThereScreen title="What changed" tab="history" names={changed.names} summary={runtime.summary()} />;
  return <NoChangesScreen why={changed} summary={runtime.summary()} />;
}
