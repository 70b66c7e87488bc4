import type { Clock } from '#server/runtime/clock.ts';
import { failure, failureOfStatus, type WatchEnd } from '../answer.ts';
import type { Link, LinkRequest } from './link.ts';
import type { Sender } from './sender.ts';

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** The server accepted the watch (HTTP 200). */
  onOpen(): void;
  /** One line: one watch event as JSON. Lines may still come after an abort. */
  onLine(line: string): void;
}

/** One watch, until it ends, breaks or is aborted; a line longer than `longest` bytes ends it. */
export async function watch(
  { clock, prepare }: Sender,
  path: string,
  options: WatchOptions,
  longest: number,
): Promise<WatchEnd> {
  let refreshed = false;
  let asked = 0;
  for (;;) {
    const ready = await prepare('watch', options.signal);
    if (options.signal.aborted) return { type: 'cancelled' };
    if (ready.type === 'fault') return { ...ready, opened: false };
    if (!ready.link.room('watch')) continue;
    const request = ready.request(path, { accept: 'application/json' }, null);
    const end = await readLines(ready.link, request, options, longest, clock);
    // Lost before the server said anything (it was sent while a GOAWAY came): asked once more elsewhere, as a GET is.
    if (end.type === 'fault' && !end.opened && end.fault.type === 'unreachable' && asked++ === 0) continue;
    if (end.type !== 'fault' || end.fault.type !== 'unauthorized' || refreshed) return end;
    refreshed = true;
    ready.renewCredentials();
  }
}

function readLines(
  link: Link,
  request: LinkRequest,
  { signal, onOpen, onLine }: WatchOptions,
  longest: number,
  clock: Clock,
): Promise<WatchEnd> {
  return new Promise((resolve) => {
    const split = lineSplitter(onLine, longest);
    const refusal: Buffer[] = [];
    let refusalSize = 0;
    let status = 0;
    let retryAfter: string | null = null;
    const settle = (end: WatchEnd): void => {
      signal.removeEventListener('abort', abort);
      resolve(end);
    };
    const cancel = link.open(request, 'watch', {
      head(given, header) {
        status = given;
        retryAfter = header('retry-after');
        if (status === 200) onOpen();
      },
      data(chunk) {
        if (status !== 200) {
          refusalSize += chunk.length;
          if (refusalSize <= 64_000) refusal.push(chunk);
        } else if (!split(chunk)) {
          cancel();
          settle({
            ...failure({ type: 'protocol', message: `a watch event is longer than ${longest} bytes` }),
            opened: true,
          });
        }
      },
      end(lost) {
        if (status !== 0 && status !== 200) {
          settle({
            ...failureOfStatus(status, Buffer.concat(refusal).toString(), retryAfter, clock.now()),
            opened: false,
          });
        } else if (lost === null && status === 200) {
          settle({ type: 'ended' });
        } else {
          settle({ ...failure({ type: 'unreachable', message: lost ?? 'no answer' }), opened: status === 200 });
        }
      },
    });
    const abort = (): void => {
      cancel();
      settle({ type: 'cancelled' });
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}

const newline = 0x0a;

/** Takes the chunks of a stream; false once a line is longer than the bound (the stream is of no use any more). */
export type LineSplitter = (chunk: Buffer) => boolean;

/**
 * Cuts a stream of bytes into its lines (newline excluded, empty ones left out), decoded as UTF-8.
 * Works on bytes, so that a character cut in two by a chunk stays whole; a line within one chunk is not copied.
 */
export function lineSplitter(onLine: (line: string) => void, longest: number): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      let line: string;
      if (held === 0) {
        line = chunk.toString('utf8', start, end);
      } else {
        parts.push(chunk.subarray(start, end));
        line = Buffer.concat(parts).toString('utf8');
        parts = [];
        held = 0;
      }
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) {
      parts.push(start === 0 ? chunk : chunk.subarray(start));
      held += chunk.length - start;
    }
    return held <= longest;
  };
}
