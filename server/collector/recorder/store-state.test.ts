import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
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
