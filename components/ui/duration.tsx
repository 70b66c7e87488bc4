'use client';

import { formatDuration, isoDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';
import { useNow } from './now.tsx';

interface DurationProps {
  /** RFC 3339; the age grows as the page stands open. */
  readonly since: string;
  /** `at-least` if it began before Plumbline was looking: "at least 47 min". */
  readonly bound?: 'exact' | 'at-least';
  readonly className?: string;
}

/** Time since something began: "47 min". */
export function Duration({ since, bound = 'exact', className }: DurationProps) {
  const now = useNow();
  const began = parseTime(since);
  if (began === null) return null;
  const length = Math.max(0, now - began);
  return (
    <time dateTime={isoDuration(length)} className={className}>
      {bound === 'at-least' && 'at least '}
      {formatDuration(length)}
    </time>
  );
}
