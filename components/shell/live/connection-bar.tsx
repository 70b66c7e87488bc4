'use client';

import { formatDuration } from '#lib/format/duration.ts';
import { StickyLine } from '../../ui/sticky-line.tsx';
import { useBrowserNow } from './feed-age.ts';
import { useViewer } from '../viewer/viewer.tsx';
import { useLive } from './live.tsx';

/** Says for how long the server has not been reached, and when the next try is. */
export function ConnectionBar() {
  const { state, retry } = useLive();
  const now = useBrowserNow();
  const viewer = useViewer();
  const lostAt = state?.connection === 'lost' ? state.lostAt : null;
  const nextTryAt = state?.nextTryAt ?? null;
  const left = nextTryAt === null || now === null ? 0 : nextTryAt - now;
  return (
    <>
      {/* The line counts every second: what is read aloud is said once. */}
      <output className="sr-only">
        {lostAt === null
          ? ''
          : 'The server is not heard: durations stand still, and what stands here may have changed.'}
      </output>
      {lostAt !== null && now !== null && (
        <StickyLine tone="warn">
          <span>
            <b>No connection to the server</b> for {formatDuration(now - lostAt)}: what stands here may have changed.{' '}
            {left > 0 ? `Next try in ${Math.ceil(left / 1000)} s.` : 'Trying now.'}
            {viewer !== null && ' Where your session is over, load the page anew.'}
          </span>
          <button type="button" className="link screen-only" onClick={retry}>
            Try now
          </button>
        </StickyLine>
      )}
    </>
  );
}
