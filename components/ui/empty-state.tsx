import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** Where it is all that the page says, its title is the page's heading. */
  readonly whole?: boolean;
  readonly children?: ReactNode;
}

/** State where nothing is to be shown: why, and what to do. */
export function EmptyState({ title, whole = false, children }: EmptyStateProps) {
  return (
    <div className="max-w-[74ch] px-gutter py-8">
      {whole ? <h1 className="text-say">{title}</h1> : <p className="text-say">{title}</p>}
      {children}
    </div>
  );
}
