import { parentPort, workerData } from 'node:worker_threads';
import { numberAt, textAt } from '#lib/foreign.ts';
import { createLog } from '#server/runtime/log.ts';
import type { EncodedWriter } from '#server/store/codec/encoded.ts';
import { describeOpenRefusal, type OpenRefusal } from '#server/store/port/open-refusal.ts';
import { messageOf, refusalOf } from '#server/store/sqlite/failure.ts';
import { openSqliteEncodedWriter } from '#server/store/sqlite/writing/writer.ts';
import type { Answer, Entry, Question, Reply, Request } from './messages.ts';

/** The recorder's thread: it alone holds the writing connection, so that no commit delays a stream. */
const path = textAt(workerData, 'path') ?? '';
const maxBytes = numberAt(workerData, 'maxBytes');
const log = createLog('recorder', textAt(workerData, 'level') ?? undefined);
// The whole process has 5 s to end: another process's transaction is not waited for longer than this (ms).
const busyTimeout = 1000;
let writer: EncodedWriter | null = null;

function open(): OpenRefusal | null {
  if (writer !== null) return null;
  const result = openSqliteEncodedWriter({ path, log, busyTimeout, ...(maxBytes === null ? {} : { maxBytes }) });
  if ('type' in result) return result;
  writer = result;
  return null;
}

/** The open writer; a thread that was started anew opens it with the first thing that it is asked. */
function opened(): EncodedWriter {
  const refusal = open();
  if (writer === null) throw new Error(refusal === null ? 'the store is not open' : describeOpenRefusal(refusal));
  return writer;
}

async function commit(store: EncodedWriter, entries: readonly Entry[]): Promise<Answer> {
  const started = performance.now();
  // Asked for at once, not one after the other: the engine commits what waits at the same time together.
  const results = await Promise.all(
    entries.map((entry) =>
      entry.type === 'batch' ? store.write(entry.lease, entry.batch) : store.forget(entry.lease, entry.at),
    ),
  );
  return { type: 'committed', results, duration: performance.now() - started };
}

async function answer(question: Question): Promise<Answer> {
  switch (question.type) {
    case 'open':
      return { type: 'opened', refusal: open() };
    case 'acquire': {
      const { sources, holder, now, ttl } = question;
      return {
        type: 'acquired',
        leases: await Promise.all(sources.map((source) => opened().acquire(source, holder, now, ttl))),
      };
    }
    case 'release':
      await Promise.all(question.leases.map((lease) => opened().release(lease)));
      return { type: 'released' };
    case 'load':
      return { type: 'loaded', state: await opened().load(question.cluster) };
    case 'commit':
      return commit(opened(), question.entries);
    case 'keep': {
      const { more } = await opened().keep(question.retention, question.now);
      return { type: 'kept', more };
    }
    case 'close':
      await writer?.close();
      return { type: 'closed' };
  }
}

let last: Promise<void> = Promise.resolve();

async function serve({ id, question }: Request): Promise<void> {
  const reply = (given: Answer): void => parentPort?.postMessage({ id, answer: given } satisfies Reply);
  try {
    reply(await answer(question));
  } catch (error) {
    reply({ type: 'failed', message: messageOf(error), refusal: refusalOf(error, path) });
  }
}

parentPort?.on('message', (request: Request) => {
  last = last.then(() => serve(request));
});
