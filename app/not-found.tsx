import Link from 'next/link';
import { connection } from 'next/server';
import { PageFrame } from '#components/shell/page-frame.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { webRuntime } from '#server/web/runtime-global.ts';

export default async function NotFound() {
  await connection();
  return (
    <PageFrame title="Not found" tab={null} summary={webRuntime().summary()}>
      <EmptyState whole title="There is no page at this address.">
        <p className="mt-2 text-mute">
          The link may come from another version, or what it led to was never seen. The{' '}
          <Link className="link" href="/">
            fleet
          </Link>{' '}
          and the list of all{' '}
          <Link className="link" href="/objects">
            objects
          </Link>{' '}
          are here.
        </p>
      </EmptyState>
    </PageFrame>
  );
}
