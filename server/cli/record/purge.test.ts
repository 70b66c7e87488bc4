import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { silentLog } from '../../runtime/log.ts';
import { openSqliteWriter } from '../../store/sqlite/writing/writer.ts';
import { purge, type PurgeOptions } from './purge.ts';
import { clusterSource } from '#server/store/port/port.ts';

const later = noon + hour;

function run(options: PurgeOptions, now = later) {
  const lines: string[] = [];
  const line = (text: string): number => lines.push(text);
  const code = purge(options, {}, now, { out: line, say: line });
  return { code, text: lines.join('\n') };
}

/** A data directory with one object of one cluster, held until a minute after noon. */
async function recorded(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'plumbline-purge-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const writer = openSqliteWriter({ path: join(data, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'host-7', noon, 60_000);
  if (lease === null) throw new Error('no lease');
  const ref = refOf('a', 1);
  await writer.write(
    lease,
    batchOf({ objects: withDetails([objectOf(ref)]), transitions: [transitionOf(ref, noon, { message: 'a secret' })] }),
  );
  await writer.close();
  return data;
}

it.each<PurgeOptions>([
  {},
  { cluster: 'a', text: 'some text' },
  { object: 'a/b/c' },
  { object: 'https://plumbline.example.org/fleet' },
])('refuses %j as wrong usage', (options) => {
  const { code, text } = run({ ...options, data: '/nowhere' });
  expect(code).toBe(64);
  expect(text).toMatch(/^Say what to remove|is no object/);
});

it('says what to do while a collector writes the store', async () => {
  const data = await recorded();
  const { code, text } = run({ data, cluster: 'a' }, noon + 30_000);
  expect(code).toBe(69);
  expect(text).toContain('Nothing was removed: a collector writes this store (host-7: 1 lease).');
  expect(text).toContain('scale its Deployment to 0');
});

it.each<readonly [PurgeOptions, string]>([
  [{ cluster: 'a' }, 'The cluster a is gone from the record for good: 1 object, 1 change of verdict, '],
  [
    { object: 'a/kustomize.toolkit.fluxcd.io/Kustomization/team-1/app-1' },
    'Kustomization team-1/app-1 on a is gone from the record for good: 1 object, 1 change of verdict, 1 detail, ',
  ],
  [
    { object: 'https://plumbline.example.org/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/team-1/app-1' },
    'Kustomization team-1/app-1 on a is gone from the record',
  ],
  [{ text: 'a secret' }, 'The text is gone from the record for good: 1 text, '],
])('%j: says what is gone', async (options, words) => {
  const { code, text } = run({ ...options, data: await recorded() });
  expect(text).toContain(words);
  expect(code).toBe(0);
});

it('says that there is nothing of the kind, or no store', async () => {
  expect(run({ data: await recorded(), cluster: 'z' })).toEqual({
    code: 64,
    text: 'The cluster z is not in the record: nothing was removed.',
  });
  expect(run({ data: '/nowhere', cluster: 'z' })).toEqual({
    code: 69,
    text: 'Nothing was removed: there is no store at /nowhere/plumbline.db yet.',
  });
});
