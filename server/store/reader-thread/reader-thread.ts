import { startThread, type Thread } from '#server/runtime/thread/thread.ts';
import type { OpenRefusal } from '../port/open-refusal.ts';
import type { StoreReader } from '../port/port.ts';
import { messageOf } from '../sqlite/failure.ts';
import { openSqliteFollower } from '../sqlite/reading/reader.ts';
import { readerMethods } from './reader-methods.ts';

type InTurn = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Options for opening the store. */
export interface ReaderThreadOptions {
  readonly path: string;
  /** The thread's own file; another one in tests. */
  readonly file?: URL;
  /** Makes each call to the thread when its turn has come; at once where nothing is said. */
  readonly inTurn?: InTurn;
}

/**
 * Opens the SQLite store for reading: a thread of its own answers everything but `follow`, which reads small steps on the caller's and
 * so never waits behind a report. Once the thread has died every method rejects, `follow` among them: close it and open it anew.
 */
export async function openReaderThread(options: ReaderThreadOptions): Promise<StoreReader | OpenRefusal> {
  const { path, inTurn = (call) => call() } = options;
  const thread = await threadOf(options);
  if ('type' in thread) return thread;
  const follower = await openSqliteFollower({ path });
  if ('type' in follower) {
    await thread.end(closed);
    return follower;
  }
  let methods = 0;
  return {
    ...readerMethods(() => methodOf(thread, inTurn, String(methods++))),
    async follow(cursor, limit) {
      thread.check();
      return follower.follow(cursor, limit);
    },
    async close() {
      await Promise.all([thread.end(closed), follower.close()]);
    },
  };
}

function methodOf(thread: Thread, inTurn: InTurn, name: string) {
  return <T>(...asked: readonly unknown[]) => inTurn(() => thread.call<T>(name, asked));
}

const closed = 'The record was closed.';

async function threadOf({ path, file = new URL('./reader-worker.ts', import.meta.url) }: ReaderThreadOptions) {
  try {
    const { thread, greeting } = await startThread<OpenRefusal | null>({
      file,
      data: { path },
      name: 'reader',
      does: 'that reads the record',
    });
    if (greeting === null) return thread;
    await thread.end(closed);
    return greeting;
  } catch (error) {
    return { type: 'unusable', path, message: messageOf(error) } as const;
  }
}
