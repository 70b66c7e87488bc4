import { describe, expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { catchUp, newPicture, some, type Bench } from './store-bench.ts';
import {
  batchOf,
  brokenObjectOf,
  clusterOf,
  detailOf,
  noon,
  objectOf,
  refOf,
  transitionOf,
  withDetails,
} from './store-records.ts';
import { clusterSource } from '#server/store/port/port.ts';

/** Leases, batches, and what can be asked of the past. */
export function describeWriting(bench: Bench): void {
  describe('leases', () => {
    it('gives a cluster to one holder until its time has passed', async () => {
      const first = await bench.writer.acquire(clusterSource('a'), 'one', noon, 15_000);
      expect(first).toEqual({ source: clusterSource('a'), holder: 'one', epoch: 1 });
      expect(await bench.writer.acquire(clusterSource('a'), 'two', noon + 14_999, 15_000)).toBeNull();
      expect(await bench.writer.acquire(clusterSource('a'), 'one', noon + 10_000, 15_000)).toEqual(first);
      expect(await bench.writer.acquire(clusterSource('a'), 'two', noon + 15_000, 15_000)).toBeNull();
      expect(await bench.writer.acquire(clusterSource('a'), 'two', noon + 25_000, 15_000)).toEqual({
        source: clusterSource('a'),
        holder: 'two',
        epoch: 2,
      });
      expect(await bench.writer.acquire(clusterSource('a'), 'one', noon + 25_001, 15_000)).toBeNull();
      expect(await bench.writer.acquire(clusterSource('a'), 'one', noon + 60_000, 15_000)).toEqual({
        source: clusterSource('a'),
        holder: 'one',
        epoch: 3,
      });
    });

    it('frees a released cluster at once and fences the released lease', async () => {
      const first = await bench.lease('a');
      await bench.writer.release(first);
      expect(await bench.writer.write(first, batchOf({ objects: withDetails(some('a', 1)) }))).toEqual({
        type: 'fenced',
      });
      expect(await bench.lease('a', 'two')).toEqual({ source: clusterSource('a'), holder: 'two', epoch: 2 });
      await bench.writer.release(first);
      expect(await bench.writer.acquire(clusterSource('a'), 'one', noon, 15_000)).toBeNull();
    });

    it('refuses an older epoch, and nothing of its batch is to be seen', async () => {
      const old = await bench.lease('a');
      await bench.write(old, { objects: withDetails(some('a', 1)) });
      const other = await bench.store.openWriter();
      const taken = await other.acquire(clusterSource('a'), 'two', noon + 20_000, 15_000);
      const { cursor } = await bench.reader.follow(null, 100);
      const late = batchOf({
        cluster: clusterOf('a'),
        objects: withDetails(some('a', 5)),
        removed: [{ ref: refOf('a', 0), at: noon }],
        transitions: [transitionOf(refOf('a', 2), noon)],
        confirmations: [{ ref: refOf('a', 0), confirmedAt: 1, observedAt: 1, validUntil: 1 }],
        coverage: [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }],
        resume: [{ group: '', kind: 'X', version: 'v1', resourceVersion: '7' }],
      });
      expect(await bench.writer.write(old, late)).toEqual({ type: 'fenced' });
      expect(await bench.writer.forget(old, noon)).toEqual({ type: 'fenced' });
      expect((await bench.reader.follow(cursor, 100)).changes).toEqual([]);
      expect(await bench.reader.recent({ from: 0, to: noon, limit: 9 })).toEqual([]);
      expect(await bench.reader.coverage('a', { from: 0, to: noon })).toEqual([]);
      expect(await other.load('a')).toEqual({ cluster: null, objects: withDetails(some('a', 1)), resume: [] });
      if (taken === null) throw new Error('an expired lease was not given');
      expect(await other.write(taken, batchOf({ objects: withDetails(some('a', 2)) }))).toEqual({ type: 'written' });
      await other.close();
    });

    it('lets two writers hold different clusters at the same time', async () => {
      const other = await bench.store.openWriter();
      const [a, b] = [await bench.lease('a'), await bench.lease('b', 'two', other)];
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, round) =>
          round % 2 === 0
            ? bench.writer.write(a, batchOf({ objects: withDetails(some('a', 2, round)) }))
            : other.write(b, batchOf({ objects: withDetails(some('b', 2, round)) })),
        ),
      );
      expect(new Set(results.map((result) => result.type))).toEqual(new Set(['written']));
      expect((await catchUp(bench.reader, newPicture())).objects.size).toBe(80);
      await other.close();
    });
  });

  describe('batches', () => {
    it('are written whole or not at all, and do not take others down', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      const broken = {
        ...objectOf(refOf('a', 2)),
        onset: { time: Number.NaN, bound: 'exact' as const, noticedAt: noon },
      };
      const [refused, after, beside] = await Promise.all([
        bench.writer.write(
          a,
          batchOf({ cluster: clusterOf('a'), objects: withDetails([objectOf(refOf('a', 1)), broken]) }),
        ),
        bench.writer.write(a, batchOf({ objects: withDetails(some('a', 1)) })),
        bench.writer.write(b, batchOf({ objects: withDetails(some('b', 1)) })),
      ]);
      expect(refused).toMatchObject({ type: 'failed', permanent: true });
      expect(after?.type).toBe('failed');
      expect(beside).toEqual({ type: 'written' });
      const picture = await catchUp(bench.reader, newPicture());
      expect([...picture.objects.keys()]).toEqual([refKey(refOf('b', 0))]);
      await bench.write(a, { objects: withDetails(some('a', 3)) });
      expect((await catchUp(bench.reader, picture)).objects.size).toBe(4);
    });

    it('take 5,000 objects', async () => {
      const a = await bench.lease('a');
      const objects = some('a', 5000);
      await bench.write(a, { objects: withDetails(objects) });
      const picture = await catchUp(bench.reader, newPicture(), 700);
      expect([...picture.objects.values()]).toEqual(objects);
      expect(await bench.reader.stats()).toMatchObject({ objects: 5000 });
    });

    it('give back on loading exactly what was written', async () => {
      const a = await bench.lease('a');
      const objects = [
        brokenObjectOf(refOf('a', 1)),
        objectOf(refOf('a', 2)),
        objectOf(refOf('a', 3)),
        objectOf(refOf('a', 4), { commitDiffers: 'unknown' }),
      ];
      const details = objects.map((object, index) => ({
        object,
        detail: detailOf(object, { round: index, nested: [null, 'x', { y: 0.5 }] }),
      }));
      const resume = [
        { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', version: 'v1', resourceVersion: '48151623' },
        { group: '', kind: 'Event', version: 'v1', resourceVersion: '9' },
      ];
      await bench.write(a, { cluster: clusterOf('a'), objects: details, resume });
      await bench.write(a, {
        removed: [{ ref: refOf('a', 4), at: noon }],
        resume: [{ group: '', kind: 'Event', version: 'v1', resourceVersion: '10' }],
      });
      await bench.write(a, {
        confirmations: [{ ref: refOf('a', 2), confirmedAt: noon + 1, observedAt: noon + 2, validUntil: null }],
      });
      const other = await bench.store.openWriter();
      const state = await other.load('a');
      await other.close();
      expect(state.cluster).toEqual(clusterOf('a'));
      const [first, second, third] = details;
      const confirmedAlready = {
        object: { ...second?.object, confirmedAt: noon + 1, observedAt: noon + 2, validUntil: null },
        detail: second?.detail,
      };
      expect(state.objects).toEqual([first, confirmedAlready, third]);
      expect([...state.resume].sort((x, y) => x.kind.localeCompare(y.kind))).toEqual([
        { group: '', kind: 'Event', version: 'v1', resourceVersion: '10' },
        resume[0],
      ]);
      expect(await bench.writer.load('never-seen')).toEqual({ cluster: null, objects: [], resume: [] });
    });

    it('forget a resume point whose resourceVersion is empty', async () => {
      const a = await bench.lease('a');
      const point = { group: 'g', kind: 'K', version: 'v1', resourceVersion: '5' };
      await bench.write(a, { resume: [point] });
      await bench.write(a, { resume: [{ ...point, resourceVersion: '' }] });
      expect((await bench.writer.load('a')).resume).toEqual([]);
    });

    it('give the detail of one object', async () => {
      const a = await bench.lease('a');
      const object = objectOf(refOf('a', 1));
      await bench.write(a, { objects: [{ object, detail: detailOf(object) }] });
      expect(await bench.reader.detail(object.ref)).toEqual(detailOf(object));
      expect(await bench.reader.detail(refOf('a', 2))).toBeNull();
      expect(await bench.reader.detail(refOf('z', 1))).toBeNull();
    });
  });

  describe('history', () => {
    it('gives transitions of one object and of all, newest first, within bounds that count', async () => {
      const [a, b] = [await bench.lease('a'), await bench.lease('b')];
      const ofA = [100, 200, 300, 400].map((at) => transitionOf(refOf('a', 1), noon + at));
      const first = transitionOf(refOf('b', 1), noon + 250, {
        from: null,
        to: 'converged',
        bound: 'at-least',
        commit: null,
      });
      const gone = transitionOf(refOf('b', 1), noon + 350, {
        from: 'stale',
        to: null,
        rootCause: { type: 'cluster', cluster: 'b' },
      });
      await bench.write(a, { transitions: ofA });
      await bench.write(b, { transitions: [first, gone] });
      const all = { from: noon, to: noon + 1000, limit: 100 };
      expect(await bench.reader.transitions(refOf('a', 1), all)).toEqual([...ofA].reverse());
      expect(await bench.reader.transitions(refOf('a', 1), { from: noon + 200, to: noon + 300, limit: 100 })).toEqual([
        ofA[2],
        ofA[1],
      ]);
      expect(await bench.reader.transitions(refOf('a', 1), { ...all, limit: 1 })).toEqual([ofA[3]]);
      expect(await bench.reader.transitions(refOf('a', 2), all)).toEqual([]);
      const late = transitionOf(refOf('a', 1), noon + 500, { noticedAt: noon + 900 });
      await bench.write(a, { transitions: [late] });
      const known = (noticedBy: number) => bench.reader.transitions(refOf('a', 1), { ...all, limit: 2, noticedBy });
      expect(await known(noon + 899)).toEqual([ofA[3], ofA[2]]);
      expect(await known(noon + 900)).toEqual([late, ofA[3]]);
      expect(await bench.reader.recent(all)).toEqual([late, ofA[3], gone, ofA[2], first, ofA[1], ofA[0]]);
      expect(await bench.reader.recent({ ...all, cluster: 'b' })).toEqual([gone, first]);
      expect(await bench.reader.recent({ ...all, cluster: 'none' })).toEqual([]);
      expect(await bench.reader.stats()).toMatchObject({ transitions: 7, objects: 0 });
      expect((await catchUp(bench.reader, newPicture())).received).toEqual([]);
    });

    it('takes a batch that is written a second time once', async () => {
      const a = await bench.lease('a');
      const batch = {
        objects: withDetails(some('a', 2)),
        transitions: [transitionOf(refOf('a', 1), noon), transitionOf(refOf('a', 1), noon, { to: null })],
        coverage: [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }],
      };
      await bench.write(a, batch);
      await bench.write(a, batch);
      expect(await bench.reader.recent({ from: 0, to: noon, limit: 9 })).toHaveLength(2);
      expect(await bench.reader.coverage('a', { from: 0, to: noon })).toHaveLength(1);
      expect(await bench.reader.stats()).toMatchObject({ objects: 2 });
    });

    it('gives coverage in order, and before it what was in force when the range began', async () => {
      const a = await bench.lease('a');
      const kind = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' };
      const changes = [
        { cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null },
        { cluster: 'a', kind, at: noon + 10, observed: false, state: 'syncing', reason: 'first list' },
        { cluster: 'a', kind, at: noon + 20, observed: true, state: 'live', reason: null },
        {
          cluster: 'a',
          kind: null,
          at: noon + 30,
          observed: false,
          state: 'unreachable',
          reason: 'connection refused',
        },
        { cluster: 'a', kind: null, at: noon + 40, observed: true, state: 'live', reason: null },
      ];
      await bench.write(a, { coverage: changes });
      expect(await bench.reader.coverage('a', { from: noon, to: noon + 100 })).toEqual(changes);
      expect(await bench.reader.coverage('a', { from: noon + 25, to: noon + 35 })).toEqual([
        changes[0],
        changes[2],
        changes[3],
      ]);
      expect(await bench.reader.coverage('b', { from: noon, to: noon + 100 })).toEqual([]);
    });
  });
}
