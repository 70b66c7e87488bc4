import { Worker } from 'node:worker_threads';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Answer, Question } from './messages.ts';

/** The recorder's thread as seen from outside. It is started again when it dies, and asked again what it had not answered. */
export type Thread = ReturnType<typeof startThread>;

/** Parameters of a thread. */
export interface ThreadDeps {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The store never grows beyond so many bytes. */
  readonly maxBytes?: number;
  readonly incidents?: IncidentPolicy;
  /** Time within which somebody must be called (ms). */
  readonly alarmWithin?: number;
  /** The thread's own file; another one in tests. */
  readonly file?: URL;
}

interface Outstanding {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
}

const restartDelay = 500;

/** Starts the thread. Ask it `open` first. */
export function startThread({
  path,
  clock,
  log,
  maxBytes,
  incidents,
  alarmWithin,
  file = new URL('./recorder-worker.ts', import.meta.url),
}: ThreadDeps) {
  /** In the order in which they were asked, which is that of the answers. */
  let outstanding: Outstanding[] = [];
  let ended = false;
  let worker = spawn();

  function spawn(): Worker {
    const started = new Worker(file, {
      workerData: { path, maxBytes, quiet: incidents?.quiet, alarmWithin },
      name: 'recorder',
    });
    started.on('message', (answer: Answer) => outstanding.shift()?.resolve(answer));
    started.on('error', (error: unknown) => log.error({ error: String(error) }, 'recorder thread failed'));
    started.once('exit', (code) => {
      if (ended) return;
      log.error({ code, unanswered: outstanding.length }, 'recorder thread ended; starting it again');
      clock.after(restartDelay, restart);
    });
    return started;
  }

  function restart(): void {
    if (ended) return;
    worker = spawn();
    const { unopened = [], others = [] } = Object.groupBy(outstanding, ({ question }) =>
      question.type === 'open' ? 'unopened' : 'others',
    );
    outstanding = others;
    // A batch that was committed but not acknowledged is written twice: the same rows again, and history takes doubles once.
    for (const { question } of outstanding) worker.postMessage(question);
    for (const { resolve } of unopened)
      resolve({ type: 'failed', message: 'the recorder thread ended while it opened the store' });
  }

  return {
    ask(question: Question): Promise<Answer> {
      if (ended) return Promise.resolve({ type: 'failed', message: 'the recorder has stopped' });
      return new Promise((resolve) => {
        outstanding.push({ question, resolve });
        worker.postMessage(question);
      });
    },
    /** Ends the thread; what is still unanswered is answered as failed. */
    async end(): Promise<void> {
      ended = true;
      await worker.terminate();
      for (const { resolve } of outstanding.splice(0)) resolve({ type: 'failed', message: 'the recorder has stopped' });
    },
  };
}
