'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { unreadParams } from '#lib/api/page-params.ts';
import { StickyLine } from '../ui/sticky-line.tsx';

const shown = 4;

/** Part of the address that the page leaves out: what it shows is not filtered by that. */
export function UnreadParams() {
  const unread = unreadParams(usePathname(), new URLSearchParams(useSearchParams().toString()));
  if (unread.length === 0) return null;
  const told = unread.slice(0, shown).map(({ name, value, message }) => `${name}=${value.slice(0, 60)} ${message}`);
  return (
    <StickyLine tone="warn">
      The address holds what this page cannot read and leaves out: {told.join('; ')}
      {unread.length > shown && `; and ${unread.length - shown} more`}.
    </StickyLine>
  );
}
