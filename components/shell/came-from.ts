'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

let first: string | null = null;
let left = false;

/** Remembers whether the reader has come to another page since this document was loaded. */
export function useCameFrom(): void {
  const path = usePathname();
  useEffect(() => {
    first ??= path;
    if (path !== first) left = true;
  }, [path]);
}

/** True if going back leads to a page of ours that was left for this one. */
export function cameFromHere(): boolean {
  return left;
}
