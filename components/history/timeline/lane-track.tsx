import Link from 'next/link';
import type { CSSProperties } from 'react';
import type { WireHistory, WireLane, WireMarkOfTime, WireState } from '#lib/api/history.ts';
import { pathAt } from '#lib/api/paths.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { stripStyle } from '#lib/draw/timeline/strip.ts';
import { isEvent, isVerdictState } from '#lib/draw/timeline/timeline.ts';
import { momentText } from '#lib/format/moment.ts';
import { parseTime, formatTime } from '#lib/format/time.ts';
import { earlierSentence, markSentence, stateLabel } from './mark-text.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';

interface LaneTrackProps {
  readonly lane: WireLane;
  /** History that the lane is part of: its `earlier` is what its reconciler told of before the record. */
  readonly history: WireHistory;
  readonly period: Period;
  /** The mark (its beginning) that Tab comes to; null for none in this lane. */
  readonly stop: string | null;
  /** ms */
  readonly now: number;
}

/** One lane at true scale; each mark leads to that moment. */
export function LaneTrack({ lane, history, period, stop, now }: LaneTrackProps) {
  return (
    <>
      {history.earlier
        .filter((reported) => overlaps(reported, period))
        .map((reported) => (
          <span
            key={reported.from + reported.status}
            className={reported.good ? 'time-earlier' : 'time-earlier is-bad'}
            style={placeOf(reported, period)}
            title={earlierSentence(reported, now)}
          />
        ))}
      {lane.marks.map((mark) => (
        <Mark
          key={mark.from}
          mark={mark}
          lane={lane}
          history={history}
          period={period}
          isStop={mark.from === stop}
          now={now}
        />
      ))}
    </>
  );
}

interface MarkProps extends Pick<LaneTrackProps, 'lane' | 'history' | 'period' | 'now'> {
  readonly mark: WireMarkOfTime;
  readonly isStop: boolean;
}

function Mark({ mark, lane, history, period, isStop, now }: MarkProps) {
  const { state, from, at, changes, shares } = mark;
  const style = placeOf(mark, period);
  // A state that is not of an object leads nowhere.
  if (!isVerdictState(state)) return <span className={`time-mark strip-${state}`} style={style} data-from={from} />;
  const event = isEvent(state);
  return (
    <Link
      href={pathAt(lane.href, momentText(parseTime(at) ?? 0))}
      prefetch={false}
      draggable={false}
      className={`time-mark ${markClass(state, changes)}`}
      style={style}
      data-from={from}
      data-event={event ? '' : undefined}
      data-roving={event ? '' : undefined}
      tabIndex={event && isStop ? 0 : -1}
      aria-label={event ? markSentence(mark, lane, history, now) : undefined}
      aria-hidden={event ? undefined : true}
    >
      <MarkParts shares={shares} />
    </Link>
  );
}

/** Class of a mark: how it stands in front of others, and that it is gathered. */
function markClass(state: WireState, changes: number): string {
  return `strip-${stripStyle(state)}${changes > 0 ? ' is-gathered' : ''}`;
}

/** The states of a mark one above the other, each as high as its share: the worst at the bottom, what is in order a line beneath. */
export function MarkParts({ shares }: Pick<WireMarkOfTime, 'shares'>) {
  const good = shares.filter(({ state }) => !isEvent(state));
  const rest = good.reduce((sum, { share }) => sum + share, 0);
  const [line] = good.map(({ state }) => stripStyle(state)).filter((drawn) => drawn !== 'nothing');
  return (
    <>
      {rest > 0 && <i className="time-rest" style={{ '--share': rest }} />}
      {shares
        .filter(({ state }) => isEvent(state))
        .toReversed()
        .map(({ state, share }) => (
          <i
            key={state}
            className={`time-part is-${state}`}
            style={{ '--share': share, '--mark': `var(--${state})` }}
          />
        ))}
      {line !== undefined && <i className={`time-base base-${line}`} />}
    </>
  );
}

function overlaps({ from, to }: { readonly from: string; readonly to: string }, period: Period): boolean {
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

interface LaneKeyProps {
  readonly lanes: readonly WireLane[];
  readonly period: Period;
  /** ms */
  readonly now: number;
}

/** Key of each state that the lanes show, and of what a height and a gathered mark mean; on paper the period too. */
export function LaneKey({ lanes, period, now }: LaneKeyProps) {
  const marks = lanes.flatMap((lane) => lane.marks);
  const shown = new Set(marks.flatMap(({ shares }) => shares.map(({ state }) => state)));
  const gathered = marks.find(({ changes, shares }) => changes > 0 && shares.length > 1);
  return (
    <div className="time-key">
      <span className="paper-only">
        {formatTime(period.from, now)} to {formatTime(period.to, now)}
      </span>
      {verdicts
        .filter((verdict) => shown.has(verdict))
        .map((verdict) => (
          <span key={verdict}>
            <i className="time-swatch" aria-hidden="true">
              <MarkParts shares={[{ state: verdict, share: 1 }]} />
            </i>
            {stateLabel(verdict)}
          </span>
        ))}
      {gathered !== undefined && (
        <span>
          <i className="time-swatch is-gathered" aria-hidden="true">
            <MarkParts shares={gathered.shares} />
          </i>
          Several changes, too close to be told apart: height is the share of the time
        </span>
      )}
      {lanes.some(({ objects }) => objects > 1) && <span>Height: the share of the objects, never under 5 px</span>}
    </div>
  );
}
