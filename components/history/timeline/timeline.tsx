'use client';

import '../history.css';
import Link from 'next/link';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { WireHistory, WireLane } from '#lib/api/history.ts';
import type { Last } from '#lib/api/params.ts';
import { isEvent, isVerdictState } from '#lib/draw/timeline/timeline.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { useKeys } from '../../shell/keys/keys.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { useNow } from '../../ui/now.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { LaneKey, LaneTrack } from './lane-track.tsx';
import { laneNote, markSentence, sharesSentence } from './mark-text.ts';
import { requestedPeriod, chosen, panned, zoomed, type ShownPeriod } from '../../record/shown-period.ts';
import { TimeAxis, TimeGrid } from '../../ui/time-axis.tsx';
import { useDrag, type Drawn } from './use-drag.ts';
import { useEventKeys } from './use-event-keys.ts';
import { VirtualLanes } from './virtual-lanes.tsx';
import { ZoomBar } from '../../record/zoom-bar.tsx';

interface TimelineProps {
  readonly history: WireHistory;
  readonly asked: ShownPeriod;
  readonly change: (period: ShownPeriod) => void;
  readonly usual: Last;
  /** Tells how wide a lane is (px) where it is not what the lanes were made for. */
  readonly onWidth: (width: number) => void;
  /** Lanes of another period are on their way. */
  readonly waiting: boolean;
  /** Content of the line under the lanes while nothing is pointed at. */
  readonly children: ReactNode;
}

/** A mark by its lane and its beginning. */
interface Spot {
  readonly lane: string;
  readonly from: string;
}

/** Lanes over one period: what is pointed at or focused is read out beneath; a stretch that is drawn with the pointer becomes the period. */
export function Timeline({ history, asked, change, usual, onWidth, waiting, children }: TimelineProps) {
  const now = useNow();
  const period = useMemo(
    () => ({ from: parseTime(history.from) ?? 0, to: parseTime(history.to) ?? 0 }),
    [history.from, history.to],
  );
  // On a page of the past it ends at that moment, which is not now.
  const upToNow = useMoment() === null && period.to >= now - 90_000;
  // Steps start from what was asked for, also while it is on its way; from what is shown where that is less.
  const isLess = !waiting && history.from !== history.askedFrom;
  const stepFrom = isLess ? period : requestedPeriod(asked, usual, now);
  const { lanes, by } = history;
  const bare = by === 'object' && lanes.length === 1;
  const body = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLDivElement>(null);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [stop, setStop] = useState<Spot | null>(null);
  const { drawn, handlers } = useDrag(period, (drawnPeriod) => change(chosen(drawnPeriod, now)));
  const onKeyDown = useEventKeys(body, (share) => change(panned(stepFrom, share, now)));
  const near = () => change(zoomed(stepFrom, 0.5, now));
  useKeys({ '+': near, '=': near, '-': () => change(zoomed(stepFrom, 2, now)) });
  useWidth(axis, onWidth);
  const here = stopOf(lanes, stop);
  const read = spot === null ? null : markOf(lanes, spot);
  const row = (lane: WireLane) => (
    <div key={lane.key} className={bare ? 'time-row is-bare' : 'time-row'} data-lane={lane.key}>
      {!bare && <LaneName lane={lane} />}
      <div className="time-track" data-track="">
        <LaneTrack
          lane={lane}
          period={period}
          history={history}
          stop={here?.lane === lane.key ? here.from : null}
          now={now}
        />
      </div>
    </div>
  );
  return (
    // The marks inside are what is focused; keys lead from one to another, the pointer draws a period.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={waiting ? 'timeline waiting' : 'timeline'} aria-busy={waiting} onKeyDown={onKeyDown}>
      <ZoomBar asked={asked} period={stepFrom} now={now} change={change} usual={usual} />
      <div
        ref={body}
        className={drawn === null ? 'time-body' : 'time-body is-drawing'}
        {...handlers}
        onPointerOver={(event) => setSpot(spotAt(event.target))}
        onPointerLeave={() => setSpot(null)}
        onFocus={(event) => {
          const found = spotAt(event.target);
          setSpot(found);
          if (found !== null) setStop(found);
        }}
        onBlur={() => setSpot(null)}
      >
        <div className={bare ? 'time-behind is-bare' : 'time-behind'} aria-hidden="true">
          <div ref={axis}>
            <TimeGrid period={period} />
            {drawn !== null && <DrawnPeriod drawn={drawn} />}
          </div>
        </div>
        <VirtualLanes lanes={lanes} row={row} />
        <div className={bare ? 'time-row is-bare' : 'time-row'}>
          {!bare && <span />}
          <TimeAxis period={period} end={upToNow ? 'now' : formatTime(period.to, now)} />
        </div>
      </div>
      <LaneKey lanes={lanes} period={period} now={now} />
      <ReadOut read={read} bare={bare} history={history} now={now}>
        {children}
      </ReadOut>
    </div>
  );
}

interface ReadOutProps extends Pick<TimelineProps, 'history' | 'children'> {
  readonly read: ReturnType<typeof markOf>;
  /** One lane stands alone: its name is told elsewhere. */
  readonly bare: boolean;
  readonly now: number;
}

/** Tells the mark that is pointed at or focused; `children` where none is. */
function ReadOut({ read, bare, history, now, children }: ReadOutProps) {
  return (
    <p className="time-read-out screen-only">
      {read === null ? (
        children
      ) : (
        <>
          {isVerdictState(read.mark.state) && <VerdictGlyph verdict={read.mark.state} />}
          <span>
            {!bare && <b>{read.lane.title}: </b>}
            {markSentence(read.mark, read.lane, history, now)}
          </span>
        </>
      )}
    </p>
  );
}

/** The stretch that the pointer draws. */
function DrawnPeriod({ drawn: { from, to } }: { readonly drawn: Drawn }) {
  return <i className="time-drawn" style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />;
}

function LaneName({ lane }: { readonly lane: WireLane }) {
  return (
    <span className="time-name">
      <Link href={lane.history ?? lane.href} prefetch={false} className="quiet-link" title={sharesSentence(lane)}>
        {lane.title}
      </Link>
      <span className="time-note" title={lane.note}>
        {laneNote(lane)}
      </span>
    </span>
  );
}

/** The mark that an element is part of. */
function spotAt(target: EventTarget): Spot | null {
  const mark = target instanceof Element ? target.closest('[data-from]') : null;
  const lane = mark?.closest('[data-lane]')?.getAttribute('data-lane') ?? null;
  const from = mark?.getAttribute('data-from') ?? null;
  return lane === null || from === null ? null : { lane, from };
}

function markOf(lanes: readonly WireLane[], spot: Spot) {
  const lane = lanes.find(({ key }) => key === spot.lane);
  const mark = lane?.marks.find(({ from }) => from === spot.from);
  return lane === undefined || mark === undefined ? null : { lane, mark };
}

/** The one event that Tab comes to: the one that had the focus last, else the newest of the first lane that has any. */
function stopOf(lanes: readonly WireLane[], last: Spot | null): Spot | null {
  const known = last === null ? null : markOf(lanes, last);
  if (known !== null && isEvent(known.mark.state)) return last;
  for (const lane of lanes) {
    const newest = lane.marks.findLast(({ state }) => isEvent(state));
    if (newest !== undefined) return { lane: lane.key, from: newest.from };
  }
  return null;
}

function useWidth(track: React.RefObject<HTMLElement | null>, onWidth: (width: number) => void): void {
  const latest = useRef(onWidth);
  useEffect(() => {
    latest.current = onWidth;
  }, [onWidth]);
  useEffect(() => {
    const element = track.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) latest.current(width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [track]);
}
