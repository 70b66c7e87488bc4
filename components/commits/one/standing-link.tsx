'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import type { WaveState } from '#lib/draw/wave/wave-cluster.ts';

interface StandingLinkProps {
  /** absent: of every one. */
  readonly environment?: string;
  readonly state?: WaveState;
  /** It stands in running text. */
  readonly inText?: true;
  /** It is where keys stop in its row. */
  readonly rowLink?: true;
  readonly children: ReactNode;
}

/** Leads from a number of clusters to exactly these, further down on the page. */
export function StandingLink({ environment, state, inText, rowLink, children }: StandingLinkProps) {
  const path = usePathname();
  const query = new URLSearchParams(useSearchParams().toString());
  query.delete('state');
  for (const [name, value] of [
    ['environment', environment === '' ? '-' : environment],
    ['worst', state],
  ] as const) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return (
    <Link
      className={inText ? 'link' : 'quiet-link'}
      href={`${path}${text === '' ? '' : `?${text}`}#clusters`}
      prefetch={false}
      data-row-link={rowLink}
    >
      {children}
    </Link>
  );
}
