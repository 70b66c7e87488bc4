import { describe, expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { clusterSource, type StoreWriter } from '#server/store/port/port.ts';
import { randomHistory, type Written } from './random-history.ts';
import { catchUp, newPicture, receivedTypes, some, step, type Bench } from './store-bench.ts';
import { clusterOf, noon, objectOf, refOf, transitionOf, withDetails } from './store-records.ts';
import { forgetInSteps, recordOf } from './written-record.ts';

const always = { from: noon - 60 * minute, to: noon + 10_000 * minute };
const page = { cursor: null, limit: 99 };
const more = { type: 'written', more: true };
const done = { type: 'written' };

/** A batch with objects of a cluster that fail alike since noon, or for the `cause`. */
function failing(cluster: string, count: number) {
  const onset = { time: noon, bound: 'exact' as const, noticedAt: noon };
  const change = { uid: 'one', verdict: 'diverged' as const, reason: 'BuildFailed', onset, awaySince: onset };
  const objects = some(cluster, count).map(({ ref }) => objectOf(ref, change));
  const noted = { uid: 'one', noticedAt: noon, from: null, to: 'diverged' as const };
  const transitions = objects.map(({ ref }) => transitionOf(ref, noon, noted));
  return { at: noon, cluster: clusterOf(cluster), objects: withDetails(objects), transitions };
}

/** Cases of a cluster that is forgotten step by step. */
export function describeForgetting(bench: Bench): void {
  /** Ends of the absences of a cluster, by name: when, in minutes, and how. */
  async function ends(cluster: string) {
    const { items } = await bench.reader.record.absences({ clusters: [cluster] }, always, { order: 'newest', ...page });
    const told = items.map(({ ref, closedAt, ended }) => {
      return [ref.name, closedAt === null ? null : (closedAt - noon) / minute, ended] as const;
    });
    return told.toSorted(([a], [b]) => a.localeCompare(b));
  }

  const left = async (): Promise<readonly string[]> =>
    (await bench.writer.load('a')).objects.map(({ object }) => object.ref.name);

  describe('forgetting', () => {
    it('goes in steps: the cluster first, then its objects, all at the time that is given', async () => {
      const a = await bench.lease('a');
      await bench.write(a, failing('a', 5));
      const picture = await catchUp(bench.reader, newPicture());
      const at = noon + 4 * minute;
      expect(await bench.writer.forget(a, at, 2)).toEqual(more);
      await catchUp(bench.reader, picture);
      expect(receivedTypes(picture)).toEqual(['cluster-removed', 'removed', 'removed']);
      expect([await left(), (await bench.writer.load('a')).forgetting]).toEqual([['app-2', 'app-3', 'app-4'], true]);
      expect([await bench.reader.clusters(), (await bench.reader.stats()).objects]).toEqual([['a'], 3]);
      expect(await bench.writer.forget(a, at, 2)).toEqual(more);
      expect(await bench.writer.forget(a, at, 2)).toEqual(done);
      expect(await bench.writer.load('a')).toEqual({ cluster: null, objects: [], resume: [] });
      expect(await bench.reader.clusters()).toEqual([]);
      await catchUp(bench.reader, picture);
      expect([picture.objects.size, picture.clusters.size]).toEqual([0, 0]);
      expect(await ends('a')).toEqual([0, 1, 2, 3, 4].map((number) => [`app-${number}`, 4, 'forgotten']));
      expect(await bench.reader.coverage('a', always)).toMatchObject([{ at, state: 'forgotten', observed: false }]);
    });

    it('lets batches of others be committed between its steps', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      await bench.write(a, failing('a', 4));
      const picture = await catchUp(bench.reader, newPicture());
      expect(await bench.writer.forget(a, noon + minute, 2)).toEqual(more);
      await bench.write(b, { cluster: clusterOf('b'), objects: withDetails(some('b', 1)) });
      await catchUp(bench.reader, picture);
      expect([[...picture.clusters.keys()], picture.objects.size]).toEqual([['b'], 3]);
      expect(await bench.writer.forget(a, noon + minute, 2)).toEqual(done);
    });

    it('says of what is left between two steps only that nobody sees it', async () => {
      const a = await bench.lease('a');
      const home = { uid: 'one', noticedAt: noon, from: null, to: 'converged' as const };
      const transitions = some('a', 4).map(({ ref }) => transitionOf(ref, noon, home));
      await bench.write(a, { cluster: clusterOf('a'), objects: withDetails(some('a', 4)), transitions });
      await bench.writer.forget(a, noon + 4 * minute, 2);
      const { clusters } = await bench.reader.record.stateAt(noon + 5 * minute, { clusters: ['a'] });
      const [gap] = await bench.reader.record.gaps(['a'], always);
      expect([clusters, gap]).toEqual([[], expect.objectContaining({ kind: null, from: noon + 4 * minute, to: null })]);
    });

    it('is told to who begins to read in the middle, to its end', async () => {
      const a = await bench.lease('a');
      await bench.write(a, failing('a', 5));
      await bench.writer.forget(a, noon + minute, 2);
      const picture = newPicture();
      await step(bench.reader, picture, 2);
      await bench.writer.forget(a, noon + minute, 2);
      await catchUp(bench.reader, picture);
      expect([picture.objects.size, picture.clusters.size]).toEqual([1, 0]);
      await bench.writer.forget(a, noon + minute, 2);
      await catchUp(bench.reader, picture);
      expect(receivedTypes(picture)).toEqual(['cluster-removed', 'removed']);
      expect(picture.objects.size).toBe(0);
    });

    it('is refused to who lost the lease in the middle; the next holder goes on, at a later time', async () => {
      const old = await bench.lease('a');
      await bench.write(old, failing('a', 3));
      expect(await bench.writer.forget(old, noon + minute, 1)).toEqual(more);
      const other: StoreWriter = await bench.store.openWriter();
      const taken = await other.acquire(clusterSource('a'), 'two', noon + 20_000, 15_000);
      if (taken === null) throw new Error('an expired lease was not given');
      expect(await bench.writer.forget(old, noon + minute, 1)).toEqual({ type: 'fenced' });
      expect((await other.load('a')).forgetting).toBe(true);
      await forgetInSteps(other, taken, noon + 9 * minute, 1);
      await other.close();
      expect(await ends('a')).toEqual([
        ['app-0', 1, 'forgotten'],
        ['app-1', 9, 'forgotten'],
        ['app-2', 9, 'forgotten'],
      ]);
    });

    it('ends incidents step by step, and leaves those that others are in', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      await bench.write(a, failing('a', 5));
      await bench.write(b, failing('b', 1));
      const at = noon + 4 * minute;
      const incidents = async () => {
        const question = { scope: { clusters: null }, period: always, at, order: 'newest' } as const;
        return (await bench.reader.record.incidents(question, page)).items;
      };
      const before = await incidents();
      await forgetInSteps(bench.writer, a, at, 2);
      const after = await incidents();
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      const members = await Promise.all(
        after.map(async ({ id }) => (await bench.reader.record.members(id, at, { clusters: ['a'] }, page)).items),
      );
      const ends = members.flat().map(({ to, ended }) => [to, ended]);
      expect(ends).toEqual(Array.from({ length: 5 }, () => [at, 'forgotten']));
      expect(after.filter(({ closedAt }) => closedAt === null)).toHaveLength(1);
    });

    it('leaves nothing of what was when it comes back in the middle, and begins anew after the end', async () => {
      const a = await bench.lease('a');
      await bench.write(a, failing('a', 3));
      const picture = await catchUp(bench.reader, newPicture());
      await bench.writer.forget(a, noon + minute, 1);
      await forgetInSteps(bench.writer, a, noon + minute, 1);
      await bench.write(a, { cluster: clusterOf('a'), objects: withDetails([objectOf(refOf('a', 1))]) });
      expect((await bench.writer.load('a')).forgetting).toBeUndefined();
      await catchUp(bench.reader, picture);
      expect([[...picture.clusters.keys()], picture.objects.size]).toEqual([['a'], 1]);
    });

    it.each([1, 2, 3])('makes of random history %i the same incidents as one forgetting at once', async (seed) => {
      const { writes, now } = randomHistory(seed, noon, 120);
      const record = recordOf(writes);
      for (const write of writes) await put(write);
      const question = { scope: { clusters: null }, period: { from: 0, to: now }, at: now, order: 'newest' } as const;
      const told = await bench.reader.record.incidents(question, page);
      const expected = await record.incidents(question, page);
      expect(told.items.map(brief)).toEqual(expected.items.map(brief));
    });
  });

  async function put(write: Written): Promise<void> {
    const lease = await bench.lease(write.cluster);
    if ('batch' in write) await bench.write(lease, write.batch);
    else await forgetInSteps(bench.writer, lease, write.forgottenAt, 1);
  }
}

function brief({
  id,
  openedAt,
  closedAt,
  members,
}: {
  id: string;
  openedAt: number;
  closedAt: number | null;
  members: number;
}) {
  return { id, openedAt, closedAt, members };
}
