import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import { readCondition } from '#server/store/port/condition.ts';
import type { WriteResult } from '#server/store/port/port.ts';
import { createStoreState } from './store-state.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-state-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const full = { type: 'full', message: 'no space' } as const;

it('waits twice as long after each refusal, 10 s at most, and is quick again after a write', () => {
  const clock = fakeClock(1_000);
  const state = createStoreState(join(folder, 'a.db'), clock, silentLog, () => ({ batches: 1, rows: 1, since: 0 }));
  expect(state.now()).toEqual({ type: 'writing' });
  const waits = Array.from({ length: 8 }, () => state.refused(full));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  clock.advance(500);
  state.refused({ type: 'read-only', message: 'ro' });
  expect(state.now()).toEqual({
    type: 'blocked',
    refusal: { type: 'read-only', message: 'ro' },
    since: 1_000,
    attempts: 9,
  });
  state.accepted();
  expect(state.now()).toEqual({ type: 'writing' });
  expect(state.refused(full)).toBe(250);
});

it.each<[WriteResult, string, string]>([
  [full, 'full', 'no space'],
  [{ type: 'read-only', message: 'ro' }, 'read-only', 'ro'],
  [{ type: 'failed', message: 'locked' }, 'failed', 'locked'],
  [{ type: 'fenced' }, 'failed', ''],
])('writes %j into the file beside the store, and what ended it', (refusal, why, message) => {
  const clock = fakeClock(1_000);
  const path = join(folder, `${refusal.type}.db`);
  const state = createStoreState(path, clock, silentLog, () => ({ batches: 1, rows: 1, since: 0 }));
  expect(readCondition(path)).toEqual({ type: 'writing' });
  state.refused(refusal);
  clock.advance(250);
  state.refused(refusal);
  expect(readCondition(path)).toEqual({ type: 'refusing', why, message, since: 1_000, triedAt: 1_250 });
  state.accepted();
  expect(readCondition(path)).toEqual({ type: 'writing' });
});

it('logs the first refusal and the end of it, and nothing between', () => {
  const clock = fakeClock(1_000);
  const logged: object[] = [];
  const log: Log = {
    ...silentLog,
    info: (data) => void logged.push(data),
    warn: (data) => void logged.push(data),
  };
  const pending = { batches: 1, rows: 2, since: 3 };
  const state = createStoreState(join(folder, 'log.db'), clock, log, () => pending);
  state.accepted();
  state.refused(full);
  clock.advance(400);
  state.refused(full);
  state.accepted();
  state.accepted();
  expect(logged).toEqual([{ refusal: full, pending }, { blockedFor: 400 }]);
});

it('goes on from what a process before it was refused, until a write is taken', () => {
  const clock = fakeClock(1_000);
  const path = join(folder, 'killed.db');
  const pending = { batches: 1, rows: 1, since: 0 };
  createStoreState(path, clock, silentLog, () => pending).refused(full);
  clock.advance(60_000);
  const state = createStoreState(path, clock, silentLog, () => pending);
  expect(readCondition(path)).toMatchObject({ type: 'refusing', since: 1_000 });
  state.refused(full);
  expect(readCondition(path)).toMatchObject({ type: 'refusing', since: 1_000, triedAt: 61_000 });
  state.accepted();
  expect(readCondition(path)).toEqual({ type: 'writing' });
  createStoreState(path, clock, silentLog, () => pending).refused(full);
  expect(readCondition(path)).toMatchObject({ since: 61_000 });

  const other = createStoreState(path, clock, silentLog, () => pending);
  other.accepted();
  expect(readCondition(path)).toEqual({ type: 'writing' });
});
