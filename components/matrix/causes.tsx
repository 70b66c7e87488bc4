'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireCauseLine } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { fleetQuery } from '../queries/fleet.ts';
import { useAtParam } from '../shell/moment.tsx';
import { AlarmWords } from '../alarm/alarm-words.tsx';
import { Duration } from '../ui/duration.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';

interface CausesProps {
  readonly causes: readonly WireCauseLine[];
  /** How many there are in all. */
  readonly total: number;
}

/** One line a cause: what is at fault, what it takes down, since when, whether anybody was called. */
export function Causes({ causes: first, total }: CausesProps) {
  const [open, setOpen] = useState(false);
  const at = useAtParam();
  const all = useQuery({
    ...fleetQuery({ causes: 'all', ...at }),
    enabled: open,
    ...(at.at === undefined ? { refetchInterval: 10_000 } : {}),
  });
  const causes = open && all.data ? all.data.head.causes : first;
  if (causes.length === 0) return null;
  const more = total - causes.length;
  const toggle = (): void => setOpen(!open);
  // Where nobody's alarm is known, the sentence above has said so once.
  const heard = causes.some(({ alarm }) => alarm !== 'unknown' && alarm !== 'not-due');
  return (
    <ul className={open ? 'causes causes-open' : 'causes'} aria-label="Causes">
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
      {open && causes.length > 1 && <More text="Show the first only" open toggle={toggle} />}
      {!open && more > 0 && <More text={`and ${countOf(more, 'more cause')}`} toggle={toggle} />}
      {!open && total > 1 && <More text={`and ${countOf(total - 1, 'more cause')}`} toggle={toggle} compact />}
    </ul>
  );
}

interface MoreProps {
  readonly text: string;
  readonly toggle: () => void;
  readonly open?: boolean;
  /** On a small screen, where only the worst cause has a line. */
  readonly compact?: boolean;
}

function More({ text, toggle, open = false, compact = false }: MoreProps) {
  return (
    <li className={compact ? 'cause cause-compact' : 'cause cause-more'}>
      <span />
      <span className="cause-text">
        <button type="button" className="link" aria-expanded={open} onClick={toggle}>
          {text}
        </button>
      </span>
    </li>
  );
}
