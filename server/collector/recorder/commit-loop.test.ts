import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createBatchEncoder } from '#server/store/codec/encoded.ts';
import { clusterSource, type FactSource, type WriteResult } from '#server/store/port/port.ts';
import { batchOf } from '#test/contract/store-records.ts';
import { settled } from '../clusters/testing/until.ts';
import { createCommitLoop, groupRows, type CommitSample } from './commit-loop.ts';
import type { Answer, Question } from './messages.ts';
import { createStoreState } from './store-state.ts';
import { writeQueue } from './write-queue.ts';

const encode = createBatchEncoder();
const full: WriteResult = { type: 'full', message: 'disk full' };

let folder: string;
let clock: FakeClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-loop-'));
  clock = fakeClock(0);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A loop over a thread that gives every write this result; `commits`: how many batches each commit held, and when it came (ms). */
function loop() {
  const commits: (readonly [at: number, batches: number])[] = [];
  const outcomes: string[] = [];
  const samples: CommitSample[] = [];
  const lost: FactSource[] = [];
  const errors: object[] = [];
  let tried = 0;
  let result: WriteResult = { type: 'written' };
  let instead: Answer | null = null;
  let held: Promise<void> | null = null;
  const queue = writeQueue();
  const state = createStoreState(join(folder, 'a.db'), clock, silentLog, queue.pending);
  const made = createCommitLoop({
    thread: {
      async ask(question: Question): Promise<Answer> {
        if (question.type !== 'commit') return { type: 'closed' };
        commits.push([clock.now(), question.entries.length]);
        if (held !== null) await held;
        if (instead !== null) return instead;
        return { type: 'committed', results: question.entries.map(() => result), duration: 1 };
      },
      end: async () => undefined,
    },
    clock,
    log: { ...silentLog, error: (data) => void errors.push(data) },
    queue,
    state,
    onLost: (source) => void lost.push(source),
    onCommit: (sample) => void samples.push(sample),
    onTried: () => void tried++,
  });
  return {
    commits,
    outcomes,
    samples,
    lost,
    errors,
    tried: () => tried,
    state,
    committing: made,
    answersInstead: (answer: Answer) => void (instead = answer),
    holds: (until: Promise<void>) => void (held = until),
    gives: (next: WriteResult) => void (result = next),
    write(rows = 1): void {
      const lease = { source: clusterSource('a'), holder: 'one', epoch: 1 };
      const entry = { type: 'batch' as const, lease, batch: encode(batchOf()) };
      queue.add({
        entry,
        rows,
        since: clock.now(),
        settle: (outcome) =>
          void outcomes.push(outcome.type === 'lost' ? `${outcome.why}: ${outcome.message}` : outcome.type),
      });
      made.soon();
    },
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await settled(5);
    },
  };
}

it('commits what comes within 100 ms together', async () => {
  const { write, pass, commits, outcomes } = loop();
  write();
  await pass(60);
  write();
  await pass(39);
  expect(commits).toEqual([]);
  await pass(1);
  expect(commits).toEqual([[100, 2]]);
  expect(outcomes).toEqual(['written', 'written']);
});

it('commits at once what is much', async () => {
  expect(groupRows).toBe(500);
  const { write, pass, commits } = loop();
  write(groupRows - 1);
  await pass(0);
  expect(commits).toEqual([]);
  write(1);
  await pass(0);
  expect(commits).toEqual([[0, 2]]);
});

it('tries no sooner than it should while the store refuses, however much comes, and then all together', async () => {
  const { write, pass, commits, gives, state, outcomes } = loop();
  gives(full);
  write();
  await pass(100);
  expect(state.now()).toMatchObject({ type: 'blocked', attempts: 1 });
  write(groupRows);
  await pass(249);
  expect(commits).toEqual([[100, 1]]);
  await pass(1);
  gives({ type: 'written' });
  await pass(499);
  expect(commits).toEqual([
    [100, 1],
    [350, 2],
  ]);
  await pass(1);
  expect(commits.at(-1)).toEqual([850, 2]);
  expect([state.now().type, outcomes]).toEqual(['writing', ['written', 'written']]);
});

it('knows by another answer that the store takes writes again, or that it refuses', async () => {
  const { committing, write, pass, gives, commits, state } = loop();
  committing.answered(full);
  expect(state.now()).toMatchObject({ type: 'blocked', refusal: full, attempts: 1 });
  write();
  committing.answered(null);
  expect(state.now()).toEqual({ type: 'writing' });
  gives({ type: 'written' });
  await pass(250);
  expect(commits).toEqual([[250, 1]]);
});

it('ends with one more attempt for each write that waits, and says what was lost', async () => {
  const { committing, write, pass, gives, commits, outcomes, errors } = loop();
  write();
  await committing.end();
  expect([commits.length, outcomes, errors]).toEqual([1, ['written'], []]);
  gives(full);
  write();
  await pass(1_000);
  expect(commits).toHaveLength(1);
  await committing.end();
  expect([commits.length, outcomes, errors]).toEqual([
    2,
    ['written', 'stopped: the recorder stopped before it could be written'],
    [{ batches: 1 }],
  ]);
});

it.each([
  [5_000, [2]],
  [5_001, [1, 1]],
])('commits up to 5,000 rows at once: of %i', async (rows, expected) => {
  const { write, pass, commits } = loop();
  write(1);
  write(rows - 1);
  await pass(100);
  await pass(100);
  expect(commits.map(([, batches]) => batches)).toEqual(expected);
});

it('measures each commit of which something was written, and no other', async () => {
  const { write, pass, samples, gives, tried, lost } = loop();
  write(2);
  write(3);
  await pass(100);
  expect(samples).toEqual([{ duration: 1, rows: 5, batches: 2 }]);
  gives({ type: 'fenced' });
  write();
  await pass(100);
  expect([samples.length, tried(), lost]).toEqual([1, 2, [clusterSource('a')]]);
});

it.each<[Answer, string]>([
  [{ type: 'failed', message: 'out of memory' }, 'out of memory'],
  [{ type: 'closed' }, 'the recorder thread does not answer'],
])('takes %j for a refusal', async (answer, message) => {
  const { write, pass, samples, answersInstead, state } = loop();
  answersInstead(answer);
  write();
  await pass(100);
  expect(state.now()).toMatchObject({ type: 'blocked', refusal: { type: 'failed', message } });
  expect(samples).toEqual([]);
});

it.each([
  ['while it commits', false],
  ['while it ends', true],
])('has one commit at a time, whatever else is answered %s', async (_name, ends) => {
  const { committing, write, pass, holds, commits, outcomes } = loop();
  let free = (): void => undefined;
  holds(
    new Promise((resolve) => {
      free = resolve;
    }),
  );
  write();
  if (ends) void committing.end();
  await pass(ends ? 0 : 100);
  committing.answered(full);
  await pass(250);
  expect(commits).toHaveLength(1);
  free();
  await pass(0);
  expect([commits.length, outcomes]).toEqual([1, ['written']]);
});
