'use client';

import './past.css';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { Moment } from '#lib/api/moment.ts';
import { changesPath } from '#lib/api/paths.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { momentText } from '#lib/format/moment.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { minute } from '#lib/domain/time/length.ts';
import { addressAt } from '../address.ts';
import { useBrowserNow } from '../live/feed-age.ts';

const steps = [
  ['−1 h', -60 * minute],
  ['−10 min', -10 * minute],
  ['+10 min', 10 * minute],
  ['+1 h', 60 * minute],
] as const;

interface PastLineProps {
  readonly moment: Moment;
  /** The cluster that the page is about; null for all. */
  readonly cluster: string | null;
  /** Asks for another moment. */
  readonly onTime: () => void;
}

/** The line at the top of a page of the past: which moment it shows, the ways to others and back to now. It claims nothing of the present. */
export function PastLine({ moment, cluster, onTime }: PastLineProps) {
  const now = useBrowserNow();
  const path = usePathname();
  const query = useSearchParams().toString();
  const at = parseTime(moment.at) ?? 0;
  const to = (other: string | null) => addressAt(path, query, other);
  return (
    <section aria-label="The moment that is shown" className="past-line">
      <p className="past-words">
        <b className="font-medium">
          As known at <time dateTime={moment.at}>{formatTime(at, now ?? at)}</time>
        </b>
        {now !== null && <span className="screen-only">, {formatDuration(now - at)} ago</span>}
      </p>
      <nav aria-label="Other moments" className="past-steps screen-only">
        <Step words="Previous change" href={moment.previous === null ? null : to(moment.previous)} />
        {steps.map(([words, by]) => (
          <Step key={words} words={words} href={now !== null && at + by > now ? null : to(momentText(at + by))} />
        ))}
        <Step words="Next change" href={moment.next === null ? null : to(moment.next)} />
        <button type="button" className="past-step" onClick={onTime}>
          Another time
        </button>
      </nav>
      <div className="past-ways screen-only">
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
        Kept of then: verdicts, reasons, commits, and what was being observed. Not kept: alarms, conditions, exemptions,
        conflicts, controllers, planned work.
      </p>
    </section>
  );
}

interface StepProps {
  readonly words: string;
  /** null where it leads nowhere. */
  readonly href: string | null;
}

function Step({ words, href }: StepProps) {
  if (href === null) return <span className="past-step off">{words}</span>;
  return (
    <Link className="past-step" href={href} prefetch={false}>
      {words}
    </Link>
  );
}
