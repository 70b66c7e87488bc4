import type { WireLane } from '#lib/api/history.ts';
import type { Period } from '#lib/domain/span.ts';
import { verdicts } from '#lib/domain/verdict.ts';
import { stripLook } from '#lib/draw/strip.ts';
import { formatTime } from '#lib/format/time.ts';
import { stateWord } from './mark-words.ts';

interface PaperKeyProps {
  readonly lanes: readonly WireLane[];
  readonly period: Period;
  /** ms */
  readonly now: number;
}

/** On paper, where nothing can be pointed at: the period, and how each state is drawn that the lanes show. */
export function PaperKey({ lanes, period, now }: PaperKeyProps) {
  const shown = new Set(lanes.flatMap(({ marks }) => marks.map(({ state }) => state)));
  return (
    <p className="time-key paper-only">
      <span>
        {formatTime(period.from, now)} to {formatTime(period.to, now)}
      </span>
      {verdicts
        .filter((verdict) => shown.has(verdict))
        .map((verdict) => (
          <span key={verdict}>
            <i>
              <i className={`time-mark look-${stripLook(verdict)} is-${verdict}`} />
            </i>
            {stateWord(verdict)}
          </span>
        ))}
    </p>
  );
}
