import { describe, expect, expectTypeOf, it } from 'vitest';
import { factKey } from '#lib/domain/alarm/fact.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import { alarmSource, type Lease, type StoreWriter } from '#server/store/port/port.ts';
import {
  alarmBatchOf,
  alarmLease,
  alarmSourceOf,
  alertOf,
  alertsOf,
  callOf,
  coverageOf,
  everyFact,
} from './alarm-records.ts';
import { catchUp, newPicture, receivedTypes, some, step, type Bench, type Picture } from '../store-bench.ts';
import { clusterOf, noon, withDetails } from '../store-records.ts';

const nothingStored = { source: null, facts: [], openCalls: [] };
const always = { from: 0, to: noon + 10_000_000 };

function keysOf(picture: Picture, source: string): string[] {
  return [...(picture.alarms.get(source)?.facts.keys() ?? [])].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Cases of what alarm sources tell now. */
export function describeAlarms(bench: Bench): void {
  async function write(to: Lease<'alarm-source'>, change: Partial<AlarmBatch>): Promise<void> {
    expect(await bench.writer.writeAlarms(to, alarmBatchOf(change))).toEqual({ type: 'written' });
  }

  const lease = (name = 'prom') => alarmLease(bench.writer, name);

  describe('facts of alarm sources', () => {
    it('come to followers as they were written, the source first to who does not know it', async () => {
      await write(await lease(), { source: alarmSourceOf('prom'), put: everyFact });
      const { changes } = await bench.reader.follow(null, 100);
      expect(changes).toEqual([
        { type: 'alarm-source', source: alarmSourceOf('prom') },
        ...everyFact.map((fact) => ({ type: 'alarm-fact', source: 'prom', fact })),
      ]);
      expect(await bench.writer.loadAlarms('prom')).toEqual({
        source: alarmSourceOf('prom'),
        facts: everyFact,
        openCalls: [],
      });
      expect(await bench.writer.loadAlarms('none')).toEqual(nothingStored);
    });

    it('come with what is newer than the cursor only, the source last', async () => {
      const prom = await lease();
      await write(prom, { source: alarmSourceOf('prom'), put: alertsOf(5) });
      const picture = await catchUp(bench.reader, newPicture());
      const cut = alarmSourceOf('prom', { cut: ['too many alerts'] });
      await write(prom, { source: cut, put: [alertOf(3, 'pending')], removed: [factKey(alertOf(1)), 'alert/none'] });
      await catchUp(bench.reader, picture);
      expect(picture.received).toEqual([
        { type: 'alarm-fact-removed', source: 'prom', key: 'alert/alert-1' },
        { type: 'alarm-fact', source: 'prom', fact: alertOf(3, 'pending') },
        { type: 'alarm-source', source: cut },
      ]);
    });

    it.each([1, 2, 3, 7, 1000])('come whole from a cursor of any age, in chunks of %i', async (limit) => {
      const [prom, other] = [await lease(), await lease('other')];
      const pictures: Picture[] = [];
      for (let round = 0; round < 6; round++) {
        const removed = round > 2 ? [factKey(alertOf(round - 3))] : [];
        await write(prom, {
          source: alarmSourceOf('prom', { cut: [`round ${round}`] }),
          put: [alertOf(round), alertOf(round + 1, 'pending')],
          removed,
        });
        await write(other, { put: [alertOf(round)] });
        pictures.push(await catchUp(bench.reader, newPicture(), limit));
      }
      const now = await catchUp(bench.reader, newPicture());
      for (const picture of pictures) {
        await catchUp(bench.reader, picture, limit);
        expect(keysOf(picture, 'prom')).toEqual(keysOf(now, 'prom'));
        expect(picture.alarms.get('prom')).toEqual(now.alarms.get('prom'));
        expect(keysOf(picture, 'other')).toHaveLength(6);
      }
    });

    it('leave tombstones that who comes later is not told of', async () => {
      const prom = await lease();
      await write(prom, { put: alertsOf(3) });
      const early = newPicture();
      await step(bench.reader, early, 1);
      await write(prom, { removed: [factKey(alertOf(0)), factKey(alertOf(2))] });
      await catchUp(bench.reader, early, 1);
      expect(keysOf(early, 'prom')).toEqual(['alert/alert-1']);
      expect(receivedTypes(await catchUp(bench.reader, newPicture()))).toEqual(['alarm-fact']);
      await write(prom, { removed: [factKey(alertOf(0))] });
      expect((await catchUp(bench.reader, early)).received).toEqual([]);
      await write(prom, { put: [alertOf(0)], removed: [factKey(alertOf(0))] });
      expect((await catchUp(bench.reader, early)).received).toEqual([
        { type: 'alarm-fact', source: 'prom', fact: alertOf(0) },
      ]);
    });

    it('start anew from a cursor of another store', async () => {
      await write(await lease(), { source: alarmSourceOf('prom'), put: alertsOf(2) });
      const answer = await bench.reader.follow('1:other-store:0:1.5.0', 10);
      expect([answer.reset, answer.changes.length]).toEqual([true, 3]);
    });

    it('change nothing when the same comes again', async () => {
      const prom = await lease();
      const batch = {
        source: alarmSourceOf('prom'),
        put: everyFact,
        removed: ['alert/gone'],
        calls: [callOf('prom', 1, 0)],
        coverage: [coverageOf('prom', 0, true)],
      };
      await write(prom, batch);
      const picture = await catchUp(bench.reader, newPicture());
      await write(prom, batch);
      expect((await catchUp(bench.reader, picture)).received).toEqual([]);
      expect((await bench.writer.loadAlarms('prom')).openCalls).toHaveLength(1);
      expect(await bench.reader.record.alarmCoverage(always)).toHaveLength(1);
    });

    it('say of one that is too large that the source is cut, and only while it is', async () => {
      const prom = await lease();
      const large = { ...alertOf(2), labels: { summary: 'x'.repeat(4 * 1024 * 1024) } };
      await write(prom, { source: alarmSourceOf('prom'), put: [alertOf(1), large, alertOf(3)] });
      const picture = await catchUp(bench.reader, newPicture());
      const cutIn = () => picture.alarms.get('prom')?.source?.cut;
      expect(keysOf(picture, 'prom')).toEqual(['alert/alert-1', 'alert/alert-3']);
      expect(cutIn()).toEqual(['1 of its facts is larger than 4 MB and not kept.']);
      expect((await bench.writer.loadAlarms('prom')).facts).toEqual([alertOf(1), alertOf(3)]);
      await write(prom, { put: [alertOf(2)] });
      await catchUp(bench.reader, picture);
      expect([keysOf(picture, 'prom').length, cutIn()]).toEqual([3, []]);
      // One that was told before is no longer known either.
      await write(prom, { put: [large] });
      await catchUp(bench.reader, picture);
      expect([keysOf(picture, 'prom').length, cutIn()?.length]).toEqual([2, 1]);
      await write(prom, { removed: [factKey(large)] });
      await catchUp(bench.reader, picture);
      expect([keysOf(picture, 'prom').length, cutIn()]).toEqual([2, []]);
    });

    it('are whole where several are large', async () => {
      const large = Array.from({ length: 4 }, (_, number) => {
        return { ...alertOf(number), labels: { summary: 'x'.repeat(3 * 1024 * 1024) } };
      });
      await write(await lease(), { source: alarmSourceOf('prom'), put: large });
      const picture = newPicture();
      await step(bench.reader, picture, 1000);
      await catchUp(bench.reader, picture, 1000);
      expect(keysOf(picture, 'prom')).toHaveLength(4);
      expect(picture.alarms.get('prom')?.source?.cut).toEqual([]);
    });

    it('are no rows of a cluster of the same name', async () => {
      const prom = await lease('a');
      const a = await bench.lease('a');
      await bench.write(a, { cluster: clusterOf('a'), objects: withDetails(some('a', 2)) });
      await write(prom, { source: alarmSourceOf('a'), put: alertsOf(2) });
      const picture = await catchUp(bench.reader, newPicture());
      await bench.writer.forget(a, noon);
      await catchUp(bench.reader, picture);
      expect(receivedTypes(picture)).toEqual(['cluster-removed', 'removed', 'removed']);
      expect(keysOf(picture, 'a')).toHaveLength(2);
      expect(await bench.reader.clusters()).toEqual([]);
      expect(await bench.reader.stats()).toMatchObject({ clusters: 0, objects: 0 });
    });
  });

  describe('alarm sources', () => {
    it('are fenced as clusters are, and nothing of a refused batch is to be seen', async () => {
      const old = await lease();
      await write(old, { put: alertsOf(1) });
      const other = await bench.store.openWriter();
      const taken = await other.acquire(alarmSource('prom'), 'two', noon + 20_000, 15_000);
      if (taken === null) throw new Error('an expired lease was not given');
      const { cursor } = await bench.reader.follow(null, 100);
      const late = alarmBatchOf({
        source: alarmSourceOf('prom'),
        put: everyFact,
        removed: [factKey(alertOf(0))],
        calls: [callOf('prom', 1, 0)],
        coverage: [coverageOf('prom', 0, true)],
      });
      expect(await bench.writer.writeAlarms(old, late)).toEqual({ type: 'fenced' });
      expect(await bench.writer.forgetAlarms(old, noon)).toEqual({ type: 'fenced' });
      expect((await bench.reader.follow(cursor, 100)).changes).toEqual([]);
      expect(await bench.reader.record.alarmCoverage(always)).toEqual([]);
      expect(await other.loadAlarms('prom')).toEqual({ ...nothingStored, facts: alertsOf(1) });
      expect(await other.writeAlarms(taken, late)).toEqual({ type: 'written' });
      await other.close();
    });

    it('write a batch whole or not at all, and take no other down', async () => {
      const [prom, other] = [await lease(), await lease('other')];
      const bad = callOf('prom', 2, Number.NaN);
      const [refused, beside] = await Promise.all([
        bench.writer.writeAlarms(prom, alarmBatchOf({ put: alertsOf(2), calls: [callOf('prom', 1, 0), bad] })),
        bench.writer.writeAlarms(other, alarmBatchOf({ put: alertsOf(1) })),
      ]);
      expect(refused).toMatchObject({ type: 'failed', permanent: true });
      expect(beside).toEqual({ type: 'written' });
      expect(await bench.writer.loadAlarms('prom')).toEqual(nothingStored);
      expect((await bench.writer.loadAlarms('other')).facts).toHaveLength(1);
    });

    it('are forgotten: followers hear it, newcomers do not, calls end and the record stays', async () => {
      const prom = await lease();
      await write(prom, {
        source: alarmSourceOf('prom'),
        put: alertsOf(2),
        calls: [callOf('prom', 1, 0), callOf('prom', 2, 0, { to: noon + 5 }), callOf('prom', 3, 900)],
        coverage: [coverageOf('prom', 0, true)],
      });
      const picture = await catchUp(bench.reader, newPicture());
      expect(await bench.writer.forgetAlarms(prom, noon + 500)).toEqual({ type: 'written' });
      await catchUp(bench.reader, picture, 1);
      expect(receivedTypes(picture)).toEqual(['alarm-fact-removed', 'alarm-fact-removed', 'alarm-source-removed']);
      expect(picture.alarms.size).toBe(0);
      expect((await catchUp(bench.reader, newPicture())).received).toEqual([]);
      expect(await bench.writer.loadAlarms('prom')).toEqual(nothingStored);
      const question = { scope: { clusters: null }, period: always, at: noon + 1_000 };
      const { items } = await bench.reader.record.calls(question, { cursor: null, limit: 9 });
      // One that began after that, on a clock that was set back, lasted no time.
      expect(items.map(({ key, to }) => [key.at(-1), to])).toEqual([
        ['2', noon + 5],
        ['1', noon + 500],
      ]);
      expect(await bench.reader.record.alarmCoverage(always)).toEqual([
        coverageOf('prom', 0, true),
        { ...coverageOf('prom', 500, false), reason: 'It is configured no longer.' },
      ]);
      await write(prom, { source: alarmSourceOf('prom'), put: alertsOf(1) });
      expect(receivedTypes(await catchUp(bench.reader, picture))).toEqual(['alarm-fact', 'alarm-source']);
    });

    it('are named while they have a present record, or a call that lasts', async () => {
      const [prom, other] = [await lease(), await lease('other')];
      await lease('none');
      await write(prom, { source: alarmSourceOf('prom'), put: alertsOf(1) });
      await write(other, { calls: [callOf('other', 1, 0)] });
      expect(await bench.reader.alarmSources()).toEqual(['other', 'prom']);
      await bench.writer.forgetAlarms(other, noon + 1);
      expect(await bench.reader.alarmSources()).toEqual(['prom']);
      await bench.writer.forgetAlarms(prom, noon + 1);
      expect(await bench.reader.alarmSources()).toEqual([]);
      expect(await bench.reader.clusters()).toEqual([]);
    });

    it('are read by a writer that is opened anew, after one that never closed', async () => {
      await write(await lease(), {
        source: alarmSourceOf('prom'),
        put: everyFact,
        calls: [callOf('prom', 1, 0)],
        coverage: [coverageOf('prom', 0, true)],
      });
      const [writer, reader] = [await bench.store.openWriter(), await bench.store.openReader()];
      const stored = { source: alarmSourceOf('prom'), facts: everyFact, openCalls: [callOf('prom', 1, 0)] };
      expect(await writer.loadAlarms('prom')).toEqual(stored);
      expect((await catchUp(reader, newPicture())).alarms.get('prom')?.facts.size).toBe(everyFact.length);
      await Promise.all([writer.close(), reader.close()]);
    });

    it('are written under leases of their own alone', () => {
      expectTypeOf<Lease<'alarm-source'>>().toExtend<Parameters<StoreWriter['writeAlarms']>[0]>();
      expectTypeOf<Lease<'cluster'>>().not.toExtend<Parameters<StoreWriter['writeAlarms']>[0]>();
      expectTypeOf<Lease<'alarm-source'>>().not.toExtend<Parameters<StoreWriter['write']>[0]>();
    });
  });
}
