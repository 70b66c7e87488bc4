import type { Clock } from '#server/runtime/clock.ts';
import { formatBytes } from '#lib/format/number.ts';
import { type Failure, failure, failureOfStatus, type WatchEnd } from '../answer.ts';
import { tooMuchUnderWay } from './exchange.ts';
import { gatherBytes } from '#server/runtime/bytes/gathered-bytes.ts';
import { lineSplitter } from './bytes/line-splitter.ts';
import type { Link, LinkRequest } from './link.ts';
import type { Sender } from './sender.ts';
import type { Held } from '../under-way.ts';

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** The server accepted the watch (HTTP 200). */
  onOpen(): void;
  /** One line: one watch event as JSON. Lines may still come after an abort. */
  onLine(line: string): void;
}

/** One watch, until it ends, breaks or is aborted; a line longer than `longest` bytes ends it. */
export async function watch(
  { clock, prepare, underWay }: Sender,
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
    const end = await readLines(ready.link, request, options, { longest, clock, held: underWay.begin() });
    // Lost before the server said anything (it was sent while a GOAWAY came): asked once more elsewhere, as a GET is.
    if (end.type === 'fault' && !end.opened && end.fault.type === 'unreachable' && asked++ === 0) continue;
    if (end.type !== 'fault' || end.fault.type !== 'unauthorized' || refreshed) return end;
    refreshed = true;
    ready.renewCredentials();
  }
}

/** So much of a refusal is read (bytes). */
const refusalBytes = 64_000;

function readLines(
  link: Link,
  request: LinkRequest,
  { signal, onOpen, onLine }: WatchOptions,
  { longest, clock, held }: { readonly longest: number; readonly clock: Clock; readonly held: Held },
): Promise<WatchEnd> {
  return new Promise((resolve, reject) => {
    const split = lineSplitter(onLine);
    const refusal = gatherBytes();
    let status = 0;
    let retryAfter: string | null = null;
    const refused = (): WatchEnd => {
      const text = refusal.take().toString('utf8', 0, refusalBytes);
      return { ...failureOfStatus(status, text, retryAfter, clock.now()), opened: false };
    };
    const settle = (end: WatchEnd): void => {
      signal.removeEventListener('abort', abort);
      held.release();
      resolve(end);
    };
    // An error of the reader ends this watch, not the connection and not the process.
    const reading = (task: () => void): void => {
      try {
        task();
      } catch (error) {
        cancel();
        signal.removeEventListener('abort', abort);
        held.release();
        reject(error);
      }
    };
    const take = (chunk: Buffer): void => {
      const open = split(chunk);
      const fits = held.hold(open);
      if (open <= longest && fits) return;
      cancel();
      settle({ ...(open > longest ? tooLong(longest) : tooMuchUnderWay), opened: true });
    };
    const cancel = link.open(request, 'watch', {
      head(given, header) {
        status = given;
        retryAfter = header('retry-after');
        if (status === 200) reading(onOpen);
      },
      data(chunk) {
        if (status !== 200) {
          refusal.add(chunk);
          if (refusal.size() <= refusalBytes) return;
          cancel();
          return settle(refused());
        }
        reading(() => take(chunk));
      },
      end(lost) {
        if (status !== 0 && status !== 200) {
          settle(refused());
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

function tooLong(longest: number): Failure {
  return failure({ type: 'protocol', message: `a watch event is longer than ${formatBytes(longest)}` });
}
