import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** What stands where nothing is to be shown: why, and what to do. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="max-w-[74ch] px-gutter py-8">
      <p className="text-say">{title}</p>
      {children}
    </div>
  );
}
