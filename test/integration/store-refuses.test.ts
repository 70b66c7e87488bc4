// A disk that is full, and room again: what the pages and readyz say meanwhile, and that everybody goes on by himself.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { WireFleet } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { startHealth } from '#server/collector/health.ts';
import { createCollectorMetrics } from '#server/collector/metrics.ts';
import { startRecorder } from '#server/collector/recorder/recorder.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startWeb } from '#server/web/start-web.ts';
import { sqliteSource } from '#server/web/store-source.ts';
import { batchOf, clusterOf, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { workDirectory } from './running/running-fleet.ts';

it('a full disk is said in readyz and on every page, and nobody has to be started again', async () => {
  const directory = workDirectory();
  onTestFinished(directory.remove);
  const path = join(directory.path, 'plumbline.db');
  const clock = systemClock;
  const recorder = await startRecorder({ path, holder: 'one', clock, log: silentLog, maxBytes: 900_000 });
  if ('type' in recorder) throw new Error(recorder.type);
  onTestFinished(recorder.stop);
  const fleet = { lost: () => undefined, clusters: () => [], stop: () => Promise.resolve() };
  const health = await startHealth({ port: 0, log: silentLog, fleet, recorder, metrics: createCollectorMetrics() });
  onTestFinished(health.stop);
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    source: sqliteSource(path),
    policy: defaultPolicy,
    retention: { spans: 1, messages: 1 },
    repositories: [],
    embeds: { keys: null, frameAncestors: [] },
    alarmSource: false,
    simulated: false,
    clock,
    log: silentLog,
    mountPages: null,
  });
  if (web.type === 'refused') throw new Error(web.message);
  onTestFinished(web.stop);
  const readyz = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${health.port}/readyz`);
    return `${answer.status} ${(await answer.text()).trim()}`;
  };
  const trouble = async (): Promise<string | null> => {
    const answer = await fetch(`http://127.0.0.1:${web.port}/api/v1/fleet`);
    return WireFleet.parse(await answer.json()).head.trouble;
  };

  await recorder.acquire('a');
  const now = Date.now();
  const seen = clusterOf('a', { since: now, lastWordAt: now, validUntil: now + 600_000 });
  const first = withDetails([objectOf(refOf('a', 0))]);
  expect(await recorder.write('a', batchOf({ cluster: seen, objects: first }))).toEqual({ type: 'written' });
  await until('the first picture', () => web.follower.synced());
  expect([await readyz(), await trouble()]).toEqual(['200 ok', null]);

  const writes = Array.from({ length: 20 }, (_, round) => {
    const objects = Array.from({ length: 50 }, (__, index) => objectOf(refOf('a', 1 + round * 50 + index)));
    return recorder.write('a', batchOf({ objects: withDetails(objects) }));
  });
  await until('the disk to be full', () => recorder.state().type === 'blocked');
  await until('the page to know', () => web.follower.condition() !== null);
  expect(await readyz()).toBe('503 the store refuses what is written: full');
  expect(await trouble()).toMatch(/^Nothing is recorded since \d\d:\d\d:\d\d UTC: the disk of the record is full\. /);

  const other = new DatabaseSync(path, { timeout: 5_000 });
  onTestFinished(() => other.close());
  const room = (): void => other.exec('DELETE FROM detail');
  let written = 0;
  for (const write of writes) void write.then(({ type }) => (written += type === 'written' ? 1 : 0));
  // What is written fills the disk again and again, until all of it is there.
  await until('everything to be written', () => {
    if (recorder.state().type === 'blocked') room();
    return written === writes.length;
  });
  await until('the page to know', () => web.follower.condition() === null);
  expect([await readyz(), await trouble()]).toEqual(['200 ok', null]);
});
