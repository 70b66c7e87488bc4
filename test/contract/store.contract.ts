import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/current.ts';
import { refKey } from '#lib/domain/ref.ts';
import type { Change, Cursor, Lease, StoreReader, StoreWriter, WriteBatch } from '#server/store/port.ts';
import { batchOf, brokenObjectOf, clusterOf, detailOf, noon, objectOf, refOf, transitionOf, withDetails } from './store-records.ts';

/** One empty store that both sides of an engine are opened on. */
export interface StoreUnderTest {
  openWriter(): Promise<StoreWriter>;
  openReader(): Promise<StoreReader>;
  destroy(): Promise<void>;
}

/** What a follower has made of the changes it was told. */
interface Picture {
  cursor: Cursor | null;
  readonly objects: Map<string, CurrentObject>;
  readonly clusters: Map<string, string>;
  readonly told: Change[];
}

function newPicture(): Picture {
  return { cursor: null, objects: new Map(), clusters: new Map(), told: [] };
}

function apply(picture: Picture, change: Change): void {
  picture.told.push(change);
  switch (change.type) {
    case 'cluster':
      picture.clusters.set(change.cluster.name, change.cluster.state);
      break;
    case 'cluster-removed':
      picture.clusters.delete(change.cluster);
      break;
    case 'object':
      picture.objects.set(refKey(change.object.ref), change.object);
      break;
    case 'removed':
      picture.objects.delete(refKey(change.ref));
      break;
    case 'confirmed': {
      const object = picture.objects.get(refKey(change.ref));
      const { confirmedAt, observedAt, validUntil } = change;
      if (object !== undefined) picture.objects.set(refKey(change.ref), { ...object, confirmedAt, observedAt, validUntil });
      break;
    }
  }
}

async function step(reader: StoreReader, picture: Picture, limit: number): Promise<boolean> {
  const answer = await reader.follow(picture.cursor, limit);
  if (answer.reset) {
    picture.objects.clear();
    picture.clusters.clear();
  }
  for (const change of answer.changes) apply(picture, change);
  picture.cursor = answer.cursor;
  return answer.more;
}

async function catchUp(reader: StoreReader, picture: Picture, limit = 100): Promise<Picture> {
  picture.told.length = 0;
  for (let turns = 0; await step(reader, picture, limit); turns++) expect(turns).toBeLessThan(10_000);
  return picture;
}

function toldTypes(picture: Picture): string[] {
  return picture.told.map((change) => change.type);
}

/** The contract of the store's port: every engine passes it. `open` gives an empty store each time. */
export function describeStore(engine: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${engine}`, () => {
    let store: StoreUnderTest;
    let writer: StoreWriter;
    let reader: StoreReader;

    beforeEach(async () => {
      store = await open();
      writer = await store.openWriter();
      reader = await store.openReader();
    });

    afterEach(async () => {
      await reader.close();
      await writer.close();
      await store.destroy();
    });

    async function lease(cluster: string, holder = 'one', from: StoreWriter = writer): Promise<Lease> {
      const taken = await from.acquire(cluster, holder, noon, 15_000);
      if (taken === null) throw new Error(`no lease of ${cluster}`);
      return taken;
    }

    async function write(to: Lease, change: Partial<WriteBatch>): Promise<void> {
      expect(await writer.write(to, batchOf(change))).toEqual({ type: 'written' });
    }

    function some(cluster: string, count: number, from = 0): CurrentObject[] {
      return Array.from({ length: count }, (_, index) => objectOf(refOf(cluster, from + index)));
    }

    describe('following', () => {
      it('gives nothing of an empty store', async () => {
        expect(await reader.follow(null, 10)).toMatchObject({ changes: [], more: false });
      });

      it('gives everything current from the beginning, the cluster before its objects', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 5)) });
        await write(a, { cluster: clusterOf('a') });
        const picture = await catchUp(reader, newPicture());
        expect(toldTypes(picture)).toEqual(['cluster', 'object', 'object', 'object', 'object', 'object']);
        expect([...picture.objects.values()]).toEqual(some('a', 5));
      });

      it.each([1, 2, 3, 7, 1000])('gives the same in chunks of about %i', async (limit) => {
        for (const name of ['a', 'b', 'c']) {
          await write(await lease(name), { cluster: clusterOf(name), objects: withDetails(some(name, 9)) });
        }
        const picture = newPicture();
        for (let more = true; more; ) {
          const before = picture.told.length;
          more = await step(reader, picture, limit);
          expect(picture.told.length - before).toBeLessThanOrEqual(limit + 2);
        }
        expect(picture.objects.size).toBe(27);
        expect([...picture.clusters.keys()].sort()).toEqual(['a', 'b', 'c']);
      });

      it('gives every field as it was written', async () => {
        const a = await lease('a');
        const objects = [brokenObjectOf(refOf('a', 1)), objectOf(refOf('a', 2)), objectOf({ cluster: 'a', group: '', kind: 'Namespace', namespace: '', name: 'x' })];
        await write(a, { cluster: clusterOf('a'), objects: withDetails(objects) });
        const { changes } = await reader.follow(null, 10);
        expect(changes).toEqual([{ type: 'cluster', cluster: clusterOf('a') }, ...objects.map((object) => ({ type: 'object', object }))]);
      });

      it('gives only what is newer than the cursor, in the order in which it was written', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 5)) });
        const picture = await catchUp(reader, newPicture());
        await write(a, { objects: withDetails([objectOf(refOf('a', 3), { verdict: 'behind' })]) });
        await write(a, { objects: withDetails([objectOf(refOf('a', 1), { verdict: 'drifted' }), objectOf(refOf('a', 9))]) });
        await write(a, { cluster: clusterOf('a', { state: 'unreachable' }) });
        await write(a, { objects: withDetails([objectOf(refOf('a', 0))]) });
        await catchUp(reader, picture, 2);
        const named = picture.told.map((change) => (change.type === 'object' ? change.object.ref.name : change.type));
        expect(named).toEqual(['app-3', 'app-1', 'app-9', 'cluster', 'app-0']);
      });

      it('gives a changed object once, as it is now', async () => {
        const a = await lease('a');
        const picture = await catchUp(reader, newPicture());
        for (const verdict of ['behind', 'drifted', 'diverged'] as const) {
          await write(a, { objects: withDetails([objectOf(refOf('a', 1), { verdict })]) });
        }
        await catchUp(reader, picture);
        expect(picture.told).toEqual([{ type: 'object', object: objectOf(refOf('a', 1), { verdict: 'diverged' }) }]);
      });

      it('answers the same cursor while nothing is new', async () => {
        await write(await lease('a'), { objects: withDetails(some('a', 5)) });
        const { cursor } = await catchUp(reader, newPicture());
        await lease('a');
        expect(await reader.follow(cursor, 10)).toEqual({ changes: [], cursor, more: false });
        expect(await reader.follow(cursor, 10)).toEqual({ changes: [], cursor, more: false });
      });

      it('works from a cursor of any age, on another reader, and as often as one likes', async () => {
        const a = await lease('a');
        const pictures: Picture[] = [];
        for (let round = 0; round < 8; round++) {
          await write(a, { objects: withDetails(some('a', 3, round)), removed: round > 3 ? [{ ref: refOf('a', round - 3), at: noon }] : [] });
          pictures.push(await catchUp(reader, newPicture()));
        }
        const now = await catchUp(reader, newPicture());
        const other = await store.openReader();
        for (const picture of pictures) {
          await catchUp(other, picture, 2);
          expect([...picture.objects.keys()].sort()).toEqual([...now.objects.keys()].sort());
        }
        await other.close();
      });

      it('loses nothing while two clusters are being written and chunks are small', async () => {
        const [a, b] = [await lease('a'), await lease('b')];
        const picture = newPicture();
        for (let round = 0; round < 30; round++) {
          await write(a, { objects: withDetails(some('a', 4, round)), removed: [{ ref: refOf('a', round - 5), at: noon }] });
          await write(b, { objects: withDetails(some('b', 2, round * 2)) });
          await step(reader, picture, 3);
        }
        await catchUp(reader, picture);
        const anew = await catchUp(reader, newPicture());
        expect([...picture.objects.keys()].sort()).toEqual([...anew.objects.keys()].sort());
        expect(picture.objects.size).toBe(8 + 60);
      });

      it('lets no busy cluster starve another', async () => {
        const [a, b] = [await lease('a'), await lease('b')];
        const picture = await catchUp(reader, newPicture());
        for (let round = 0; round < 6; round++) {
          await write(a, { objects: withDetails(some('a', 10)) });
          if (round === 0) await write(b, { objects: withDetails(some('b', 1)) });
          await step(reader, picture, 5);
        }
        expect(picture.objects.has(refKey(refOf('b', 0)))).toBe(true);
      });

      it.each(['', 'nonsense', '1:other-store:0:1.5.0', '1::0:', '2:x:0:'])('starts anew, and says so, from a cursor that is not its own: %j', async (cursor) => {
        await write(await lease('a'), { objects: withDetails(some('a', 2)) });
        const answer = await reader.follow(cursor, 10);
        expect(answer.reset).toBe(true);
        expect(answer.changes).toHaveLength(2);
        expect((await reader.follow(answer.cursor, 10)).reset).toBeUndefined();
      });

      it('keeps following 300 clusters cheap to ask and whole', async () => {
        const leases = await Promise.all(Array.from({ length: 300 }, (_, index) => lease(`cluster-${index}`)));
        await Promise.all(leases.map((each) => write(each, { cluster: clusterOf(each.cluster), objects: withDetails(some(each.cluster, 1)) })));
        const picture = await catchUp(reader, newPicture(), 50);
        expect(picture.objects.size).toBe(300);
        expect(picture.clusters.size).toBe(300);
        expect(picture.cursor?.length).toBeLessThan(300 * 16);
      });
    });

    describe('removal', () => {
      it('tells followers of a removed object, and newcomers nothing', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 3)) });
        const picture = await catchUp(reader, newPicture());
        await write(a, { removed: [{ ref: refOf('a', 1), at: noon }] });
        await catchUp(reader, picture);
        expect(picture.told).toEqual([{ type: 'removed', ref: refOf('a', 1) }]);
        expect(toldTypes(await catchUp(reader, newPicture()))).toEqual(['object', 'object']);
        expect(await reader.detail(refOf('a', 1))).toBeNull();
      });

      it('tells a follower that is still at its first reading what goes meanwhile', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 6)) });
        await write(a, { removed: [{ ref: refOf('a', 5), at: noon }] });
        const picture = newPicture();
        await step(reader, picture, 3);
        await write(a, { removed: [{ ref: refOf('a', 0), at: noon }, { ref: refOf('a', 4), at: noon }] });
        await catchUp(reader, picture, 1);
        expect([...picture.objects.values()].map((object) => object.ref.name)).toEqual(['app-1', 'app-2', 'app-3']);
        expect(picture.told.filter((change) => change.type === 'removed')).toEqual([
          { type: 'removed', ref: refOf('a', 0) },
          { type: 'removed', ref: refOf('a', 4) },
        ]);
      });

      it('says nothing of an object that never was or is gone already', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 1)), removed: [{ ref: refOf('a', 7), at: noon }] });
        await write(a, { removed: [{ ref: refOf('a', 0), at: noon }] });
        const picture = await catchUp(reader, newPicture());
        await write(a, { removed: [{ ref: refOf('a', 0), at: noon }] });
        expect((await catchUp(reader, picture)).told).toEqual([]);
        expect(await reader.stats()).toMatchObject({ objects: 0 });
      });

      it('gives an object that was created anew under the same name with its new uid', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails([objectOf(refOf('a', 1), { uid: 'first' })]) });
        const picture = await catchUp(reader, newPicture());
        await write(a, { removed: [{ ref: refOf('a', 1), at: noon }] });
        await write(a, { objects: withDetails([objectOf(refOf('a', 1), { uid: 'second' })]) });
        await catchUp(reader, picture);
        expect(picture.told).toEqual([{ type: 'object', object: objectOf(refOf('a', 1), { uid: 'second' }) }]);
        await write(a, { removed: [{ ref: refOf('a', 1), at: noon }], objects: withDetails([objectOf(refOf('a', 2))]) });
        expect((await catchUp(reader, picture)).objects.size).toBe(1);
        expect(await reader.stats()).toMatchObject({ objects: 1 });
      });

      it('forgets a cluster: followers hear it, newcomers do not, history stays', async () => {
        const [a, b] = [await lease('a'), await lease('b')];
        await write(a, { cluster: clusterOf('a'), objects: withDetails(some('a', 3)), transitions: [transitionOf(refOf('a', 1), noon)], resume: [{ group: '', kind: 'X', version: 'v1', resourceVersion: '7' }] });
        await write(b, { cluster: clusterOf('b'), objects: withDetails(some('b', 1)) });
        const picture = await catchUp(reader, newPicture());
        expect(await writer.forget(a, noon)).toEqual({ type: 'written' });
        await catchUp(reader, picture, 2);
        expect(toldTypes(picture)).toEqual(['removed', 'removed', 'removed', 'cluster-removed']);
        expect([...picture.clusters.keys()]).toEqual(['b']);
        expect(toldTypes(await catchUp(reader, newPicture()))).toEqual(['cluster', 'object']);
        expect(await writer.load('a')).toEqual({ cluster: null, objects: [], resume: [] });
        expect(await reader.transitions(refOf('a', 1), { from: 0, to: noon, limit: 9 })).toHaveLength(1);
        await write(a, { cluster: clusterOf('a'), objects: withDetails(some('a', 1)) });
        expect(toldTypes(await catchUp(reader, picture))).toEqual(['cluster', 'object']);
      });
    });

    describe('confirmations', () => {
      const confirmed = { ref: refOf('a', 1), confirmedAt: noon + 5000, observedAt: noon + 6000, validUntil: noon + 7000 };

      it('reach followers without a change of the object', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 3)) });
        const picture = await catchUp(reader, newPicture());
        await write(a, { confirmations: [confirmed] });
        await write(a, { confirmations: [{ ...confirmed, confirmedAt: noon + 5500 }, { ...confirmed, ref: refOf('a', 99) }] });
        await catchUp(reader, picture);
        expect(picture.told).toEqual([{ type: 'confirmed', ...confirmed, confirmedAt: noon + 5500 }]);
        expect((await catchUp(reader, picture)).told).toEqual([]);
      });

      it('reach newcomers after the objects that they confirm', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 5)), confirmations: [confirmed, { ...confirmed, ref: refOf('a', 4), confirmedAt: null, validUntil: null }] });
        for (const limit of [1, 3, 100]) {
          const { objects } = await catchUp(reader, newPicture(), limit);
          expect(objects.get(refKey(refOf('a', 1)))).toMatchObject({ confirmedAt: noon + 5000, observedAt: noon + 6000, validUntil: noon + 7000 });
          expect(objects.get(refKey(refOf('a', 4)))).toMatchObject({ confirmedAt: null, validUntil: null });
        }
      });

      it('are superseded by a newer record of the object', async () => {
        const a = await lease('a');
        await write(a, { objects: withDetails(some('a', 3)), confirmations: [confirmed] });
        await write(a, { objects: withDetails([objectOf(refOf('a', 1), { confirmedAt: noon + 9000 })]) });
        const { objects, told } = await catchUp(reader, newPicture());
        expect(objects.get(refKey(refOf('a', 1)))?.confirmedAt).toBe(noon + 9000);
        expect(told.some((change) => change.type === 'confirmed')).toBe(false);
      });
    });

    describe('leases', () => {
      it('gives a cluster to one holder until its time has passed', async () => {
        const first = await writer.acquire('a', 'one', noon, 15_000);
        expect(first).toEqual({ cluster: 'a', holder: 'one', epoch: 1 });
        expect(await writer.acquire('a', 'two', noon + 14_999, 15_000)).toBeNull();
        expect(await writer.acquire('a', 'one', noon + 10_000, 15_000)).toEqual(first);
        expect(await writer.acquire('a', 'two', noon + 15_000, 15_000)).toBeNull();
        expect(await writer.acquire('a', 'two', noon + 25_000, 15_000)).toEqual({ cluster: 'a', holder: 'two', epoch: 2 });
        expect(await writer.acquire('a', 'one', noon + 25_001, 15_000)).toBeNull();
        expect(await writer.acquire('a', 'one', noon + 60_000, 15_000)).toEqual({ cluster: 'a', holder: 'one', epoch: 3 });
      });

      it('frees a released cluster at once and fences the released lease', async () => {
        const first = await lease('a');
        await writer.release(first);
        expect(await writer.write(first, batchOf({ objects: withDetails(some('a', 1)) }))).toEqual({ type: 'fenced' });
        expect(await lease('a', 'two')).toEqual({ cluster: 'a', holder: 'two', epoch: 2 });
        await writer.release(first);
        expect(await writer.acquire('a', 'one', noon, 15_000)).toBeNull();
      });

      it('refuses an older epoch, and nothing of its batch is to be seen', async () => {
        const old = await lease('a');
        await write(old, { objects: withDetails(some('a', 1)) });
        const other = await store.openWriter();
        const taken = await other.acquire('a', 'two', noon + 20_000, 15_000);
        const { cursor } = await reader.follow(null, 100);
        const late = batchOf({
          cluster: clusterOf('a'),
          objects: withDetails(some('a', 5)),
          removed: [{ ref: refOf('a', 0), at: noon }],
          transitions: [transitionOf(refOf('a', 2), noon)],
          confirmations: [{ ref: refOf('a', 0), confirmedAt: 1, observedAt: 1, validUntil: 1 }],
          coverage: [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }],
          resume: [{ group: '', kind: 'X', version: 'v1', resourceVersion: '7' }],
        });
        expect(await writer.write(old, late)).toEqual({ type: 'fenced' });
        expect(await writer.forget(old, noon)).toEqual({ type: 'fenced' });
        expect((await reader.follow(cursor, 100)).changes).toEqual([]);
        expect(await reader.recent({ from: 0, to: noon, limit: 9 })).toEqual([]);
        expect(await reader.coverage('a', { from: 0, to: noon })).toEqual([]);
        expect(await other.load('a')).toEqual({ cluster: null, objects: withDetails(some('a', 1)), resume: [] });
        if (taken === null) throw new Error('an expired lease was not given');
        expect(await other.write(taken, batchOf({ objects: withDetails(some('a', 2)) }))).toEqual({ type: 'written' });
        await other.close();
      });

      it('lets two writers hold different clusters at the same time', async () => {
        const other = await store.openWriter();
        const [a, b] = [await lease('a'), await lease('b', 'two', other)];
        const results = await Promise.all(
          Array.from({ length: 40 }, (_, round) =>
            round % 2 === 0
              ? writer.write(a, batchOf({ objects: withDetails(some('a', 2, round)) }))
              : other.write(b, batchOf({ objects: withDetails(some('b', 2, round)) })),
          ),
        );
        expect(new Set(results.map((result) => result.type))).toEqual(new Set(['written']));
        expect((await catchUp(reader, newPicture())).objects.size).toBe(80);
        await other.close();
      });
    });

    describe('batches', () => {
      it('are written whole or not at all, and do not take others down', async () => {
        const [a, b] = [await lease('a'), await lease('b')];
        const broken = { ...objectOf(refOf('a', 2)), onset: { time: Number.NaN, bound: 'exact' as const, noticedAt: noon } };
        const [refused, after, beside] = await Promise.all([
          writer.write(a, batchOf({ cluster: clusterOf('a'), objects: withDetails([objectOf(refOf('a', 1)), broken]) })),
          writer.write(a, batchOf({ objects: withDetails(some('a', 1)) })),
          writer.write(b, batchOf({ objects: withDetails(some('b', 1)) })),
        ]);
        expect(refused).toMatchObject({ type: 'failed', permanent: true });
        expect(after?.type).toBe('failed');
        expect(beside).toEqual({ type: 'written' });
        const picture = await catchUp(reader, newPicture());
        expect([...picture.objects.keys()]).toEqual([refKey(refOf('b', 0))]);
        await write(a, { objects: withDetails(some('a', 3)) });
        expect((await catchUp(reader, picture)).objects.size).toBe(4);
      });

      it('take 5,000 objects', async () => {
        const a = await lease('a');
        const objects = some('a', 5000);
        await write(a, { objects: withDetails(objects) });
        const picture = await catchUp(reader, newPicture(), 700);
        expect([...picture.objects.values()]).toEqual(objects);
        expect(await reader.stats()).toMatchObject({ objects: 5000 });
      });

      it('give back on loading exactly what was written', async () => {
        const a = await lease('a');
        const objects = [brokenObjectOf(refOf('a', 1)), objectOf(refOf('a', 2)), objectOf(refOf('a', 3)), objectOf(refOf('a', 4))];
        const details = objects.map((object, index) => ({ object, detail: detailOf(object, { round: index, nested: [null, 'x', { y: 0.5 }] }) }));
        const resume = [
          { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', version: 'v1', resourceVersion: '48151623' },
          { group: '', kind: 'Event', version: 'v1', resourceVersion: '9' },
        ];
        await write(a, { cluster: clusterOf('a'), objects: details, resume });
        await write(a, { removed: [{ ref: refOf('a', 4), at: noon }], resume: [{ group: '', kind: 'Event', version: 'v1', resourceVersion: '10' }] });
        await write(a, { confirmations: [{ ref: refOf('a', 2), confirmedAt: noon + 1, observedAt: noon + 2, validUntil: null }] });
        const other = await store.openWriter();
        const state = await other.load('a');
        await other.close();
        expect(state.cluster).toEqual(clusterOf('a'));
        const [first, second, third] = details;
        const confirmedAlready = { object: { ...second?.object, confirmedAt: noon + 1, observedAt: noon + 2, validUntil: null }, detail: second?.detail };
        expect(state.objects).toEqual([first, confirmedAlready, third]);
        expect([...state.resume].sort((x, y) => x.kind.localeCompare(y.kind))).toEqual([{ group: '', kind: 'Event', version: 'v1', resourceVersion: '10' }, resume[0]]);
        expect(await writer.load('never-seen')).toEqual({ cluster: null, objects: [], resume: [] });
      });

      it('forget a resume point whose resourceVersion is empty', async () => {
        const a = await lease('a');
        const point = { group: 'g', kind: 'K', version: 'v1', resourceVersion: '5' };
        await write(a, { resume: [point] });
        await write(a, { resume: [{ ...point, resourceVersion: '' }] });
        expect((await writer.load('a')).resume).toEqual([]);
      });

      it('give the detail of one object', async () => {
        const a = await lease('a');
        const object = objectOf(refOf('a', 1));
        await write(a, { objects: [{ object, detail: detailOf(object) }] });
        expect(await reader.detail(object.ref)).toEqual(detailOf(object));
        expect(await reader.detail(refOf('a', 2))).toBeNull();
        expect(await reader.detail(refOf('z', 1))).toBeNull();
      });
    });

    describe('history', () => {
      it('gives transitions of one object and of all, newest first, within bounds that count', async () => {
        const [a, b] = [await lease('a'), await lease('b')];
        const ofA = [100, 200, 300, 400].map((at) => transitionOf(refOf('a', 1), noon + at));
        const first = transitionOf(refOf('b', 1), noon + 250, { from: null, to: 'converged', bound: 'at-least', commit: null });
        const gone = transitionOf(refOf('b', 1), noon + 350, { from: 'stale', to: null, rootCause: { type: 'cluster', cluster: 'b' } });
        await write(a, { transitions: ofA });
        await write(b, { transitions: [first, gone] });
        const all = { from: noon, to: noon + 1000, limit: 100 };
        expect(await reader.transitions(refOf('a', 1), all)).toEqual([...ofA].reverse());
        expect(await reader.transitions(refOf('a', 1), { from: noon + 200, to: noon + 300, limit: 100 })).toEqual([ofA[2], ofA[1]]);
        expect(await reader.transitions(refOf('a', 1), { ...all, limit: 1 })).toEqual([ofA[3]]);
        expect(await reader.transitions(refOf('a', 2), all)).toEqual([]);
        expect(await reader.recent(all)).toEqual([ofA[3], gone, ofA[2], first, ofA[1], ofA[0]]);
        expect(await reader.recent({ ...all, cluster: 'b' })).toEqual([gone, first]);
        expect(await reader.recent({ ...all, cluster: 'none' })).toEqual([]);
        expect(await reader.stats()).toMatchObject({ transitions: 6, objects: 0 });
        expect((await catchUp(reader, newPicture())).told).toEqual([]);
      });

      it('takes a batch that is written a second time once', async () => {
        const a = await lease('a');
        const batch = {
          objects: withDetails(some('a', 2)),
          transitions: [transitionOf(refOf('a', 1), noon), transitionOf(refOf('a', 1), noon, { to: null })],
          coverage: [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }],
        };
        await write(a, batch);
        await write(a, batch);
        expect(await reader.recent({ from: 0, to: noon, limit: 9 })).toHaveLength(2);
        expect(await reader.coverage('a', { from: 0, to: noon })).toHaveLength(1);
        expect(await reader.stats()).toMatchObject({ objects: 2 });
      });

      it('gives coverage in order, and before it what was in force when the range began', async () => {
        const a = await lease('a');
        const kind = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' };
        const changes = [
          { cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null },
          { cluster: 'a', kind, at: noon + 10, observed: false, state: 'syncing', reason: 'first list' },
          { cluster: 'a', kind, at: noon + 20, observed: true, state: 'live', reason: null },
          { cluster: 'a', kind: null, at: noon + 30, observed: false, state: 'unreachable', reason: 'connection refused' },
          { cluster: 'a', kind: null, at: noon + 40, observed: true, state: 'live', reason: null },
        ];
        await write(a, { coverage: changes });
        expect(await reader.coverage('a', { from: noon, to: noon + 100 })).toEqual(changes);
        expect(await reader.coverage('a', { from: noon + 25, to: noon + 35 })).toEqual([changes[0], changes[2], changes[3]]);
        expect(await reader.coverage('b', { from: noon, to: noon + 100 })).toEqual([]);
      });
    });
  });
}
