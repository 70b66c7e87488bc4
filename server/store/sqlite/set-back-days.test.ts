import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, setBackAtOnce, type StoreWriter, type WriteBatch } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

const [hour, day] = [3_600_000, 86_400_000];
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-set-back-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('days that were rolled up by a clock that was ahead are counted anew when what was not seen in them is brought back', async () => {
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  const write = async (change: Partial<WriteBatch>): Promise<void> =>
    expect(await writer.write(lease, batchOf(change))).toEqual({ type: 'written' });
  const sight = (at: number, observed: boolean) => [
    { cluster: 'a', kind: null, at, observed, state: observed ? 'live' : 'unreachable', reason: null },
  ];
  const began = transitionOf(refOf('a', 1), noon, { noticedAt: noon, from: null, to: 'converged' });
  await write({ objects: withDetails([objectOf(refOf('a', 1))]), transitions: [began], coverage: sight(noon, true) });

  await write({ coverage: sight(noon + 9 * day, false) });
  while ((await writer.keep({ spans: 400 * day, messages: 30 * day }, noon + 10 * day)).more);
  await write({ setBackTo: noon + hour });

  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const [all] = await reader.record.shares({ clusters: null }, { from: noon, to: noon + 8 * day }, 'total');
  await reader.close();
  await writer.close();
  expect(all?.shares).toMatchObject({ converged: hour, unobserved: 8 * day - hour });
});

/** Opens the file anew, as the next process does. */
async function opened(path: string) {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const [lease, other] = await Promise.all(
    ['a', 'b'].map((name) => writer.acquire(clusterSource(name), 'one', noon, 15_000)),
  );
  if (!lease || !other) throw new Error('no lease');
  return { writer, lease, other };
}

/** So many objects that were well at noon and are away an hour later, by a clock that is ahead. */
async function filled({ writer, lease }: Awaited<ReturnType<typeof opened>>, count: number): Promise<void> {
  const refs = Array.from({ length: count }, (_, number) => refOf('a', number));
  const later = { time: noon + hour, bound: 'exact', noticedAt: noon + hour } as const;
  const began = refs.map((ref) => transitionOf(ref, noon, { noticedAt: noon, from: null, to: 'converged' }));
  await writer.write(lease, batchOf({ objects: withDetails(refs.map((ref) => objectOf(ref))), transitions: began }));
  await writer.write(
    lease,
    batchOf({
      at: noon + hour,
      objects: withDetails(refs.map((ref) => objectOf(ref, { verdict: 'diverged', onset: later, awaySince: later }))),
      transitions: refs.map((ref) => transitionOf(ref, noon + hour, { noticedAt: noon + hour })),
    }),
  );
}

/** Times (ms after noon) at which something of cluster a is recorded to have been noticed, each once. */
async function noticed(path: string): Promise<readonly number[]> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const [scope, period] = [{ clusters: ['a'] }, { from: noon - day, to: noon + day }];
  const page = { cursor: null, limit: 10_000 };
  const transitions = await reader.record.transitions(scope, period, page);
  const incidents = await reader.record.incidents({ scope, period, at: noon + day, order: 'newest' }, page);
  await reader.close();
  return [...new Set([...transitions.items, ...incidents.items].map(({ noticedAt }) => noticedAt - noon))].toSorted(
    (a, b) => a - b,
  );
}

it('many objects are brought back in steps, others write between, and the next process goes on where one ended', async () => {
  const path = join(directory, 'plumbline.db');
  const first = await opened(path);
  const many = 2 * setBackAtOnce + 1;
  await filled(first, many);
  const back = batchOf({ at: noon + 1_000, setBackTo: noon + 1_000 });
  const stepOf = (writer: StoreWriter, lease: Parameters<StoreWriter['write']>[0]) => writer.write(lease, back);
  expect(await Promise.all([stepOf(first.writer, first.lease), first.writer.write(first.other, batchOf())])).toEqual([
    { type: 'written', more: true },
    { type: 'written' },
  ]);
  expect(await noticed(path)).toEqual([0, 1_000, hour]);
  await first.writer.close();
  const next = await opened(path);
  let steps = 1;
  for (let more = true; more; steps += 1) {
    const result = await stepOf(next.writer, next.lease);
    more = result.type === 'written' && result.more === true;
  }
  expect(steps).toBeGreaterThan(many / setBackAtOnce);
  expect(steps).toBeLessThan((5 * many) / setBackAtOnce + 5);
  await next.writer.close();
  expect(await noticed(path)).toEqual([0, 1_000]);
});
