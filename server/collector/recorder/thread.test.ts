import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startThread } from './thread.ts';

/** A thread that dies of its first question and answers from its second start on. */
const mortal = `
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
parentPort.on('message', ({ id, question }) => {
  if (!existsSync(workerData.path)) {
    writeFileSync(workerData.path, 'died');
    process.exit(7);
  }
  parentPort.postMessage({ id, answer: { type: 'failed', message: question.type } });
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
