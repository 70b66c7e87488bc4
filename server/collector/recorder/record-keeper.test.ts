import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { settled } from '../clusters/testing/until.ts';
import type { Answer, Question } from './messages.ts';
import { startRecordKeeper } from './record-keeper.ts';

const retention = { spans: 1, messages: 2 };

/** A keeper that was started at 0 over a thread with these answers, the last one for ever. */
function keeper(...given: [Answer, ...Answer[]]) {
  const asked: Question[] = [];
  const warnings: [object, string][] = [];
  const clock = fakeClock(0);
  let busy = false;
  const made = startRecordKeeper({
    thread: {
      async ask(question): Promise<Answer> {
        asked.push(question);
        return given[Math.min(asked.length, given.length) - 1] ?? given[0];
      },
      end: async () => undefined,
    },
    clock,
    log: { ...silentLog, warn: (data, message) => void warnings.push([data, message]) },
    retention,
    busy: () => busy,
  });
  return {
    clock,
    warnings,
    stop: made.stop,
    isBusy: (now: boolean) => void (busy = now),
    /** Times at which the thread was asked (ms). */
    times: (): readonly unknown[] => asked.map((question) => (question.type === 'keep' ? question.now : question)),
    asked,
    async until(at: number): Promise<void> {
      clock.set(at - 1);
      await settled(3);
      clock.advance(1);
      await settled(3);
    },
  };
}

it('keeps the record each minute, and each 50 ms while there is more', async () => {
  const { until, times, asked } = keeper(
    { type: 'kept', more: true, pressing: false },
    { type: 'kept', more: false, pressing: false },
  );
  await until(59_999);
  expect(times()).toEqual([]);
  await until(60_000);
  expect(asked).toEqual([{ type: 'keep', retention, now: 60_000 }]);
  await until(60_049);
  expect(times()).toEqual([60_000]);
  await until(60_050);
  await until(120_049);
  expect(times()).toEqual([60_000, 60_050]);
  await until(120_050);
  expect(times()).toEqual([60_000, 60_050, 120_050]);
});

it('goes on at once while readers wait for what is left', async () => {
  const pressing = { type: 'kept', more: true, pressing: true } as const;
  const { until, times } = keeper(pressing, pressing, { type: 'kept', more: false, pressing: false });
  await until(60_000);
  await until(60_001);
  expect(times()).toEqual([60_000, 60_000, 60_000]);
});

it('asks again each second while there is something more pressing', async () => {
  const { until, times, isBusy } = keeper({ type: 'kept', more: false, pressing: false });
  isBusy(true);
  await until(60_000);
  await until(61_000);
  isBusy(false);
  await until(61_999);
  expect(times()).toEqual([]);
  await until(62_000);
  expect(times()).toEqual([62_000]);
});

it.each<[Answer, string]>([
  [{ type: 'failed', message: 'locked' }, 'locked'],
  [{ type: 'closed' }, 'the recorder thread does not answer'],
])('tries again after %j, and says it once until it was kept', async (failed, message) => {
  const { until, times, warnings } = keeper(failed, failed, { type: 'kept', more: false, pressing: false }, failed);
  await until(60_000);
  await until(120_000);
  const said = [{ message }, 'the record could not be kept; it is tried again'];
  expect([times(), warnings]).toEqual([[60_000, 120_000], [said]]);
  await until(180_000);
  await until(240_000);
  expect(warnings).toEqual([said, said]);
});

it('keeps nothing once it is stopped, and complains of nothing', async () => {
  const { until, clock, warnings, stop } = keeper({ type: 'failed', message: 'the recorder has stopped' });
  clock.set(60_000);
  stop();
  await settled(3);
  expect([clock.pending(), warnings]).toEqual([0, []]);
  const idle = keeper({ type: 'kept', more: false, pressing: false });
  idle.stop();
  await until(60_000);
  expect([idle.clock.pending(), idle.times()]).toEqual([0, []]);
});
