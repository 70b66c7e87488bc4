import { systemClock } from '#server/runtime/clock.ts';
import { startThread, type Thread } from '#server/runtime/thread/thread.ts';
import type { OpenRefusal } from '../port/open-refusal.ts';
import type { StoreReader } from '../port/port.ts';
import { messageOf } from '../sqlite/failure.ts';
import { openSqliteFollower } from '../sqlite/reading/reader.ts';
import { logRoom, logSizeOf } from './log-room.ts';
import { lanesAtOnce } from './reader-lanes.ts';
import { readerMethods, type ReaderThread } from './reader-methods.ts';

type InTurn = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Options for opening the store. */
export interface ReaderThreadOptions {
  readonly path: string;
  /** The threads' own file; another one in tests. */
  readonly file?: URL;
  /**
   * Gives for one thread, which answers so many questions side by side, what makes each call to it when its turn has come; at once where nothing is said.
   */
  readonly turns?: (sideBySide: number) => InTurn;
}

/**
 * Opens the SQLite store for reading: threads of its own answer everything but `follow`, which reads small steps on the caller's and
 * so never waits behind a report. Once one of them has died every method rejects, `follow` among them: close it and open it anew.
 */
export async function openReaderThread(options: ReaderThreadOptions): Promise<StoreReader | OpenRefusal> {
  const { path, turns = () => (call) => call() } = options;
  const [figures, events, parts, rows] = await Promise.all([
    threadOf(options, 'figures'),
    threadOf(options, 'events'),
    threadOf(options, 'parts'),
    threadOf(options, 'rows'),
  ]);
  const follower = await openSqliteFollower({ path });
  const started = [figures, events, parts, rows];
  async function close(): Promise<void> {
    const ends = started.map((thread) => 'type' in thread || thread.end(closed));
    await Promise.all([...ends, 'type' in follower || follower.close()]);
  }

  async function refusing(refusal: OpenRefusal): Promise<OpenRefusal> {
    await close();
    return refusal;
  }

  if ('type' in figures) return refusing(figures);
  if ('type' in events) return refusing(events);
  if ('type' in parts) return refusing(parts);
  if ('type' in rows) return refusing(rows);
  if ('type' in follower) return refusing(follower);
  const threads = { figures, events, parts, rows };
  const inTurn = {
    figures: turns(1),
    events: turns(1),
    parts: turns(lanesAtOnce),
    rows: turns(1),
  };

  const room = logRoom({ clock: systemClock, sizeOf: () => logSizeOf(path) });

  const check = (): void => Object.values(threads).forEach((thread) => thread.check());

  let methods = 0;
  return {
    ...readerMethods(
      <A extends readonly unknown[], T>(_of: unknown, by: ReaderThread | ((...asked: A) => ReaderThread)) => {
        const name = String(methods++);
        return async (...asked: A): Promise<T> => {
          const thread = typeof by === 'string' ? by : by(...asked);
          return inTurn[thread](() => {
            check();
            return room.ask(thread === 'parts' ? 'long' : 'short', () => threads[thread].call<T>(name, asked));
          });
        };
      },
    ),
    async follow(cursor, limit) {
      check();
      return follower.follow(cursor, limit);
    },
    close,
  };
}

const closed = 'The record was closed.';

async function threadOf(
  { path, file = new URL('./reader-worker.ts', import.meta.url) }: ReaderThreadOptions,
  name: ReaderThread,
): Promise<Thread | OpenRefusal> {
  try {
    const { thread, greeting } = await startThread<OpenRefusal | null>({
      file,
      data: { path, thread: name },
      name: `reader-${name}`,
      does: 'that reads the record',
    });
    if (greeting === null) return thread;
    await thread.end(closed);
    return greeting;
  } catch (error) {
    return { type: 'unusable', path, message: messageOf(error) };
  }
}
