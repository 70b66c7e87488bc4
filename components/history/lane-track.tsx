import Link from 'next/link';
import type { CSSProperties } from 'react';
import type { WireEarlier, WireLane, WireMarkOfTime } from '#lib/api/history.ts';
import { pathAt } from '#lib/api/paths.ts';
import type { Period } from '#lib/domain/span.ts';
import { stripLook } from '#lib/draw/strip.ts';
import { isEvent, isTold } from '#lib/draw/timeline.ts';
import { momentText } from '#lib/format/moment.ts';
import { parseTime } from '#lib/format/time.ts';
import { earlierSentence, markSentence } from './mark-words.ts';

interface LaneTrackProps {
  readonly lane: WireLane;
  readonly period: Period;
  /** What its reconciler told of before the record. */
  readonly earlier: readonly WireEarlier[];
  /** The mark (its beginning) that Tab comes to; null for none in this lane. */
  readonly stop: string | null;
  /** ms */
  readonly now: number;
}

/** One lane at true scale: in order a 3 px line, everything else a block of at least 3 px, not seen hatched. Each mark leads to that moment. */
export function LaneTrack({ lane, period, earlier, stop, now }: LaneTrackProps) {
  return (
    <>
      {earlier
        .filter((told) => overlaps(told, period))
        .map((told) => (
          <span
            key={told.from + told.status}
            className={told.good ? 'time-earlier' : 'time-earlier is-bad'}
            style={placeOf(told, period)}
            title={earlierSentence(told, now)}
          />
        ))}
      {lane.marks.map((mark) => (
        <Mark key={mark.from} mark={mark} lane={lane} period={period} isStop={mark.from === stop} now={now} />
      ))}
    </>
  );
}

interface MarkProps extends Pick<LaneTrackProps, 'lane' | 'period' | 'now'> {
  readonly mark: WireMarkOfTime;
  readonly isStop: boolean;
}

function Mark({ mark, lane, period, isStop, now }: MarkProps) {
  const { state, from, at } = mark;
  const style: CSSProperties = { ...placeOf(mark, period) };
  // A state that is not of an object leads nowhere.
  if (!isTold(state)) return <span className={`time-mark look-${state}`} style={style} data-from={from} />;
  style['--mark'] = `var(--${state})`;
  const event = isEvent(state);
  return (
    <Link
      href={pathAt(lane.href, momentText(parseTime(at) ?? 0))}
      prefetch={false}
      draggable={false}
      className={`time-mark look-${stripLook(state)} is-${state}`}
      style={style}
      data-from={from}
      data-event={event ? '' : undefined}
      data-roving={event ? '' : undefined}
      tabIndex={event && isStop ? 0 : -1}
      aria-label={event ? markSentence(mark, lane, now) : undefined}
      aria-hidden={event ? undefined : true}
    />
  );
}

function overlaps({ from, to }: WireEarlier, period: Period): boolean {
  return (parseTime(to) ?? 0) > period.from && (parseTime(from) ?? 0) < period.to;
}

/** Where a time lies on the lane, in shares of it. */
function placeOf({ from, to }: { readonly from: string; readonly to: string }, period: Period): CSSProperties {
  const whole = period.to - period.from;
  const start = Math.max(0, ((parseTime(from) ?? 0) - period.from) / whole);
  const end = Math.min(1, ((parseTime(to) ?? 0) - period.from) / whole);
  return { '--left': percent(start), '--width': percent(Math.max(0, end - start)) };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
