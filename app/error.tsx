'use client';

import Link from 'next/link';
import { PageFrame } from '#components/shell/page-frame.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';

interface ErrorPageProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const id = error.digest ?? error.message;
  return (
    <PageFrame title="This page failed" tab={null} topic={null} summary={null}>
      <EmptyState
        whole
        title="This page could not be made. What it shows is not known now; nothing was changed anywhere."
      >
        <p className="mt-2 text-mute">
          Collecting and alarms do not depend on it. The log of the web process has more under this id:
        </p>
        <p className="mt-3 flex items-center gap-3">
          <code>{id}</code>
          <CopyButton text={id} what="the id" />
        </p>
        <p className="mt-4 flex gap-4">
          <button type="button" className="link" onClick={reset}>
            Try again
          </button>
          <Link className="link" href="/">
            Fleet
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  );
}
