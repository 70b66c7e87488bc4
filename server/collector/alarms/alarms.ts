import { Worker } from 'node:worker_threads';
import type { AlarmProgram, AlarmSource } from '#lib/domain/alarm/source.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';
import { pause } from '../clusters/pause.ts';
import type { FromThread, ToThread } from './messages.ts';

/** The writing end of the store for alarm sources. */
export interface AlarmSink {
  /** Stores a batch of a source, after those of it before; rejects where it could not be stored. */
  write(source: string, batch: AlarmBatch): Promise<void>;
  /** The source as it is stored, everything written before included; rejects where it cannot be read now. */
  load(source: string): Promise<StoredAlarms>;
}

/** Parameters of the reading of alarms. */
export interface AlarmsDeps {
  readonly entries: readonly AlarmEntry[];
  readonly sink: AlarmSink;
  readonly clock: Clock;
  readonly log: Log;
  /** The thread's own file; another one in tests. */
  readonly file?: URL;
}

/** When a program was last read whole, for metrics. */
export interface ProgramAge {
  readonly source: string;
  readonly program: AlarmProgram;
  readonly url: string;
  /** When that reading began (ms since the epoch); null for never. */
  readonly readAt: number | null;
  /** False where it could not be read the last time, or was not yet. */
  readonly isLive: boolean;
}

/** The reading of all alarm sources, in a thread of its own. */
export interface Alarms {
  /** The programs of all sources, as they were last stored or tried to. */
  ages(): readonly ProgramAge[];
  /** Ends the readings, stores once more what is known, and ends the thread. */
  stop(): Promise<void>;
}

/** The thread is started again after this, and a store that cannot be read asked again (ms). */
const againAfter = 5_000;

/** The whole process has 5 s to end (ms). */
const stopWithin = 2_000;

/** Starts the thread, which reads each source once what is stored of it is known; where it dies, another one. Nothing in it throws. */
export function startAlarms(deps: AlarmsDeps): Alarms {
  const { entries, clock, log, sink } = deps;
  const ending = new AbortController();
  const seen = new Map<string, AlarmSource>();
  let worker: Worker | null = null;
  let stopped = (): void => undefined;

  function spawn(): void {
    const started = new Worker(deps.file ?? new URL('./alarms-worker.ts', import.meta.url), { name: 'alarms' });
    worker = started;
    started.on('message', (message: FromThread) => hear(started, message));
    started.on('error', (error: unknown) => log.error({ error: String(error) }, 'the thread that reads alarms failed'));
    started.once('exit', (code) => {
      worker = null;
      stopped();
      if (ending.signal.aborted) return;
      log.error({ code }, 'the thread that reads alarms ended; starting it again');
      clock.after(againAfter, () => {
        if (!ending.signal.aborted) spawn();
      });
    });
    for (const entry of entries) void begin(started, entry);
  }

  async function begin(started: Worker, entry: AlarmEntry): Promise<void> {
    while (worker === started && !ending.signal.aborted) {
      try {
        const stored = await sink.load(entry.name);
        return send(started, { type: 'read', entry, stored });
      } catch (error) {
        log.warn({ source: entry.name, error: String(error) }, 'what is stored of an alarm source cannot be read');
        await pause(clock, againAfter, ending.signal);
      }
    }
  }

  function hear(started: Worker, message: FromThread): void {
    if (message.type === 'stopped') return stopped();
    const { source, batch } = message;
    if (batch.source !== null) seen.set(source, batch.source);
    sink.write(source, batch).then(
      () => send(started, { type: 'stored', source, fault: null }),
      (error: unknown) => send(started, { type: 'stored', source, fault: String(error) }),
    );
  }

  async function stop(): Promise<void> {
    const running = worker;
    const isDone = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    ending.abort();
    if (running === null) return;
    send(running, { type: 'stop' });
    const late = clock.after(stopWithin, () => stopped());
    await isDone;
    late.cancel();
    await running.terminate();
  }

  if (entries.length > 0) spawn();
  return {
    ages: () =>
      [...seen.values()].flatMap(({ name, programs }) =>
        programs.map(({ program, url, readAt, state }) => ({
          source: name,
          program,
          url,
          readAt,
          isLive: state === 'live',
        })),
      ),
    stop,
  };
}

function send(worker: Worker, message: ToThread): void {
  worker.postMessage(message);
}
