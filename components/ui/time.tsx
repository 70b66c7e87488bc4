'use client';

import { useId, useState } from 'react';
import { formatClock, formatTime, parseTime } from '#lib/format/time.ts';
import { useNow } from './now.tsx';
import { formatDuration, isoDuration } from '#lib/format/duration.ts';

interface TimeProps {
  /** RFC 3339. */
  readonly at: string;
  /** `clock` leaves the day out: "02:59:14 UTC". */
  readonly as?: 'full' | 'clock';
  readonly className?: string;
}

function localTime(ms: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(ms);
}

/** A time in UTC; the reader's own time shows on hover and focus. */
export function Time({ at, as = 'full', className = '' }: TimeProps) {
  const now = useNow();
  const id = useId();
  const [local, setLocal] = useState<string | null>(null);
  const ms = parseTime(at);
  if (ms === null) return <span className={className}>{at}</span>;
  const show = () => setLocal(localTime(ms));
  const hide = () => setLocal(null);
  return (
    <span className="relative inline-block">
      <button
        type="button"
        aria-describedby={local === null ? undefined : id}
        className={`cursor-[inherit] text-left ${className}`}
        onMouseEnter={show}
        onMouseLeave={hide}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || local === null) return;
          // Its own: it leads nowhere else.
          event.preventDefault();
          hide();
        }}
      >
        <time dateTime={at}>{as === 'clock' ? formatClock(ms) : formatTime(ms, now)}</time>
      </button>
      {local !== null && (
        <span
          id={id}
          role="tooltip"
          className="absolute top-full left-0 z-40 border border-field bg-raised px-2 py-0.5 font-sans text-small font-normal whitespace-nowrap text-ink"
        >
          {local}
        </span>
      )}
    </span>
  );
}

/** A time in UTC in a list of many: no stop for the keyboard on every line. */
export function ListedTime({ at }: { readonly at: string }) {
  const now = useNow();
  const ms = parseTime(at);
  return ms === null ? at : <time dateTime={at}>{formatTime(ms, now)}</time>;
}

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
