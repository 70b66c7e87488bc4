'use client';

import { useSyncExternalStore } from 'react';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { useLive } from './live/live.tsx';
import { useMoment } from './moment/moment.tsx';

function never(): () => void {
  return () => {};
}

/** On paper: which page this is, of when, and how much of the fleet it saw. `permalink`: the path that always leads to the same. */
export function PaperFoot({ permalink }: { readonly permalink: string | null }) {
  const { head, state } = useLive();
  const moment = useMoment();
  const url = useSyncExternalStore(
    never,
    () => (permalink === null ? location.href : location.origin + permalink),
    () => '',
  );
  // Always with its year: paper outlives it.
  const at = parseTime(state?.serverTime ?? head?.asOf ?? '');
  return (
    <footer className="paper-only mt-6 break-before-avoid border-t border-rule px-gutter py-2 text-small text-mute">
      {url} {at !== null && `${moment === null ? 'as of' : 'as known at'} ${formatTime(at, 0)}`}
      {head !== null &&
        `; ${formatCount(head.guarantee.clusters.total - head.guarantee.clusters.unseen)} of ${countOf(head.guarantee.clusters.total, 'cluster')} seen`}
      {head?.simulated === true && '; simulated fleet'}
    </footer>
  );
}
