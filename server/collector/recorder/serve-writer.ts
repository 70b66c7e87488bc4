import type { MessagePort } from 'node:worker_threads';
import type { EncodedWriter } from '#server/store/codec/encoded.ts';
import { describeOpenRefusal, type OpenRefusal } from '#server/store/port/open-refusal.ts';
import type { StepResult } from '#server/store/port/port.ts';
import { messageOf, refusalOf } from '#server/store/sqlite/failure.ts';
import { openSqliteEncodedWriter, type SqliteWriterOptions } from '#server/store/sqlite/writing/writer.ts';
import type { Answer, Entry, Question } from './messages.ts';

function write(store: EncodedWriter, entry: Entry): Promise<StepResult> {
  switch (entry.type) {
    case 'batch':
      return store.write(entry.lease, entry.batch);
    case 'forget':
      return store.forget(entry.lease, entry.at);
    case 'alarms':
      return store.writeAlarms(entry.lease, entry.batch);
    case 'forget-alarms':
      return store.forgetAlarms(entry.lease, entry.at);
  }
}

async function commit(store: EncodedWriter, entries: readonly Entry[]): Promise<Answer> {
  const started = performance.now();
  // Asked for at once, not one after the other: the engine commits what waits at the same time together.
  const results = await Promise.all(entries.map((entry) => write(store, entry)));
  return { type: 'committed', results, duration: performance.now() - started };
}

/** Answers over a port what is asked of the writing end of the store, one question after the other. */
export function serveWriter(port: MessagePort, options: SqliteWriterOptions): void {
  let writer: EncodedWriter | null = null;
  let last: Promise<void> = Promise.resolve();

  function open(): EncodedWriter | OpenRefusal {
    if (writer !== null) return writer;
    const result = openSqliteEncodedWriter(options);
    if (!('type' in result)) writer = result;
    return result;
  }

  /** The open writer; a thread that was started anew opens it with the first thing that it is asked. */
  function opened(): EncodedWriter {
    const result = open();
    if ('type' in result) throw new Error(describeOpenRefusal(result));
    return result;
  }

  async function answer(question: Question): Promise<Answer> {
    switch (question.type) {
      case 'open': {
        const result = open();
        return { type: 'opened', refusal: 'type' in result ? result : null };
      }
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
      case 'load-alarms':
        return { type: 'loaded-alarms', alarms: await opened().loadAlarms(question.source) };
      case 'commit':
        return commit(opened(), question.entries);
      case 'keep':
        return { type: 'kept', ...(await opened().keep(question.retention, question.now)) };
      case 'close':
        await writer?.close();
        return { type: 'closed' };
    }
  }

  async function serve(question: Question): Promise<void> {
    const reply = (given: Answer): void => port.postMessage(given);
    try {
      reply(await answer(question));
    } catch (error) {
      reply({ type: 'failed', message: messageOf(error), refusal: refusalOf(error, options.path) });
    }
  }

  port.on('message', (question: Question) => {
    last = last.then(() => serve(question));
  });
}
