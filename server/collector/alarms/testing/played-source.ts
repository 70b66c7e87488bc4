import { onTestFinished } from 'vitest';
import { type AlarmFact, factKey } from '#lib/domain/alarm/fact.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import { type FakeClock, fakeClock } from '#server/runtime/fake-clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';
import { settled } from '../../clusters/testing/until.ts';
import type { RowLimit } from '../../row-budget/row-budget.ts';
import type { Asked } from '../asking/asked.ts';
import { startSource } from '../source/alarm-source.ts';
import { alarmEntry } from './program-server.ts';

/** The answer of a test to a question, or a failure; null for one that never comes. */
export type Answering = (path: string, parameters: Readonly<Record<string, string>>, address: string) => Asked | null;

export const nothingStored: StoredAlarms = { source: null, facts: [], openCalls: [] };

/** Plays a source against a fake clock whose tasks come without jitter. */
export function playedSource(given: {
  readonly entry?: Partial<AlarmEntry>;
  readonly answer: Answering;
  readonly stored?: StoredAlarms;
  readonly clock?: FakeClock;
  readonly log?: Log;
  /** Stores a batch; rejects where it does not. */
  readonly write?: (batch: AlarmBatch) => Promise<void>;
  readonly limits?: readonly RowLimit[];
}) {
  const clock = given.clock ?? fakeClock();
  const batches: AlarmBatch[] = [];
  const asked: { readonly at: number; readonly address: string; readonly path: string; readonly query: string }[] = [];
  const stored = new Map<string, AlarmFact>((given.stored?.facts ?? []).map((fact) => [factKey(fact), fact]));
  let answer = given.answer;
  const running = startSource({
    entry: alarmEntry({ prometheus: 'http://p', alertmanagers: ['http://am'], ...given.entry }),
    stored: given.stored ?? nothingStored,
    clock,
    log: given.log ?? silentLog,
    ...(given.limits === undefined ? {} : { limits: given.limits }),
    random: () => 0.5,
    turn: () => Promise.resolve(),
    async write(batch) {
      await given.write?.(batch);
      batches.push(batch);
      for (const fact of batch.put) stored.set(factKey(fact), fact);
      for (const key of batch.removed) stored.delete(key);
    },
    asker:
      ({ address, signal }) =>
      (path, parameters = {}) => {
        asked.push({ at: clock.now(), address, path, query: parameters['query'] ?? '' });
        const found = answer(path, parameters, address);
        if (found !== null) return Promise.resolve(found);
        return new Promise((resolve) => {
          const end = (): void => resolve({ type: 'failed', reason: 'It did not answer within 10 s.' });
          clock.after(10_000, end);
          signal.addEventListener('abort', end);
        });
      },
  });
  onTestFinished(() => running.stop());
  return {
    clock,
    batches,
    asked,
    stored,
    stop: running.stop,
    /** From now on this is answered. */
    answers(next: Answering): void {
      answer = next;
    },
    /** Lets the time go on by `seconds`, and everything run that falls due. */
    async pass(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000);
        await settled(3);
      }
    },
    /** Batches since this was asked last. */
    taken: (): readonly AlarmBatch[] => batches.splice(0),
  };
}
