'use client';

import type { WireRow } from '#lib/api/fleet.ts';
import { useNow } from '../ui/now.tsx';
import { rowState } from './row-state.ts';

/** How well a cluster is seen: "live", or loud where it is not. */
export function HeadState({ row }: { readonly row: WireRow }) {
  const { text, loud } = rowState(row, useNow());
  return (
    <span className={loud ? 'm-state loud' : 'm-state'} title={row.reason ?? undefined}>
      {text}
    </span>
  );
}
