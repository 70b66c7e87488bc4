'use client';

import type { ReactNode } from 'react';
import type { WireHistory } from '#lib/api/history.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { useNow } from '../../ui/now.tsx';
import { OldLine } from '../../ui/sticky-line.tsx';
import { Timeline } from './timeline.tsx';
import type { ShownTimeline } from '../use-timeline.ts';

interface LanesViewProps {
  readonly timeline: ShownTimeline;
  /** Sentence where nothing is recorded. */
  readonly nothing: string;
  /** Content of the line under the lanes while nothing is pointed at. */
  readonly children: ReactNode;
}

/** Timelines, or why there are none; what is to be known of them before they are believed. */
export function LanesView({ timeline, nothing, children }: LanesViewProps) {
  const { history, error, waiting, asked, change, usual, onWidth } = timeline;
  if (history === null)
    return (
      <p className="text-mute">
        {error === null && waiting ? 'The record is being read.' : (error?.message ?? 'The record cannot be read now.')}
      </p>
    );
  return (
    <>
      <OldLine gone={null} error={error} />
      <Limits history={history} />
      {history.lanes.length === 0 && !history.tooMany && <p className="pb-2 text-mute">{nothing}</p>}
      <Timeline history={history} asked={asked} change={change} usual={usual} onWidth={onWidth} waiting={waiting}>
        {children}
      </Timeline>
    </>
  );
}

/** Where the record begins only within the period, and where more is recorded than is shown. */
function Limits({ history }: { readonly history: WireHistory }) {
  const now = useNow();
  const { from, askedFrom, recordedSince, tooMany } = history;
  const since = parseTime(recordedSince ?? '');
  const start = parseTime(from) ?? 0;
  return (
    <>
      {tooMany && (
        <p className="pb-2">So many objects cannot be shown at once: name a kind, a namespace or fewer clusters.</p>
      )}
      {from !== askedFrom && !tooMany && (
        <p className="pb-2">
          More is recorded than can be shown at once: the lanes begin at {formatTime(start, now)}. A shorter period, or
          fewer objects, shows all.
        </p>
      )}
      {since !== null && since > start && (
        <p className="pb-2 text-mute">The record begins at {formatTime(since, now)}; before that nothing is known.</p>
      )}
    </>
  );
}
