import { Worker } from 'node:worker_threads';
import type { OpenRefusal } from '../port/open-refusal.ts';
import type { StoreReader } from '../port/port.ts';
import { messageOf } from '../sqlite/failure.ts';
import { openSqliteFollower } from '../sqlite/reading/reader.ts';
import { readerMethods, type MakeMethod } from './reader-methods.ts';
import type { Question, Reply } from './serve-reader.ts';

/** Options for opening the store. */
export interface ReaderThreadOptions {
  readonly path: string;
  /** The thread's own file; another one in tests. */
  readonly file?: URL;
}

/**
 * Opens the SQLite store for reading: a thread of its own answers everything but `follow`, which reads small steps on the caller's and
 * so never waits behind a report. Once the thread has died every method rejects, `follow` among them: close it and open it anew.
 */
export async function openReaderThread(options: ReaderThreadOptions): Promise<StoreReader | OpenRefusal> {
  const { path } = options;
  const thread = await startThread(options);
  if ('type' in thread) return thread;
  const follower = await openSqliteFollower({ path });
  if ('type' in follower) {
    await thread.end();
    return follower;
  }
  return {
    ...readerMethods(thread.method),
    async follow(cursor, limit) {
      thread.check();
      return follower.follow(cursor, limit);
    },
    async close() {
      await Promise.all([thread.end(), follower.close()]);
    },
  };
}

interface Thread {
  readonly method: MakeMethod;
  /** Throws where the thread has ended. */
  check(): void;
  /** Ends the thread; what is unanswered is rejected. */
  end(): Promise<void>;
}

async function startThread({
  path,
  file = new URL('./reader-worker.ts', import.meta.url),
}: ReaderThreadOptions): Promise<Thread | OpenRefusal> {
  const worker = new Worker(file, { workerData: { path }, name: 'reader' });
  const questions = openQuestions((question) => worker.postMessage(question));
  const refusal = await new Promise<OpenRefusal | null>((resolve) => {
    function ended(message: string): void {
      questions.end(message);
      resolve({ type: 'unusable', path, message });
    }
    worker.on('message', (reply: Reply<never>) => {
      if (reply.type === 'opened') resolve(reply.refusal);
      else questions.settle(reply);
    });
    worker.once('error', (error: unknown) => ended(`The thread that reads the record failed: ${messageOf(error)}`));
    worker.once('exit', () => ended('The thread that reads the record has ended.'));
  });

  async function end(): Promise<void> {
    questions.end('The record was closed.');
    await worker.terminate();
  }

  if (refusal !== null) {
    await end();
    return refusal;
  }
  return { method: questions.method, check: questions.check, end };
}

/** So many questions may wait; more are rejected at once. */
const mostWaiting = 10_000;

interface Waiting {
  resolve(result: never): void;
  reject(fault: Error): void;
}

interface Questions extends Pick<Thread, 'method' | 'check'> {
  settle(reply: Exclude<Reply<never>, { readonly type: 'opened' }>): void;
  /** Rejects what waits and whatever is asked from now on; the first message stays. */
  end(message: string): void;
}

function openQuestions(send: (question: Question<readonly unknown[]>) => void): Questions {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let methods = 0;
  let ended: Error | null = null;

  function check(): void {
    if (ended !== null) throw ended;
  }

  return {
    method() {
      const method = methods++;
      return async (...asked) => {
        check();
        if (waiting.size >= mostWaiting) throw new Error('Too much is asked of the record at once.');
        return new Promise((resolve, reject) => {
          const id = next++;
          waiting.set(id, { resolve, reject });
          send({ id, method, asked });
        });
      };
    },
    check,
    settle(reply) {
      const found = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (reply.type === 'result') found?.resolve(reply.result);
      else found?.reject(reply.fault);
    },
    end(message) {
      ended ??= new Error(message);
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
    },
  };
}
