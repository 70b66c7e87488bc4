'use client';

import type { Truth } from '#lib/api/fleet.ts';
import { faviconUrl } from '#lib/draw/plumb-line.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { useBrowserNow, useFeedAge } from './live/feed-age.ts';
import { useMoment } from './moment/moment.tsx';

interface PageTitleProps {
  /** Text of the tab, the worst first; without the program's name. */
  readonly text: string;
  /** Truth of the sentence for what the page shows: the tab's plumb line. */
  readonly truth: Truth;
}

/** The tab of a page. When the server has not been heard for long it claims nothing any more. */
export function PageTitle({ text, truth }: PageTitleProps) {
  const dead = useFeedAge() === 'dead';
  const at = parseTime(useMoment()?.at ?? '');
  const now = useBrowserNow();
  const when = at === null ? (dead ? 'Not known now. Last: ' : '') : `${formatTime(at, now ?? at)}: `;
  return (
    <>
      <title>{`${when}${text} · Plumbline`}</title>
      <link rel="icon" type="image/svg+xml" href={faviconUrl(dead ? 'unknown' : truth)} />
    </>
  );
}
