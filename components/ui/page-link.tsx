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

interface CauseLinkProps {
  /** Its page; null of a cause outside of the viewer's view. */
  readonly href: string | null;
  readonly title: string;
  readonly className: string;
}

/** Name of a cause, which leads to its page where it may be seen. */
export function CauseLink({ href, title, className }: CauseLinkProps) {
  if (href === null) return <span>{title}</span>;
  return (
    <PageLink className={className} href={href} prefetch={false}>
      {title}
    </PageLink>
  );
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
