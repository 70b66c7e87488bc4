'use client';

import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';
import { useMovingNow } from '../../ui/now.tsx';
import { Time } from '../../ui/time.tsx';
import { useLive } from './live.tsx';
import { useMoment } from '../moment/moment.tsx';

/** "As of 02:59:14 UTC, live": of when the page is, and whether that is now. */
export function FeedClock() {
  const { head, state } = useLive();
  const moment = useMoment();
  const now = useMovingNow();
  const at = state?.serverTime ?? head?.asOf;
  // The head of a page of the past says of when it is, and nothing on it is live.
  if (at === undefined || moment !== null) return null;
  const age = now - (parseTime(at) ?? now);
  const lastWord = parseTime(state?.lastWordAt ?? head?.lastWordAt ?? '');
  return (
    <span className="whitespace-nowrap">
      <span className="max-sm:sr-only">As of </span>
      <Time at={at} as="clock" />
      <span className={age > 25_000 ? 'font-medium text-ink' : 'max-sm:sr-only'}>
        , {wordOf(age, lastWord === null ? null : now - lastWord, state?.connection)}
      </span>
    </span>
  );
}

function wordOf(age: number, silence: number | null, connection: string | undefined): string {
  if (age > 25_000) return `${formatDuration(age)} old`;
  if (connection !== 'open') return 'connecting';
  if (silence === null) return 'nothing heard from the clusters yet';
  return silence > 60_000 ? `nothing heard from the clusters for ${formatDuration(silence)}` : 'live';
}
