'use client';

import { formatDuration } from '#lib/format/duration.ts';
import { StickyLine } from '../ui/sticky-line.tsx';
import { useBrowserNow } from './feed-age.ts';
import { useLive } from './live.tsx';

/** Says for how long the server has not been reached, and when the next try is. */
export function ConnectionBar() {
  const { state, retry } = useLive();
  const now = useBrowserNow();
  if (state === null || state.connection !== 'lost' || state.lostAt === null || now === null) return null;
  const left = state.nextTryAt === null ? 0 : state.nextTryAt - now;
  return (
    <StickyLine tone="warn">
      <span>
        <b>No connection to the server</b> for {formatDuration(now - state.lostAt)}: what stands here may have changed.{' '}
        {left > 0 ? `Next try in ${Math.ceil(left / 1000)} s.` : 'Trying now.'}
      </span>
      <button type="button" className="link screen-only" onClick={retry}>
        Try now
      </button>
    </StickyLine>
  );
}
