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
