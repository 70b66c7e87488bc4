import type { ForeignObject } from '#lib/foreign.ts';
import { type Answer, failureOfStatus, type WatchEnd } from '../answer.ts';
import type { Transport } from '../transport/transport.ts';

type GetOptions = Parameters<Transport['get']>[1];
type WatchOptions = Parameters<Transport['watch']>[1];

/** A get that a test answers. */
export interface PendingGet {
  readonly path: string;
  readonly options: GetOptions;
  answer(answer: Answer): void;
  ok(body: ForeignObject, etag?: string): void;
  status(code: number, message?: string, retryAfter?: string): void;
}

/** A watch that a test speaks on. */
export interface PendingWatch {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly aborted: () => boolean;
  open(): void;
  say(...events: readonly unknown[]): void;
  end(end?: WatchEnd): void;
  status(code: number, message?: string, retryAfter?: string): void;
  /** The connection is lost under an open watch. */
  lose(): void;
}

/** A transport without a network: every request waits until the test answers it. */
export interface FakeTransport extends Transport {
  readonly gets: PendingGet[];
  readonly watches: PendingWatch[];
}

export function fakeTransport(): FakeTransport {
  const gets: PendingGet[] = [];
  const watches: PendingWatch[] = [];

  function get(path: string, options: GetOptions): Promise<Answer> {
    return new Promise((resolve) => {
      options.signal?.addEventListener('abort', () => resolve(unreachable));
      gets.push({
        path,
        options,
        answer: resolve,
        ok: (body, etag) => resolve({ type: 'ok', body, etag: etag ?? null, bytes: JSON.stringify(body).length }),
        status: (code, message = `HTTP ${code}`, retryAfter) =>
          resolve(failureOfStatus(code, message, retryAfter ?? null, 0)),
      });
    });
  }

  function watch(path: string, { signal, onOpen, onLine }: WatchOptions): Promise<WatchEnd> {
    return new Promise((resolve, reject) => {
      // As over a network: what its reader throws ends the watch.
      const reading = (task: () => void): void => {
        try {
          task();
        } catch (error) {
          reject(error);
        }
      };
      signal.addEventListener('abort', () => resolve({ type: 'cancelled' }));
      watches.push({
        path,
        query: new URL(path, 'https://x').searchParams,
        aborted: () => signal.aborted,
        open: () => reading(onOpen),
        say: (...events) => {
          for (const event of events) reading(() => onLine(typeof event === 'string' ? event : JSON.stringify(event)));
        },
        end: (end = { type: 'ended' }) => resolve(end),
        status: (code, message = `HTTP ${code}`, retryAfter) =>
          resolve({ ...failureOfStatus(code, message, retryAfter ?? null, 0), opened: false }),
        lose: () => resolve({ ...unreachable, opened: true }),
      });
    });
  }

  return {
    gets,
    watches,
    get,
    watch,
    selfSubjectAccessReview: () => Promise.resolve(unreachable),
    selfSubjectRulesReview: () => Promise.resolve(unreachable),
  };
}

const unreachable = {
  type: 'fault',
  retryAfter: null,
  fault: { type: 'unreachable', message: 'the connection was closed' },
} as const;
