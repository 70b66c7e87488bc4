import { describe, expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { catchUp, newPicture, some, step, receivedTypes, type Picture, type Bench } from './store-bench.ts';
import { brokenObjectOf, clusterOf, noon, objectOf, refOf, transitionOf, withDetails } from './store-records.ts';

/** Cases of what followers are told. */
export function describeFollowing(bench: Bench): void {
  describe('following', () => {
    it('gives nothing of an empty store', async () => {
      expect(await bench.reader.follow(null, 10)).toMatchObject({ changes: [], more: false });
    });

    it('gives everything current from the beginning, the cluster before its objects', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 5)) });
      await bench.write(a, { cluster: clusterOf('a') });
      const picture = await catchUp(bench.reader, newPicture());
      expect(receivedTypes(picture)).toEqual(['cluster', 'object', 'object', 'object', 'object', 'object']);
      expect([...picture.objects.values()]).toEqual(some('a', 5));
    });

    it.each([1, 2, 3, 7, 1000])('gives the same in chunks of about %i', async (limit) => {
      for (const name of ['a', 'b', 'c']) {
        await bench.write(await bench.lease(name), { cluster: clusterOf(name), objects: withDetails(some(name, 9)) });
      }
      const picture = newPicture();
      for (let more = true; more;) {
        const before = picture.received.length;
        more = await step(bench.reader, picture, limit);
        expect(picture.received.length - before).toBeLessThanOrEqual(limit + 2);
      }
      expect(picture.objects.size).toBe(27);
      expect([...picture.clusters.keys()].sort()).toEqual(['a', 'b', 'c']);
    });

    it('gives every field as it was written', async () => {
      const a = await bench.lease('a');
      const objects = [
        brokenObjectOf(refOf('a', 1)),
        objectOf(refOf('a', 9), { names: [refOf('a', 1)] }),
        objectOf(refOf('a', 2)),
        objectOf({ cluster: 'a', group: '', kind: 'Namespace', namespace: '', name: 'x' }),
      ];
      await bench.write(a, { cluster: clusterOf('a'), objects: withDetails(objects) });
      const { changes } = await bench.reader.follow(null, 10);
      expect(changes).toEqual([
        { type: 'cluster', cluster: clusterOf('a') },
        ...objects.map((object) => ({ type: 'object', object })),
      ]);
    });

    it('gives only what is newer than the cursor, in the order in which it was written', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 5)) });
      const picture = await catchUp(bench.reader, newPicture());
      await bench.write(a, { objects: withDetails([objectOf(refOf('a', 3), { verdict: 'behind' })]) });
      await bench.write(a, {
        objects: withDetails([objectOf(refOf('a', 1), { verdict: 'drifted' }), objectOf(refOf('a', 9))]),
      });
      await bench.write(a, { cluster: clusterOf('a', { state: 'unreachable' }) });
      await bench.write(a, { objects: withDetails([objectOf(refOf('a', 0))]) });
      await catchUp(bench.reader, picture, 2);
      const named = picture.received.map((change) => (change.type === 'object' ? change.object.ref.name : change.type));
      expect(named).toEqual(['app-3', 'app-1', 'app-9', 'cluster', 'app-0']);
    });

    it('gives a changed object once, as it is now', async () => {
      const a = await bench.lease('a');
      const picture = await catchUp(bench.reader, newPicture());
      for (const verdict of ['behind', 'drifted', 'diverged'] as const) {
        await bench.write(a, { objects: withDetails([objectOf(refOf('a', 1), { verdict })]) });
      }
      await catchUp(bench.reader, picture);
      expect(picture.received).toEqual([{ type: 'object', object: objectOf(refOf('a', 1), { verdict: 'diverged' }) }]);
    });

    it('answers the same cursor while nothing is new', async () => {
      await bench.write(await bench.lease('a'), { objects: withDetails(some('a', 5)) });
      const { cursor } = await catchUp(bench.reader, newPicture());
      await bench.lease('a');
      expect(await bench.reader.follow(cursor, 10)).toEqual({ changes: [], cursor, more: false });
      expect(await bench.reader.follow(cursor, 10)).toEqual({ changes: [], cursor, more: false });
    });

    it('works from a cursor of any age, on another bench.reader, and as often as one likes', async () => {
      const a = await bench.lease('a');
      const pictures: Picture[] = [];
      for (let round = 0; round < 8; round++) {
        await bench.write(a, {
          objects: withDetails(some('a', 3, round)),
          removed: round > 3 ? [{ ref: refOf('a', round - 3), at: noon }] : [],
        });
        pictures.push(await catchUp(bench.reader, newPicture()));
      }
      const now = await catchUp(bench.reader, newPicture());
      const other = await bench.store.openReader();
      for (const picture of pictures) {
        await catchUp(other, picture, 2);
        expect([...picture.objects.keys()].sort()).toEqual([...now.objects.keys()].sort());
      }
      await other.close();
    });

    it('loses nothing while two clusters are being written and chunks are small', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      const picture = newPicture();
      for (let round = 0; round < 30; round++) {
        await bench.write(a, {
          objects: withDetails(some('a', 4, round)),
          removed: [{ ref: refOf('a', round - 5), at: noon }],
        });
        await bench.write(b, { objects: withDetails(some('b', 2, round * 2)) });
        await step(bench.reader, picture, 3);
      }
      await catchUp(bench.reader, picture);
      const anew = await catchUp(bench.reader, newPicture());
      expect([...picture.objects.keys()].sort()).toEqual([...anew.objects.keys()].sort());
      expect(picture.objects.size).toBe(8 + 60);
    });

    it('lets no busy cluster starve another', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      const picture = await catchUp(bench.reader, newPicture());
      for (let round = 0; round < 6; round++) {
        await bench.write(a, { objects: withDetails(some('a', 10)) });
        if (round === 0) await bench.write(b, { objects: withDetails(some('b', 1)) });
        await step(bench.reader, picture, 5);
      }
      expect(picture.objects.has(refKey(refOf('b', 0)))).toBe(true);
    });

    it.each(['', 'nonsense', '1:other-store:0:1.5.0', '1::0:', '2:x:0:'])(
      'starts anew, and says so, from a cursor that is not its own: %j',
      async (cursor) => {
        await bench.write(await bench.lease('a'), { objects: withDetails(some('a', 2)) });
        const answer = await bench.reader.follow(cursor, 10);
        expect(answer.reset).toBe(true);
        expect(answer.changes).toHaveLength(2);
        expect((await bench.reader.follow(answer.cursor, 10)).reset).toBeUndefined();
      },
    );

    it('keeps following 300 clusters cheap to ask and whole', async () => {
      const leases = await Promise.all(Array.from({ length: 300 }, (_, index) => bench.lease(`cluster-${index}`)));
      await Promise.all(
        leases.map((each) =>
          bench.write(each, { cluster: clusterOf(each.source.name), objects: withDetails(some(each.source.name, 1)) }),
        ),
      );
      const picture = await catchUp(bench.reader, newPicture(), 50);
      expect(picture.objects.size).toBe(300);
      expect(picture.clusters.size).toBe(300);
      expect(picture.cursor?.length).toBeLessThan(300 * 16);
    });
  });

  describe('removal', () => {
    it('tells followers of a removed object, and newcomers nothing', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 3)) });
      const picture = await catchUp(bench.reader, newPicture());
      await bench.write(a, { removed: [{ ref: refOf('a', 1), at: noon }] });
      await catchUp(bench.reader, picture);
      expect(picture.received).toEqual([{ type: 'removed', ref: refOf('a', 1) }]);
      expect(receivedTypes(await catchUp(bench.reader, newPicture()))).toEqual(['object', 'object']);
      expect(await bench.reader.detail(refOf('a', 1))).toBeNull();
    });

    it('tells a follower that is still at its first reading what goes meanwhile', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 6)) });
      await bench.write(a, { removed: [{ ref: refOf('a', 5), at: noon }] });
      const picture = newPicture();
      await step(bench.reader, picture, 3);
      await bench.write(a, {
        removed: [
          { ref: refOf('a', 0), at: noon },
          { ref: refOf('a', 4), at: noon },
        ],
      });
      await catchUp(bench.reader, picture, 1);
      expect([...picture.objects.values()].map((object) => object.ref.name)).toEqual(['app-1', 'app-2', 'app-3']);
      expect(picture.received.filter((change) => change.type === 'removed')).toEqual([
        { type: 'removed', ref: refOf('a', 0) },
        { type: 'removed', ref: refOf('a', 4) },
      ]);
    });

    it('says nothing of an object that never was or is gone already', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 1)), removed: [{ ref: refOf('a', 7), at: noon }] });
      await bench.write(a, { removed: [{ ref: refOf('a', 0), at: noon }] });
      const picture = await catchUp(bench.reader, newPicture());
      await bench.write(a, { removed: [{ ref: refOf('a', 0), at: noon }] });
      expect((await catchUp(bench.reader, picture)).received).toEqual([]);
      expect(await bench.reader.clusters()).toEqual([]);
      expect(await bench.reader.stats()).toMatchObject({ objects: 0 });
    });

    it('gives an object that was created anew under the same name with its new uid', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails([objectOf(refOf('a', 1), { uid: 'first' })]) });
      const picture = await catchUp(bench.reader, newPicture());
      await bench.write(a, { removed: [{ ref: refOf('a', 1), at: noon }] });
      await bench.write(a, { objects: withDetails([objectOf(refOf('a', 1), { uid: 'second' })]) });
      await catchUp(bench.reader, picture);
      expect(picture.received).toEqual([{ type: 'object', object: objectOf(refOf('a', 1), { uid: 'second' }) }]);
      await bench.write(a, {
        removed: [{ ref: refOf('a', 1), at: noon }],
        objects: withDetails([objectOf(refOf('a', 2))]),
      });
      expect((await catchUp(bench.reader, picture)).objects.size).toBe(1);
      expect(await bench.reader.stats()).toMatchObject({ objects: 1 });
    });

    it('forgets a cluster: followers hear it, newcomers do not, history stays', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      await bench.write(a, {
        cluster: clusterOf('a'),
        objects: withDetails(some('a', 3)),
        transitions: [transitionOf(refOf('a', 1), noon)],
        resume: [{ group: '', kind: 'X', version: 'v1', resourceVersion: '7' }],
      });
      await bench.write(b, { cluster: clusterOf('b'), objects: withDetails(some('b', 1)) });
      const picture = await catchUp(bench.reader, newPicture());
      expect(await bench.writer.forget(a, noon)).toEqual({ type: 'written' });
      await catchUp(bench.reader, picture, 2);
      expect(receivedTypes(picture)).toEqual(['cluster-removed', 'removed', 'removed', 'removed']);
      expect([...picture.clusters.keys()]).toEqual(['b']);
      expect(receivedTypes(await catchUp(bench.reader, newPicture()))).toEqual(['cluster', 'object']);
      expect(await bench.writer.load('a')).toEqual({ cluster: null, objects: [], resume: [] });
      expect(await bench.reader.transitions(refOf('a', 1), { from: 0, to: noon, limit: 9 })).toMatchObject([
        { from: 'diverged', to: null, reason: 'Forgotten', at: noon },
        { from: 'converged', to: 'diverged' },
      ]);
      await bench.write(a, { cluster: clusterOf('a'), objects: withDetails(some('a', 1)) });
      expect(receivedTypes(await catchUp(bench.reader, picture))).toEqual(['cluster', 'object']);
    });
  });

  describe('confirmations', () => {
    const confirmed = {
      ref: refOf('a', 1),
      confirmedAt: noon + 5000,
      observedAt: noon + 6000,
      validUntil: noon + 7000,
    };

    it('reach followers without a change of the object', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 3)) });
      const picture = await catchUp(bench.reader, newPicture());
      await bench.write(a, { confirmations: [confirmed] });
      await bench.write(a, {
        confirmations: [
          { ...confirmed, confirmedAt: noon + 5500 },
          { ...confirmed, ref: refOf('a', 99) },
        ],
      });
      await catchUp(bench.reader, picture);
      expect(picture.received).toEqual([{ type: 'confirmed', ...confirmed, confirmedAt: noon + 5500 }]);
      expect((await catchUp(bench.reader, picture)).received).toEqual([]);
    });

    it('reach newcomers after the objects that they confirm', async () => {
      const a = await bench.lease('a');
      await bench.write(a, {
        objects: withDetails(some('a', 5)),
        confirmations: [confirmed, { ...confirmed, ref: refOf('a', 4), confirmedAt: null, validUntil: null }],
      });
      for (const limit of [1, 3, 100]) {
        const { objects } = await catchUp(bench.reader, newPicture(), limit);
        expect(objects.get(refKey(refOf('a', 1)))).toMatchObject({
          confirmedAt: noon + 5000,
          observedAt: noon + 6000,
          validUntil: noon + 7000,
        });
        expect(objects.get(refKey(refOf('a', 4)))).toMatchObject({ confirmedAt: null, validUntil: null });
      }
    });

    it('are superseded by a newer record of the object', async () => {
      const a = await bench.lease('a');
      await bench.write(a, { objects: withDetails(some('a', 3)), confirmations: [confirmed] });
      await bench.write(a, { objects: withDetails([objectOf(refOf('a', 1), { confirmedAt: noon + 9000 })]) });
      const { objects, received } = await catchUp(bench.reader, newPicture());
      expect(objects.get(refKey(refOf('a', 1)))?.confirmedAt).toBe(noon + 9000);
      expect(received.some((change) => change.type === 'confirmed')).toBe(false);
    });
  });
}
