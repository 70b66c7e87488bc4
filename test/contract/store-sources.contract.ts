import { describe, expect, expectTypeOf, it } from 'vitest';
import { clusterSource, type FactSource, type Lease, type StoreWriter } from '#server/store/port/port.ts';
import { catchUp, newPicture, some, receivedTypes, type Bench } from './store-bench.ts';
import { clusterOf, noon, refOf, withDetails } from './store-records.ts';

const repository: FactSource<'repository'> = { type: 'repository', name: 'a' };
const alarms: FactSource<'alarm-source'> = { type: 'alarm-source', name: 'a' };

/** Sources of one name and of different types share nothing. */
export function describeSources(bench: Bench): void {
  describe('sources of facts of one name', () => {
    it('have a lease and an epoch each', async () => {
      const { writer } = bench;
      const first = await writer.acquire(repository, 'one', noon, 15_000);
      expect(first).toEqual({ source: repository, holder: 'one', epoch: 1 });
      expect(await writer.acquire(clusterSource('a'), 'two', noon, 15_000)).toMatchObject({ epoch: 1 });
      expect(await writer.acquire(alarms, 'three', noon, 15_000)).toMatchObject({ epoch: 1 });
      expect(await writer.acquire(repository, 'two', noon, 15_000)).toBeNull();
      expect(await writer.acquire(clusterSource('a'), 'one', noon, 15_000)).toBeNull();
      expect(await writer.acquire(repository, 'two', noon + 14_999, 15_000)).toBeNull();
      expect(await writer.acquire(repository, 'two', noon + 15_000, 15_000)).toMatchObject({ epoch: 2 });
      expect(await writer.acquire(alarms, 'three', noon + 15_000, 15_000)).toMatchObject({ epoch: 1 });
    });

    it('fence, free and forget none but themselves', async () => {
      const { writer } = bench;
      const cluster = await bench.lease('a');
      await writer.acquire(repository, 'one', noon, 15_000);
      const taken = await writer.acquire(repository, 'two', noon + 20_000, 15_000);
      if (taken === null) throw new Error('an expired lease was not given');
      await bench.write(cluster, { cluster: clusterOf('a'), objects: withDetails(some('a', 1)) });
      await writer.release(taken);
      expect(await writer.acquire(clusterSource('a'), 'two', noon, 15_000)).toBeNull();
      expect(await writer.acquire(repository, 'one', noon + 20_000, 15_000)).toMatchObject({ epoch: 3 });
      expect(await writer.forget(cluster, noon)).toEqual({ type: 'written' });
      await writer.release(cluster);
      expect(await writer.acquire(repository, 'two', noon + 20_000, 15_000)).toBeNull();
    });

    it('have rows, a sequence and tombstones each: of a cluster none but its own', async () => {
      await bench.writer.acquire(repository, 'one', noon, 15_000);
      expect(await bench.writer.load('a')).toEqual({ cluster: null, objects: [], resume: [] });
      const cluster = await bench.lease('a');
      await bench.write(cluster, { cluster: clusterOf('a'), objects: withDetails(some('a', 3)) });
      const picture = await catchUp(bench.reader, newPicture());
      expect(receivedTypes(picture)).toEqual(['cluster', 'object', 'object', 'object']);
      const { cursor } = picture;
      await bench.writer.acquire(alarms, 'one', noon, 15_000);
      expect(await bench.reader.follow(cursor, 10)).toEqual({ changes: [], cursor, more: false });
      await bench.write(cluster, { removed: [{ ref: refOf('a', 1), at: noon }] });
      expect((await catchUp(bench.reader, picture)).received).toEqual([{ type: 'removed', ref: refOf('a', 1) }]);
      expect(await bench.reader.clusters()).toEqual(['a']);
      expect(await bench.reader.stats()).toMatchObject({ clusters: 1, objects: 2 });
    });

    it('write no rows of each other: the lease of a repository is none of a cluster', () => {
      expectTypeOf<Lease<'cluster'>>().toExtend<Parameters<StoreWriter['write']>[0]>();
      expectTypeOf<Lease<'repository'>>().not.toExtend<Parameters<StoreWriter['write']>[0]>();
      expectTypeOf<Lease<'repository'>>().not.toExtend<Parameters<StoreWriter['forget']>[0]>();
    });
  });
}
