'use client';

import './past.css';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import type { Moment } from '#lib/api/moment.ts';
import { changesPath } from '#lib/api/paths.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { momentText } from '#lib/format/moment.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { addressAt } from './address-at.ts';
import { useBrowserNow } from './feed-age.ts';
import { useKeys } from './keys.ts';
import { TimeForm } from './time-form.tsx';

const minute = 60_000;
const back = [
  ['−1 h', -60 * minute],
  ['−10 min', -10 * minute],
] as const;
const forth = [
  ['+10 min', 10 * minute],
  ['+1 h', 60 * minute],
] as const;

interface PastLineProps {
  readonly moment: Moment;
  /** The cluster that the page is about; null for all. */
  readonly cluster: string | null;
}

/** The head of a page of the past: which moment it shows, the ways to others and back to now. It claims nothing of the present. */
export function PastLine({ moment, cluster }: PastLineProps) {
  const field = useRef<HTMLInputElement>(null);
  const now = useBrowserNow();
  const path = usePathname();
  const query = useSearchParams().toString();
  useKeys({
    t: () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  const at = parseTime(moment.at) ?? 0;
  const to = (other: string | null) => addressAt(path, query, other);
  const step = ([words, by]: readonly [string, number]) =>
    now !== null && at + by > now ? (
      <span key={words} className="past-step off">
        {words}
      </span>
    ) : (
      <Link key={words} className="past-step" href={to(momentText(at + by))} prefetch={false}>
        {words}
      </Link>
    );
  const change = (words: string, other: string | null) =>
    other === null ? (
      <span className="past-step off">{words}</span>
    ) : (
      <Link className="past-step" href={to(other)} prefetch={false}>
        {words}
      </Link>
    );
  return (
    <section aria-label="The moment that is shown" className="past-line">
      <p className="past-words">
        <b>
          As known at <time dateTime={moment.at}>{formatTime(at, now ?? at)}</time>
        </b>
        {now !== null && <span className="screen-only"> {formatDuration(now - at)} ago</span>}
      </p>
      <nav aria-label="Other moments" className="past-steps screen-only">
        {change('Previous change', moment.previous)}
        {back.map(step)}
        {forth.map(step)}
        {change('Next change', moment.next)}
      </nav>
      <div className="past-ways screen-only">
        <TimeForm key={moment.at} value={moment.at} field={field} now={() => Date.now()} />
        <Link
          className="past-step"
          href={changesPath({ from: moment.at, ...(cluster === null ? {} : { cluster }) })}
          prefetch={false}
        >
          What changed since
        </Link>
        {/* Loaded anew: nothing that was kept from before may pass for now. */}
        <a className="past-step past-now" href={to(null)}>
          Back to now
        </a>
      </div>
      <p className="past-kept">
        Kept of then: verdicts, reasons, commits, and what was being observed. Not kept: conditions, exemptions,
        conflicts, controllers, planned work.
      </p>
    </section>
  );
}
