import './time-axis.css';
import type { Period } from '#lib/domain/record/span.ts';
import { stripTicks } from '#lib/draw/timeline/strip.ts';
import { tickEvery } from '#lib/draw/timeline/timeline.ts';
import { formatClock, formatDay } from '#lib/format/time.ts';
import { day } from '#lib/domain/time/length.ts';

interface TimeAxisProps {
  readonly period: Period;
  /** Label of its end: "now", or the time. */
  readonly end: string;
}

const mostTicks = 8;

/** Share of the axis that the label of its end takes, where the axis is so wide (px). */
function takenBy(end: string, width: number): number {
  return (end.length * 7 + 30) / width;
}

function tickClass(at: number, end: string): string | undefined {
  if (at < 0.03) return 'first';
  return at > 1 - takenBy(end, 340) ? 'late' : undefined;
}

/** The times under the lanes, in UTC: hours, or days where they are more than one apart. */
export function TimeAxis({ period, end }: TimeAxisProps) {
  const every = tickEvery(period, mostTicks);
  return (
    <div className="time-axis" aria-hidden="true">
      {stripTicks(period.from, period.to, every)
        .filter(({ at }) => at < 1 - takenBy(end, 600))
        .map(({ time, at }) => (
          <span key={time} style={{ left: `${at * 100}%` }} className={tickClass(at, end)}>
            {time % day === 0 ? formatDay(time, period.to) : formatClock(time).slice(0, 5)}
          </span>
        ))}
      <span className="end">{end}</span>
    </div>
  );
}

/** The same times as lines behind the lanes. */
export function TimeGrid({ period }: Pick<TimeAxisProps, 'period'>) {
  return stripTicks(period.from, period.to, tickEvery(period, mostTicks)).map(({ time, at }) => (
    <i key={time} className="time-line" style={{ left: `${at * 100}%` }} />
  ));
}
