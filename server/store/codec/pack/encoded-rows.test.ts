import { expect, it } from 'vitest';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { batchOf, detailOf, objectOf, refOf } from '#test/contract/store-records.ts';
import { createBatchEncoder } from '../encoded.ts';

/** Rows of a batch of so many objects, each of which depends on so many others. */
function rowsOf(count: number, dependsOn: number): number {
  const named = Array.from({ length: dependsOn }, (_, number) => ({ ...refOf('eu', number), name: 'n'.repeat(200) }));
  const objects = Array.from({ length: count }, (_, number) => {
    const object = objectOf(refOf('eu', number), { upstreams: { ...noUpstreams, dependsOn: named } });
    return { object, detail: detailOf(object) };
  });
  return createBatchEncoder()(batchOf({ objects })).rows;
}

it('a batch is as many rows as it writes, and what is large counts as several', () => {
  expect(rowsOf(0, 0)).toBe(1);
  expect(rowsOf(100, 0)).toBe(101);
  expect(rowsOf(100, 256)).toBeGreaterThan(1_000);
});
