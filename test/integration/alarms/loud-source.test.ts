// A source that makes more calls than a report looks at: what its clusters are told, and others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WireReport } from '#lib/api/report.ts';
import { callsLooked } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { askReport } from '#server/web/report/ask-report.ts';
import { sightOf } from '#server/web/worlds/sight.ts';
import { recordWithin } from '#server/web/worlds/record/record-within.ts';
import { recordedDays, recordEnds, writeBulkRecord } from '#test/bench/record/record-store.ts';
import { alarmBatchOf, alarmLease, callOf } from '#test/contract/alarms/alarm-records.ts';
import { noon } from '#test/contract/store-records.ts';

const directory = mkdtempSync(join(tmpdir(), 'plumbline-loud-source-'));
const path = join(directory, 'plumbline.db');
const begins = recordEnds - recordedDays * day;
const [quiet, loud] = ['cluster-0', 'cluster-1'] as const;
const clusters = [quiet, loud];

/** Reports of each cluster, of both, and of who sees one alone, as they were before the loud source called, and after. */
const before = new Map<string, WireReport>();
const after = new Map<string, WireReport>();

async function writeCalls(source: string, calls: readonly AlarmCall[], coverage: readonly AlarmCoverage[]) {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.writeAlarms(await alarmLease(writer, source), alarmBatchOf({ calls, coverage }));
  await writer.close();
}

/** Calls for the newest absences of a cluster, each after five minutes. */
async function callsFor(source: string, cluster: string): Promise<readonly AlarmCall[]> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const asked = { order: 'newest', cursor: null, limit: 10 } as const;
  const { items } = await reader.record.absences({ clusters: [cluster] }, { from: begins, to: recordEnds }, asked);
  await reader.close();
  return items.map(({ ref, openedAt, closedAt }, number) => {
    const labels = { kind: ref.kind, exported_namespace: ref.namespace, name: ref.name };
    return { ...callOf(source, number, 0), labels, cluster, from: openedAt + 5 * minute, to: closedAt };
  });
}

async function askAll(into: Map<string, WireReport>): Promise<void> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const ask = (record: RecordReader, of: readonly string[] | null): Promise<WireReport> =>
    askReport(record, {
      period: { from: recordEnds - 30 * day, to: recordEnds, end: recordEnds },
      scope: { clusters: of, cluster: of?.join() ?? '', label: '', kind: null },
      ...{ asOf: recordEnds, version: '0.0.0', simulated: false, alarmWithin: 15 * minute },
    });
  const sight = sightOf([{ clusters: [loud], namespaces: null }]);
  for (const cluster of clusters) into.set(cluster, await ask(reader.record, [cluster]));
  into.set('both', await ask(reader.record, null));
  into.set(
    'seen',
    await ask(
      recordWithin(reader.record, () => sight),
      null,
    ),
  );
  await reader.close();
}

beforeAll(async () => {
  await writeBulkRecord({ path, clusters: 2, objectsOnEach: 6, spans: 2_000, say: () => undefined });
  for (const [source, cluster] of [
    ['prom-0', quiet],
    ['prom-1', loud],
    ['shouting', loud],
  ] as const) {
    const calls = source === 'shouting' ? [] : await callsFor(source, cluster);
    await writeCalls(source, calls, [{ source, at: begins, read: true, clusters: [cluster], reason: null }]);
  }
  await askAll(before);
  const from = recordEnds - 20 * day - noon;
  const shouts = Array.from({ length: callsLooked + 5 }, (_, number) =>
    callOf('shouting', number, from + number, {
      cluster: loud,
      to: recordEnds - 10 * day,
      labels: { number: `${number}` },
    }),
  );
  await writeCalls('shouting', shouts, []);
  await askAll(after);
}, 120_000);

afterAll(() => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

function alarmsIn(reports: ReadonlyMap<string, WireReport>, of: string) {
  const alarms = reports.get(of)?.figures.alarms;
  if (alarms?.said !== 'told') throw new Error(`nothing is told of ${of}`);
  return alarms;
}

function textOf(report: WireReport | undefined): string {
  if (report === undefined) throw new Error('there is no report');
  return makeDocument(report)
    .times.map((pieces) => pieces.map(({ text }) => text).join(''))
    .join(' ');
}

it('leaves the report of another cluster as it was', () => {
  expect(alarmsIn(before, quiet)).toMatchObject({ unknownMs: 0, unlooked: [] });
  expect(alarmsIn(before, quiet).silentMs).toBeGreaterThan(0);
  expect(after.get(quiet)).toEqual(before.get(quiet));
});

it('makes unknown of its cluster whatever is not known to be called for by another, and says why', () => {
  const [was, is] = [alarmsIn(before, loud), alarmsIn(after, loud)];
  expect([was.unknownMs, was.silentMs > 0, was.calledMs > 0]).toEqual([0, true, true]);
  expect(is).toMatchObject({ calledMs: was.calledMs, silentMs: 0, unknownMs: was.silentMs, withoutAbsence: null });
  expect(is.overdue).toEqual({ inTime: was.overdue.inTime, late: 0, never: 0, unknown: was.overdue.never });
  expect(is.unlooked).toEqual([{ source: 'shouting', calls: callsLooked + 5 }]);
  expect(textOf(after.get(loud))).toContain('Source shouting made 200,005 calls');
});

it('adds both up for the fleet', () => {
  const [left, right, all] = [alarmsIn(after, quiet), alarmsIn(after, loud), alarmsIn(after, 'both')];
  for (const part of ['calledMs', 'silentMs', 'unknownMs', 'calls', 'toCallAtMost'] as const)
    expect([part, all[part]]).toEqual([part, left[part] + right[part]]);
  expect(all.unlooked).toEqual(right.unlooked);
});

it('tells who sees that cluster alone which source it is, and not how many calls it made for all', () => {
  expect(alarmsIn(after, 'seen')).toMatchObject({ silentMs: 0, unlooked: [{ source: 'shouting', calls: null }] });
  expect(textOf(after.get('seen'))).toContain('Source shouting made more calls');
});
