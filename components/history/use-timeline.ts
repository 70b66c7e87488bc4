'use client';

import { useState } from 'react';
import type { Last } from '#lib/api/history.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { historyParams } from './shown-period.ts';
import { useHistory, type SentHistory } from './use-history.ts';
import { usePeriod } from './use-period.ts';

/** Width (px) that lanes are made for where nobody has measured. */
const madeFor = 1000;
const step = 200;

/** The timelines of a filter over the period in the URL, made for the width that they are shown in; `rows` of each lane for a table. */
export function useTimeline(
  filter: Readonly<Record<string, string>>,
  usual: Last,
  sent: SentHistory,
  rows: Readonly<Record<'rows', string>>,
) {
  const [asked, change] = usePeriod();
  const [width, setWidth] = useState(madeFor);
  const params = { ...historyParams(filter, asked, usual, useAtParam()), ...rows };
  const list = useHistory(width === madeFor ? params : { ...params, width: String(width) }, sent);
  // What was made for about this width shows nothing that this width could not.
  const onWidth = (seen: number): void => {
    if (seen > width * 1.5 || seen < width * 0.75)
      setWidth(Math.min(4000, Math.max(step, Math.round(seen / step) * step)));
  };
  return { asked, change, usual, onWidth, params, ...list };
}

/** A timeline with its period and what moves it. */
export type ShownTimeline = ReturnType<typeof useTimeline>;
