import type { ReactNode } from 'react';

interface StickyLineProps {
  /** `warn` is for what the reader must know before believing the page. */
  readonly tone?: 'quiet' | 'warn';
  readonly children: ReactNode;
}

/** One line that stays in sight: what is missing, lost or in trouble. */
export function StickyLine({ tone = 'quiet', children }: StickyLineProps) {
  const ground = tone === 'warn' ? 'bg-tint-unhealthy text-ink' : 'bg-raised text-mute';
  return (
    <p className={`flex min-h-7 flex-wrap items-center gap-x-2 border-b border-rule px-gutter py-1 ${ground}`}>
      {children}
    </p>
  );
}

interface OldLineProps {
  /** Said of the thing that is gone, "This cluster is no longer configured."; null while it is there. */
  readonly gone: string | null;
  /** Why the page could not be asked for again; null where it could. */
  readonly error: Error | null;
}

/** Says of a page of one thing that it is of before, and why. */
export function OldLine({ gone, error }: OldLineProps) {
  if (gone === null)
    return error !== null && <StickyLine tone="warn">{error.message} What stands here is from before.</StickyLine>;
  return (
    <StickyLine tone="warn">
      <b>{gone}</b> What stands here is what was last known of it.
    </StickyLine>
  );
}
