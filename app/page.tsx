import { connection } from 'next/server';
import { FleetScreen } from '#components/matrix/fleet-screen.tsx';
import { viewFrom } from '#components/matrix/view-from.ts';
import { webRuntime } from '#server/web/slot.ts';

interface FleetPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function FleetPage({ searchParams }: FleetPageProps) {
  await connection();
  const view = viewFrom(await searchParams);
  return <FleetScreen sent={{ view, fleet: webRuntime().fleet(view) }} />;
}
