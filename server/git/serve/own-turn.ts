import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';

/** One attempt to begin: begun, another process is at it, or something of the machine is in the way (`reason` is a clause). */
export type Attempt<Begun> =
  | { readonly type: 'begun'; readonly begun: Begun }
  | { readonly type: 'taken' }
  | { readonly type: 'refused'; readonly reason: string };

/** Another process is waited for with this pause (ms). */
const waitsEach = 5_000;
const longestPause = 300_000;

/**
 * Tries to begin until it can: while another process is at it every 5 s, while the machine refuses it (a disk that may only be read) with
 * growing pauses of at most 5 min. The log says each reason once. null where it is not wanted any more.
 */
export async function ownTurn<Begun>(
  attempt: () => Promise<Attempt<Begun>>,
  { clock, log, ending }: { readonly clock: Clock; readonly log: Log; readonly ending: AbortSignal },
): Promise<Begun | null> {
  let said: string | null = null;
  let refusals = 0;
  while (!ending.aborted) {
    const found = await attempt();
    if (found.type === 'begun') {
      if (said !== null) log.info({}, 'repositories are mirrored again by this process');
      return found.begun;
    }
    refusals = found.type === 'refused' ? refusals + 1 : 0;
    const words =
      found.type === 'taken'
        ? 'another process mirrors repositories into this data directory; this one waits'
        : `no repository is mirrored: ${found.reason}; this is tried again`;
    if (words !== said) log.warn({}, words);
    said = words;
    await pause(clock, Math.min(longestPause, waitsEach * 2 ** Math.max(0, refusals - 1)), ending);
  }
  return null;
}

function pause(clock: Clock, ms: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, done);
    ending.addEventListener('abort', done);
    function done(): void {
      timer.cancel();
      ending.removeEventListener('abort', done);
      resolve();
    }
  });
}
