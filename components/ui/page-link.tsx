'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import { useLead } from '../shell/moment/moment.tsx';
import type { WireSaid } from '#lib/api/object.ts';

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & { readonly href: string };

/** A link to a page here, at the moment that this page shows. */
export function PageLink({ href, ...rest }: PageLinkProps) {
  const lead = useLead();
  return <Link href={lead(href)} {...rest} />;
}

/** A sentence in its pieces; each number of objects leads to the list of them. */
export function SaidParts({ parts }: { readonly parts: readonly WireSaid[] }) {
  return parts.map(({ text, href }, at) =>
    href === null ? (
      text
    ) : (
      // Pieces have no name of their own, and stand where they stand.
      <PageLink
        key={`${at} ${href}`}
        className="underline decoration-field decoration-1 underline-offset-3"
        href={href}
        prefetch={false}
      >
        {text}
      </PageLink>
    ),
  );
}
