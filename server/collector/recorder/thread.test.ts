import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { until } from '../clusters/testing/until.ts';
import { startThread } from './thread.ts';

/** A thread that dies of its first question and answers from its second start on. */
const mortal = `
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
parentPort.on('message', (question) => {
  if (!existsSync(workerData.path)) {
    writeFileSync(workerData.path, 'died');
    process.exit(7);
  }
  parentPort.postMessage({ type: 'failed', message: question.type });
});`;

it('is started again when it dies, and asked again in the same order what it had not answered', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-thread-'));
  const path = join(directory, 'died');
  const file = new URL(`data:text/javascript,${encodeURIComponent(mortal)}`);
  const thread = startThread({ path, clock: systemClock, log: silentLog, file });
  const order: string[] = [];
  await Promise.all([
    thread
      .ask({ type: 'load', cluster: 'a' })
      .then((answer) => order.push(answer.type === 'failed' ? answer.message : '')),
    thread
      .ask({ type: 'release', leases: [] })
      .then((answer) => order.push(answer.type === 'failed' ? answer.message : '')),
  ]);
  expect(existsSync(path)).toBe(true);
  expect(order).toEqual(['load', 'release']);
  await thread.end();
  expect(await thread.ask({ type: 'close' })).toEqual({ type: 'failed', message: 'the recorder has stopped' });
  rmSync(directory, { recursive: true });
});

it('answers as failed what is unanswered when it is ended', async () => {
  const file = new URL(
    `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => undefined);")}`,
  );
  const thread = startThread({ path: '', clock: systemClock, log: silentLog, file });
  const asked = thread.ask({ type: 'load', cluster: 'a' });
  await thread.end();
  expect(await asked).toEqual({ type: 'failed', message: 'the recorder has stopped' });
});

it('says that it is started again, after half a second, and of an opening that it failed', async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(mortal)}`);
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-thread-'));
  const clock = fakeClock(0);
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (data: object) => void errors.push(data) };
  const thread = startThread({ path: join(directory, 'died'), clock, log, file });
  const opened = thread.ask({ type: 'open' });
  const loaded = thread.ask({ type: 'load', cluster: 'a' });
  await until('the end of the thread', () => errors.length > 0);
  expect(errors).toEqual([{ code: 7, unanswered: 2 }]);
  expect(clock.pending()).toBe(1);
  clock.advance(499);
  expect(clock.pending()).toBe(1);
  clock.advance(1);
  expect(await opened).toEqual({ type: 'failed', message: 'the recorder thread ended while it opened the store' });
  expect(await loaded).toEqual({ type: 'failed', message: 'load' });
  await thread.end();
  rmSync(directory, { recursive: true });
});

it('logs why it failed, and starts none anew once it is ended', async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('no memory')")}`);
  const clock = fakeClock(0);
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (data: object) => void errors.push(data) };
  const thread = startThread({ path: '', clock, log, file });
  await until('the end of the thread', () => errors.length > 1);
  expect(errors).toEqual([{ error: 'Error: no memory' }, { code: 1, unanswered: 0 }]);
  await thread.end();
  clock.advance(1_000);
  expect(clock.pending()).toBe(0);
  await new Promise((resolve) => void setTimeout(resolve, 50));
  expect(errors).toHaveLength(2);
});
