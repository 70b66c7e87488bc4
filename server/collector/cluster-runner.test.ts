import { afterEach, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startClusterRunner, type ClusterRunner, type ClusterRunnerDeps } from './cluster-runner.ts';
import { createSemaphore } from './clusters/semaphore.ts';
import { fixedAccess, startScriptedServer } from './clusters/testing/scripted-server.ts';
import { settled, until } from './clusters/testing/until.ts';
import { createExternalClaims } from './model/claims/external-claims.ts';
import { createUnpackedCache } from './model/objects/unpacked-cache.ts';
import { createRemoteApplierIndex } from './model/remote/remote-applier-index.ts';
import { fakeRecorder } from './testing/fake-recorder.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A row that stands for no cluster, of which everything is asked on a fake clock. */
function bed(change: Partial<ClusterRunnerDeps> = {}) {
  const clock = fakeClock(1_000_000);
  const fake = fakeRecorder();
  const errors: string[] = [];
  const deps: ClusterRunnerDeps = {
    name: 'eu',
    labels: { environment: 'production' },
    accessResult: { type: 'declared' },
    stacks: [],
    metrics: [],
    policy: defaultPolicy,
    keepMessages: true,
    clock,
    log: { ...silentLog, error: (_data, message) => void errors.push(message) },
    random: () => 0,
    recorder: fake.recorder,
    dials: createSemaphore(clock, 1),
    syncs: createSemaphore(clock, 1),
    remotes: createRemoteApplierIndex(() => true),
    externals: createExternalClaims(),
    unpackedCache: createUnpackedCache(),
    ...change,
  };
  return {
    ...fake,
    clock,
    errors,
    start(own: Partial<ClusterRunnerDeps> = {}): ClusterRunner {
      const runner = startClusterRunner({ ...deps, ...own });
      closers.push(runner.stop);
      return runner;
    },
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await settled(5);
    },
  };
}

it.each<[ClusterRunnerDeps['accessResult'], string, string]>([
  [{ type: 'declared' }, 'declared', 'It stands for what plumbline.yaml declares; there is no cluster to read.'],
  [{ type: 'invalid', message: 'no such file' }, 'misconfigured', 'no such file'],
])('shows %j as a row', async (accessResult, state, reason) => {
  const { start, pass, rows } = bed({ accessResult });
  const runner = start();
  expect([runner.name, runner.isRunning(), runner.clockAhead()]).toEqual(['eu', false, null]);
  await pass(0);
  expect(runner.isRunning()).toBe(true);
  await runner.stop();
  expect(runner.isRunning()).toBe(false);
  expect(rows()).toEqual({ eu: [state, expect.stringContaining(reason), { environment: 'production' }] });
});

it('writes what is planned on its cluster with the first batch, and again when it begins anew', async () => {
  const [own, other] = ['eu', 'us'].map((name) => ({
    clusters: [name],
    until: 2_000_000,
    reason: `upgrade of ${name}`,
  }));
  const maintenance = [own, other].filter((work) => work !== undefined);
  const { start, pass, batches } = bed({ policy: { ...defaultPolicy, maintenance } });
  const runner = start();
  await pass(0);
  await pass(60_000);
  runner.restart();
  await pass(0);
  await pass(1_000);
  await pass(60_000);
  const planned = batches.map(({ batch }) => batch.planned);
  expect(planned[0]).toEqual([own]);
  expect(planned.filter((work) => work !== undefined)).toEqual([[own], [own]]);
});

it('asks each second for a cluster that another collector holds', async () => {
  const { start, pass, gives, asked } = bed();
  gives(() => false);
  const runner = start();
  await pass(0);
  await pass(999);
  expect(asked).toEqual(['eu']);
  await pass(1);
  expect([asked.length, runner.isRunning()]).toEqual([2, false]);
  gives(() => true);
  await pass(1_000);
  expect([asked.length, runner.isRunning()]).toEqual([3, true]);
  await pass(5_000);
  expect(asked).toHaveLength(3);
});

it('forgets the rest of a cluster that was half forgotten before it reads it anew', async () => {
  const { start, pass, stores, forgotten, batches, asked } = bed();
  stores({ forgetting: true, cluster: null, objects: [], resume: [] });
  const runner = start();
  await pass(0);
  expect([forgotten, batches, runner.isRunning()]).toEqual([[['eu', 1_000_000]], [], false]);
  stores({ cluster: null, objects: [], resume: [] });
  await pass(1_000);
  expect([asked, forgotten.length, runner.isRunning()]).toEqual([['eu', 'eu'], 1, true]);
});

it('asks again where the store cannot be read, or throws', async () => {
  const { start, pass, gives, stores, asked, errors } = bed();
  stores(null);
  const runner = start();
  await pass(0);
  expect([runner.isRunning(), errors]).toEqual([false, []]);
  gives(() => Promise.reject(new Error('no')));
  await pass(1_000);
  expect([asked.length, errors]).toEqual([2, ['a cluster could not be started']]);
  stores({ cluster: null, objects: [], resume: [] });
  gives(() => true);
  await pass(1_000);
  expect([asked.length, runner.isRunning()]).toEqual([3, true]);
});

it('begins anew a second after it was lost, and not where it is stopped', async () => {
  const { start, pass, asked } = bed();
  const runner = start();
  await pass(0);
  runner.restart();
  await pass(0);
  expect(runner.isRunning()).toBe(false);
  await pass(999);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect([asked.length, runner.isRunning()]).toEqual([2, true]);
  await runner.stop();
  runner.restart();
  await pass(2_000);
  expect([asked.length, runner.isRunning()]).toEqual([2, false]);
});

it.each(['restart', 'stop'] as const)('takes an answer for nothing after a %s', async (what) => {
  const { start, pass, gives, asked } = bed();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  gives(() => promise);
  const runner = start();
  await pass(0);
  void runner[what]();
  resolve(true);
  await pass(0);
  expect([asked.length, runner.isRunning()]).toEqual([1, false]);
  await pass(1_000);
  expect([asked.length, runner.isRunning()]).toEqual(what === 'stop' ? [1, false] : [2, true]);
});

it('asks no more after it was stopped while it waited', async () => {
  const { start, pass, gives, asked, clock } = bed();
  gives(() => false);
  const runner = start();
  await pass(0);
  await runner.stop();
  await pass(2_000);
  expect([asked.length, clock.pending()]).toEqual([1, 0]);
});

it('reads one cluster after the other: the next begins when the first is out of reach', async () => {
  const server = await startScriptedServer((asked) => asked.json(403, { kind: 'Status', message: 'no' }));
  closers.push(server.stop);
  const clock = systemClock;
  const syncs = createSemaphore(clock, 1, 60_000, 60_000);
  const { start, rows } = bed({ clock, syncs, dials: createSemaphore(clock, 10) });
  const first = start({ name: 'first', accessResult: { type: 'access', access: fixedAccess('https://127.0.0.1:1') } });
  await until('the first to run', first.isRunning);
  const second = start({ name: 'second', accessResult: { type: 'access', access: server.access } });
  await until('the clock of the second', () => second.clockAhead() !== null);
  expect(Math.abs(second.clockAhead() ?? Infinity)).toBeLessThan(5_000);
  expect(first.clockAhead()).toBeNull();
  await until('the row of the first', () => rows()['first']?.[0] === 'unreachable');
});

it('gives up its turn when it is stopped, also before it has it', async () => {
  const clock = systemClock;
  const syncs = createSemaphore(clock, 1, 60_000, 60_000);
  const { start } = bed({ clock, syncs });
  const held = await syncs.enter();
  const access = fixedAccess('https://127.0.0.1:1');
  const first = start({ accessResult: { type: 'access', access } });
  await until('the first to run', first.isRunning);
  await first.stop();
  held.end();
  const next = await syncs.enter();
  next.end();
});

it('a cluster that writes more than it may is not read for an hour, says why with the figure, and is read anew then', async () => {
  const limits = [{ rows: 'changes', least: 0, each: 0 }];
  const stack = {
    name: 'net',
    tool: 'ansible',
    row: 'eu',
    labels: {},
    repository: null,
    path: null,
    reason: null,
  } as const;
  const { start, pass, rows, asked } = bed({ limits, stacks: [stack] });
  const runner = start();
  await pass(0);
  for (let turn = 0; turn < 10; turn++) await pass(1_000);
  expect(rows()['eu']).toEqual([
    'unreachable',
    'it brought 1 changes within the hour; at most 0 are recorded, and it is not read for 10 min',
    { environment: 'production' },
  ]);
  // Whoever loses its lease meanwhile is not read sooner.
  runner.restart();
  for (let turn = 0; turn < 10; turn++) await pass(1_000);
  expect([rows()['eu']?.[0], asked.length]).toEqual(['unreachable', 2]);
  await pass(600_000);
  await pass(1_000);
  await pass(15);
  expect([rows()['eu']?.[0], asked.length]).toEqual(['declared', 3]);
});
