import { Worker } from 'node:worker_threads';
import type { Call, Message } from './serve-calls.ts';

/** Options for starting a thread. */
export interface ThreadOptions {
  /** Its module, which calls `serveCalls`. */
  readonly file: URL;
  /** `workerData` of its module. */
  readonly data: unknown;
  readonly name: string;
  /** Its work, for messages: "that reads the record". */
  readonly does: string;
}

/** A thread that answers calls. */
export interface Thread {
  /** Gives the answer to a call, whose type the caller knows; rejects with the fault of the thread, and once the thread has ended. */
  call<T>(name: string, asked: readonly unknown[]): Promise<T>;
  /** Throws where it has ended. */
  check(): void;
  /** Ends it; what is unanswered is rejected with `message`. */
  end(message: string): Promise<void>;
}

/** Starts a thread, and gives it with its greeting once it serves. Throws where it ends before. */
export async function startThread<Greeting>(
  options: ThreadOptions,
): Promise<{ readonly thread: Thread; readonly greeting: Greeting }> {
  const { file, data, name, does } = options;
  const worker = new Worker(file, { workerData: data, name });
  const calls = openCalls((call) => worker.postMessage(call));

  async function end(message: string): Promise<void> {
    calls.end(new Error(message));
    await worker.terminate();
  }

  const greeting = await new Promise<Greeting>((resolve, reject) => {
    function ended(message: string): void {
      const fault = new Error(message);
      calls.end(fault);
      reject(fault);
    }
    worker.on('message', (message: Message<never>) => {
      if (message.type === 'serving') resolve(message.greeting);
      else calls.settle(message);
    });
    worker.once('error', (error: unknown) => {
      ended(`The thread ${does} failed: ${error instanceof Error ? error.message : String(error)}`);
    });
    worker.once('exit', () => ended(`The thread ${does} has ended.`));
  });
  return { thread: { call: calls.call, check: calls.check, end }, greeting };
}

/** So many calls may wait; more are rejected at once. */
const mostWaiting = 10_000;

interface Waiting {
  resolve(result: never): void;
  reject(fault: Error): void;
}

interface Calls extends Pick<Thread, 'call' | 'check'> {
  settle(message: Exclude<Message<never>, { readonly type: 'serving' }>): void;
  /** Rejects what waits and whatever is called from now on; the first fault stays. */
  end(fault: Error): void;
}

function openCalls(send: (call: Call<readonly unknown[]>) => void): Calls {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let over: Error | null = null;

  function check(): void {
    if (over !== null) throw over;
  }

  return {
    async call(name, asked) {
      check();
      if (waiting.size >= mostWaiting) throw new Error('Too much is asked at once.');
      return new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        send({ id, name, asked });
      });
    },
    check,
    settle(message) {
      const found = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === 'result') found?.resolve(message.result);
      else found?.reject(message.fault);
    },
    end(fault) {
      over ??= fault;
      for (const { reject } of waiting.values()) reject(over);
      waiting.clear();
    },
  };
}
