'use client';

import type { WireObjectPage } from '#lib/api/object.ts';
import { stripTicks, type StripSpan } from '#lib/draw/strip.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { formatShare } from '#lib/format/number.ts';
import { formatClock, formatDay, parseTime } from '#lib/format/time.ts';
import { useFeedAge } from '../shell/feed-age.ts';
import { useLive } from '../shell/live.tsx';
import { useNow } from '../ui/now.tsx';
import { SectionHead } from '../ui/section-head.tsx';
import { sharesOf, spansOf, withGaps } from './spans.ts';
import { SpanTable } from './span-table.tsx';
import { Strip } from './strip.tsx';

const hour = 3_600_000;
const day = 24 * hour;

/** Two looks at the record: the last 6 hours and the last 7 days. */
export function History({ page }: { readonly page: WireObjectPage }) {
  const now = useNow();
  const told = useToldUntil(now);
  const toldSpans = withGaps(spansOf(page.transitions, page.object, told), page.gaps, told);
  const spans = told < now ? [...toldSpans, { from: told, to: now, state: 'unobserved' as const }] : toldSpans;
  return (
    <section aria-labelledby="history">
      <SectionHead id="history" note={noteOf(spans, now - 6 * hour, now)}>
        History, last 6 h
      </SectionHead>
      <Look spans={spans} to={now} length={6 * hour} every={hour} label={(time) => formatClock(time).slice(0, 5)} />
      <h3 className="mt-4 mb-2 font-semibold">
        Last 7 days <span className="ml-1 text-small font-normal text-mute">{noteOf(spans, now - 7 * day, now)}</span>
      </h3>
      <Look spans={spans} to={now} length={7 * day} every={day} label={formatDay} />
    </section>
  );
}

/** Up to when the page knows anything (ms): `now`, or the server's last word where it has been silent for too long. */
function useToldUntil(now: number): number {
  const { state } = useLive();
  const age = useFeedAge();
  const told = parseTime(state?.serverTime ?? '');
  return age === 'live' || told === null ? now : Math.min(told, now);
}

interface LookProps {
  readonly spans: readonly StripSpan[];
  readonly to: number;
  readonly length: number;
  readonly every: number;
  readonly label: (time: number) => string;
}

function Look({ spans, to, length, every, label }: LookProps) {
  const from = to - length;
  const ticks = stripTicks(from, to, every);
  const blank = spans.find((span) => span.state === 'not-recorded');
  const share = blank === undefined ? 0 : Math.max(0, Math.min(blank.to, to) - from) / length;
  return (
    <div className="history-look">
      <div className="relative">
        <Strip spans={spans} from={from} to={to} ticks={ticks} />
        {share > 0.12 && (
          <span className="strip-blank" style={{ width: `${share * 100}%` }} aria-hidden="true">
            not recorded
          </span>
        )}
      </div>
      <div className="strip-axis" aria-hidden="true">
        {ticks
          .filter(({ at }) => at < 0.93)
          .map(({ time, at }) => (
            <span key={time} style={{ left: `${at * 100}%` }} className={at < 0.03 ? 'first' : undefined}>
              {label(time)}
            </span>
          ))}
        <span className="strip-now">now</span>
      </div>
      <SpanTable caption={`The last ${formatDuration(length)}`} spans={spans} from={from} to={to} />
    </div>
  );
}

/** "recorded for 13 min of it; converged 98.6 % of what was seen" */
function noteOf(spans: readonly StripSpan[], from: number, to: number): string {
  const { recorded, seen, converged } = sharesOf(spans, from, to);
  const record = recorded >= 1 ? 'recorded throughout' : `recorded for ${formatDuration(recorded * (to - from))} of it`;
  const sight = recorded - seen > 0.000_01 ? `, seen for ${formatDuration(seen * (to - from))}` : '';
  return `${record}${sight}${converged === null ? '' : `; converged ${formatShare(converged)} of what was seen`}`;
}
