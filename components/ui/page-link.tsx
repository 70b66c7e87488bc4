'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import { useLead } from '../shell/moment/moment.tsx';

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & { readonly href: string };

/** A link to a page here, at the moment that this page shows. */
export function PageLink({ href, ...rest }: PageLinkProps) {
  const lead = useLead();
  return <Link href={lead(href)} {...rest} />;
}
