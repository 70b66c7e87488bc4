'use client';

import Link from 'next/link';
import type { WireCauseLine } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { AlarmWords } from '../alarm/alarm-words.tsx';
import { Duration } from '../ui/duration.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';

interface CausesProps {
  readonly causes: readonly WireCauseLine[];
  /** How many there are in all. */
  readonly total: number;
}

/** One line a cause: what is at fault, what it takes down, since when, whether anybody was called. */
export function Causes({ causes, total }: CausesProps) {
  if (causes.length === 0) return null;
  const more = total - causes.length;
  // Where nobody's alarm is known, the sentence above has said so once.
  const heard = causes.some(({ alarm }) => alarm !== 'unknown' && alarm !== 'not-due');
  return (
    <ul className="causes" aria-label="Causes">
      {causes.map((line) => (
        <li key={line.key} className="cause">
          <VerdictGlyph verdict={line.verdict} alone />
          <span className="cause-text">
            <Link className="link" href={line.cause.href} prefetch={false}>
              {line.cause.title}
            </Link>{' '}
            <span className="text-mute">
              {line.text}, <Duration since={line.since} bound={line.bound} />
              {heard && line.alarm !== 'not-due' && ', '}
            </span>
            {heard && <AlarmWords state={line.alarm} />}
          </span>
        </li>
      ))}
      {more > 0 && <More count={more} />}
      {causes.length + Math.max(0, more) > 1 && <More count={total - 1} compact />}
    </ul>
  );
}

/** `compact`: on a small screen, where only the worst cause has a line. */
function More({ count, compact = false }: { readonly count: number; readonly compact?: boolean }) {
  return (
    <li className={compact ? 'cause cause-compact' : 'cause cause-more'}>
      <span />
      <span className="cause-text">
        <Link className="link" href="/objects" prefetch={false}>
          and {countOf(count, 'more cause')}
        </Link>
      </span>
    </li>
  );
}
