import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createBatchEncoder } from '#server/store/codec/encoded.ts';
import { clusterSource } from '#server/store/port/port.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import type { Answer, Entry, Question } from './messages.ts';
import { serveWriter } from './serve-writer.ts';

const encode = createBatchEncoder();
const lease = { source: clusterSource('a'), holder: 'one', epoch: 1 };
const acquire: Question = {
  type: 'acquire',
  sources: [clusterSource('a'), clusterSource('b')],
  holder: 'one',
  now: noon,
  ttl: 1000,
};
const taken: Answer = {
  type: 'acquired',
  leases: ['a', 'b'].map((name) => ({ source: clusterSource(name), holder: 'one', epoch: 1 })),
};
const objects = withDetails([objectOf(refOf('a', 1))]);
const batch: Entry = { type: 'batch', lease, batch: encode(batchOf({ cluster: clusterOf('a'), objects })) };

/** The path of a store, and what asks the writing end of it, all at once. */
function server(prepare: (path: string) => void = () => undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-serve-writer-'));
  const path = join(directory, 'plumbline.db');
  prepare(path);
  const { port1, port2 } = new MessageChannel();
  serveWriter(port2, { path, log: silentLog, busyTimeout: 10 });
  onTestFinished(() => {
    port1.close();
    rmSync(directory, { recursive: true });
  });
  return {
    path,
    ask(...questions: Question[]): Promise<readonly Answer[]> {
      const answers: Answer[] = [];
      return new Promise((resolve) => {
        port1.on('message', (answer: Answer) => {
          if (answers.push(answer) === questions.length) resolve(answers);
        });
        for (const question of questions) port1.postMessage(question);
      });
    },
  };
}

it('answers one question after the other, each by what came before it', async () => {
  const { ask } = server();
  const answers = await ask(
    { type: 'open' },
    { type: 'open' },
    acquire,
    { type: 'commit', entries: [batch] },
    { type: 'load', cluster: 'a' },
    { type: 'commit', entries: [batch, { type: 'forget', lease, at: noon }] },
    { type: 'load', cluster: 'a' },
    { type: 'keep', retention: { spans: 30 * day, messages: 30 * day }, now: noon },
    { type: 'release', leases: [lease] },
    { ...acquire, sources: [clusterSource('a')], holder: 'two' },
    { type: 'close' },
  );
  const [first, second, acquired, committed, loaded, forgotten, empty, ...others] = answers;
  expect([first, second, acquired]).toEqual([
    { type: 'opened', refusal: null },
    { type: 'opened', refusal: null },
    taken,
  ]);
  expect(committed).toEqual({ type: 'committed', results: [{ type: 'written' }], duration: expect.any(Number) });
  expect(loaded).toMatchObject({
    type: 'loaded',
    state: { cluster: clusterOf('a'), objects: [{ object: { ref: refOf('a', 1) } }] },
  });
  expect(forgotten).toMatchObject({ results: [{ type: 'written' }, { type: 'written' }] });
  expect(empty).toMatchObject({ type: 'loaded', state: { cluster: null, objects: [] } });
  expect(others).toEqual([
    { type: 'kept', more: true, pressing: false },
    { type: 'released' },
    { type: 'acquired', leases: [{ source: clusterSource('a'), holder: 'two', epoch: 2 }] },
    { type: 'closed' },
  ]);
});

it('measures a commit in ms', async () => {
  const { ask } = server();
  const began = performance.now();
  const [, committed] = await ask(acquire, { type: 'commit', entries: [batch] });
  const duration = committed?.type === 'committed' ? committed.duration : NaN;
  expect(duration).toBeGreaterThan(0);
  expect(duration).toBeLessThanOrEqual(performance.now() - began);
});

it('opens the store with the first question of a thread that was started anew', async () => {
  expect(await server().ask(acquire, { type: 'close' })).toEqual([taken, { type: 'closed' }]);
});

it('closes what was never opened', async () => {
  expect(await server().ask({ type: 'close' })).toEqual([{ type: 'closed' }]);
});

it('gives the refusal to open, and the same in words to whatever else is asked', async () => {
  const { ask, path } = server((file) => {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 999');
    database.close();
  });
  const [opening, failed, closed] = await ask({ type: 'open' }, { type: 'load', cluster: 'a' }, { type: 'close' });
  expect(closed).toEqual({ type: 'closed' });
  expect(opening).toMatchObject({ type: 'opened', refusal: { type: 'newer', version: 999 } });
  expect(failed).toMatchObject({
    type: 'failed',
    message: expect.stringContaining(`the store at ${path} has version 999, this program knows `),
  });
});

it('gives the refusal of a store that another holds, and goes on after it', async () => {
  const { ask, path } = server();
  await ask({ type: 'open' });
  const blocker = new DatabaseSync(path);
  blocker.exec('BEGIN IMMEDIATE');
  const message = 'database is locked';
  expect(await ask(acquire)).toEqual([{ type: 'failed', message, refusal: { type: 'failed', message } }]);
  blocker.exec('ROLLBACK');
  blocker.close();
  expect(await ask(acquire)).toEqual([taken]);
});
