import { describe, expect, it } from 'vitest';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { alarmBatchOf, alarmLease, callOf, coverageOf } from './alarm-records.ts';
import { randomOf } from '../random-history.ts';
import { startRecord } from '../record-writing/record-writer.ts';
import type { Bench } from '../store-bench.ts';
import { noon, refOf } from '../store-records.ts';
import { allPages } from '../written-record.ts';

const sources = ['prom', 'other'] as const;
const kustomization = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' };
const scopes: readonly RecordScope[] = [
  { clusters: null },
  { clusters: ['eu'] },
  { clusters: ['us', 'eu', 'none'] },
  { clusters: [] },
  { clusters: null, kind: kustomization },
  { clusters: null, kind: { group: 'other.example.org', kind: 'Kustomization' } },
  { clusters: ['eu'], kind: kustomization, namespace: 'team-1', name: 'app-1' },
  { clusters: null, namespace: 'team-2' },
  { clusters: null, namespace: '' },
  { clusters: null, within: [] },
  { clusters: null, within: [{ clusters: ['eu'], namespaces: null }] },
  {
    clusters: null,
    within: [
      { clusters: ['us'], namespaces: null },
      { clusters: null, namespaces: ['team-1', ''] },
    ],
  },
  { clusters: ['eu'], kind: kustomization, within: [{ clusters: ['us', 'eu'], namespaces: ['team-2'] }] },
];

/** Labels as several exporters write them, and some that name no object. */
const labelSets: readonly AlarmCall['labels'][] = [
  callOf('prom', 1, 0).labels,
  callOf('prom', 2, 0).labels,
  { kind: 'Kustomization', namespace: 'team-1', name: 'app-1' },
  { customresource_kind: 'kustomizations.kustomize.toolkit.fluxcd.io', name: ' app-1 ' },
  { customresource_kind: 'Kustomization', customresource_group: 'other.example.org', name: 'app-1' },
  { kind: 'Kustomization', group: 'flux', namespace: 'monitoring', name: 'app-1' },
  { kind: 'Kustomization', namespace: 'team-1' },
  { name: 'app-1', kind: '' },
  {},
];

interface Step {
  readonly source: string;
  readonly change: Partial<AlarmBatch> | { readonly forgottenAt: number };
}

/** A history of two alarm sources in so many steps, some of which come twice; the same for one seed. */
function randomCalls(seed: number, steps: number): { readonly written: readonly Step[]; readonly now: number } {
  const random = randomOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const open = new Map<string, AlarmCall>();
  const written: Step[] = [];
  let now = noon;
  for (let step = 0; step < steps; step++) {
    now += below(3) * below(60_000);
    const source = sources[below(2)] ?? 'prom';
    const roll = random();
    if (roll < 0.03) {
      for (const [name, call] of open) if (call.source === source) open.delete(name);
      written.push({ source, change: { forgottenAt: now } });
      continue;
    }
    const key = `key-${below(6)}`;
    const last = open.get(`${source} ${key}`);
    const labels = labelSets[below(labelSets.length)] ?? {};
    const cluster = ['eu', 'us', null][below(3)] ?? null;
    const call: AlarmCall = last
      ? { ...last, to: now - below(2) * 5 }
      : { ...callOf(source, 0, 0), key, labels, cluster, from: now - below(2) * below(90_000), to: null };
    if (last) open.delete(`${source} ${key}`);
    else open.set(`${source} ${key}`, call);
    const coverage = roll < 0.3 ? [{ ...coverageOf(source, 0, random() < 0.5), at: now - below(2) * 70_000 }] : [];
    const change = { at: now, calls: [call], coverage };
    written.push({ source, change });
    if (roll > 0.85) written.push({ source, change });
  }
  return { written, now: now + 1 };
}

async function answers(record: RecordReader, period: { from: number; to: number }, at: number): Promise<object> {
  const refs: readonly ObjectRef[] = [
    { ...refOf('eu', 1) },
    { ...refOf('us', 2) },
    { ...refOf('eu', 1), namespace: '' },
    { ...refOf('eu', 1), kind: 'HelmRelease' },
  ];
  return {
    calls: await Promise.all(
      scopes.map((scope) => allPages((cursor) => record.calls({ scope, period, at }, { cursor, limit: 3 }))),
    ),
    ofObjects: await Promise.all(refs.map((ref) => record.callsOf(ref, { ...period, at }, 5))),
    coverage: await record.alarmCoverage(period),
  };
}

/** Cases of who was called, and when that could be known. */
export function describeCalls(bench: Bench): void {
  async function write(change: Partial<AlarmBatch>): Promise<void> {
    const lease = await alarmLease(bench.writer, 'prom');
    expect(await bench.writer.writeAlarms(lease, alarmBatchOf(change))).toEqual({ type: 'written' });
  }

  const all = { scope: { clusters: null }, period: { from: noon, to: noon + 10_000 }, at: noon + 10_000 };
  const page = { cursor: null, limit: 9 };

  describe('calls', () => {
    it('begin, and end once', async () => {
      const call = callOf('prom', 1, 100);
      await write({ calls: [call] });
      expect((await bench.reader.record.calls(all, page)).items).toEqual([call]);
      expect((await bench.writer.loadAlarms('prom')).openCalls).toEqual([call]);
      const ended = { ...call, to: noon + 200 };
      await write({ calls: [ended] });
      await write({ calls: [call] });
      await write({ calls: [{ ...call, to: noon + 900 }] });
      expect((await bench.reader.record.calls(all, page)).items).toEqual([ended]);
      expect((await bench.writer.loadAlarms('prom')).openCalls).toEqual([]);
      const again = callOf('prom', 1, 300, { to: noon + 400, receivers: [], cluster: null, labels: {} });
      await write({ calls: [again] });
      expect((await bench.reader.record.calls(all, page)).items).toEqual([again, ended]);
    });

    it('are told as they were known: what was noticed later is not', async () => {
      await write({ calls: [callOf('prom', 1, 100, { to: noon + 500 })] });
      const at = async (ms: number) =>
        (await bench.reader.record.calls({ ...all, at: noon + ms }, page)).items.map(({ to }) => to && to - noon);
      expect([await at(99), await at(100), await at(499), await at(500)]).toEqual([[], [null], [null], [500]]);
      const range = { from: noon, to: noon + 1_000, at: noon + 499 };
      expect(await bench.reader.record.callsOf(refOf('eu', 1), range, 9)).toMatchObject([{ to: null }]);
    });

    it.each([
      [0, 100, 0],
      [0, 101, 1],
      [100, 200, 1],
      [199, 300, 1],
      [200, 300, 0],
      [150, 150, 0],
    ])('of 100 to 200 are in the period from %i to %i: %i', async (from, to, count) => {
      await write({ calls: [callOf('prom', 1, 100, { to: noon + 200 })] });
      const period = { from: noon + from, to: noon + to };
      expect((await bench.reader.record.calls({ ...all, period }, page)).items).toHaveLength(count);
      const range = { ...period, at: all.at };
      expect(await bench.reader.record.callsOf(refOf('eu', 1), range, 9)).toHaveLength(count);
    });

    it('name an object by the labels of several exporters, on the cluster to which they are attributed', async () => {
      const found: number[] = [];
      for (const [number, labels] of labelSets.entries()) {
        const calls = [callOf('prom', 1, number * 10, { labels, to: noon + number * 10 + 5 })];
        await write({ calls });
        const range = { from: noon + number * 10, to: noon + number * 10 + 5, at: all.at };
        const named = await bench.reader.record.callsOf(refOf('eu', 1), range, 9);
        expect(await bench.reader.record.callsOf(refOf('us', 1), range, 9)).toEqual([]);
        found.push(named.length);
      }
      expect(found).toEqual([1, 0, 1, 1, 0, 0, 0, 0, 0]);
    });

    it.each([1, 2, 3])('answer as lists do, over a random history (seed %i)', async (seed) => {
      const { written, now } = randomCalls(seed, 160);
      const pure = startRecord();
      for (const { source, change } of written) {
        const lease = await alarmLease(bench.writer, source);
        if ('forgottenAt' in change) {
          await bench.writer.forgetAlarms(lease, change.forgottenAt);
          pure.forgetAlarms(source, change.forgottenAt);
        } else {
          await bench.writer.writeAlarms(lease, alarmBatchOf(change));
          pure.writeAlarms(source, alarmBatchOf(change));
        }
      }
      const expected = readRecord(pure.recorded);
      const random = randomOf(seed + 50);
      for (let round = 0; round < 12; round++) {
        const from = noon + Math.floor(random() * (now - noon));
        const period = { from, to: from + Math.floor(random() * (now - from)) };
        const at = random() < 0.5 ? now : from + Math.floor(random() * (now - from));
        expect(await answers(bench.reader.record, period, at)).toEqual(await answers(expected, period, at));
      }
    });
  });

  describe('coverage of alarm sources', () => {
    it('is told in order, and before it what held of each as the range begins', async () => {
      const points = [
        coverageOf('prom', 0, true),
        coverageOf('prom', 10, false),
        coverageOf('prom', 20, true),
        coverageOf('prom', 30, false),
      ];
      await write({ coverage: points });
      const told = async (from: number, to: number) =>
        (await bench.reader.record.alarmCoverage({ from: noon + from, to: noon + to })).map(({ at }) => at - noon);
      expect(await told(0, 30)).toEqual([0, 10, 20, 30]);
      expect(await told(15, 25)).toEqual([10, 20]);
      expect(await told(20, 20)).toEqual([10, 20]);
      expect(await told(99, 100)).toEqual([30]);
      expect(await bench.reader.record.alarmCoverage({ from: noon, to: noon + 30 })).toEqual(points);
    });
  });
}
