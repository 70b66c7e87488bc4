import { expect } from 'vitest';
import type { Lease, StoreWriter } from '#server/store/port/port.ts';
import type { RecordCursor, RecordPage, RecordReader } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import type { Written } from './random-history.ts';
import { startRecord } from './record-writing/record-writer.ts';
import type { Bench } from './store-bench.ts';

/** The pure record over what was written. */
export function recordOf(writes: readonly Written[]): RecordReader {
  const record = startRecord();
  for (const write of writes)
    if ('batch' in write) record.write(write.cluster, write.batch);
    else record.forget(write.cluster, write.forgottenAt);
  return readRecord(record.recorded);
}

/** Forgets a cluster in steps of so many objects. */
export async function forgetInSteps(writer: StoreWriter, lease: Lease<'cluster'>, at: number, most: number) {
  for (let more = true; more;) {
    const result = await writer.forget(lease, at, most);
    expect(result.type).toBe('written');
    more = result.type === 'written' && result.more === true;
  }
}

/** Writes a history through an engine: clusters are forgotten in steps of a few objects. */
export async function writeAll(bench: Bench, writes: readonly Written[]): Promise<void> {
  for (const write of writes) {
    const lease = await bench.lease(write.cluster);
    if ('batch' in write) await bench.write(lease, write.batch);
    else await forgetInSteps(bench.writer, lease, write.forgottenAt, 3);
  }
}

/** Every page of a list. */
export async function allPages<T>(ask: (cursor: RecordCursor | null) => Promise<RecordPage<T>>): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: RecordCursor | null = null;
  do {
    const page: RecordPage<T> = await ask(cursor);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}
