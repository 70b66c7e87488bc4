import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { numberAt } from '#lib/foreign.ts';
import type { Period } from '#lib/domain/span.ts';
import { dayOf } from '#lib/domain/utc-day.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { StoreReader } from '#server/store/port.ts';
import type { RecordReader } from '#server/store/record-port.ts';
import { openSqliteReader } from '#server/store/sqlite/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writer.ts';
import { askReport } from '#server/web/report/ask-report.ts';
import { randomOf } from '#test/contract/random-history.ts';
import { startChild } from './child.ts';
import { openPast } from './measure-past.ts';
import { quantile } from './quantile.ts';
import { bulkCluster, bulkRef, recordEnds, recordedDays, writeBulkRecord, type BulkRecord } from './record-store.ts';

const day = 86_400_000;
const minute = 60_000;
const clusters = 1_000;
const objectsOnEach = 60;
/** A disk that keeps everything, so that nothing is deleted meanwhile. */
const forever = { spans: 10_000 * day, messages: 10_000 * day };

/** Steps of rolling up that are looked at one by one, and how many are committed together after that. */
const stepsAlone = 100;
const stepsAtOnce = 50;

/** Questions about moments of which none was asked for before. The first reads what is the same at all of them. */
interface Moments {
  readonly first: number;
  readonly p50: number;
  readonly p99: number;
}

/** What was measured; times in ms unless said otherwise. */
export interface RecordResult {
  readonly bulk: BulkRecord;
  readonly bytes: number;
  /** Seconds to roll up all that is over, and the longest step of it (ms). */
  readonly rollUp: { readonly seconds: number; readonly longest: number };
  readonly report: { readonly first: number; readonly again: number; readonly compared: number; readonly odd: number };
  /** For how long at most one question of a report kept the thread. */
  readonly longestQuestion: number;
  readonly timeline: { readonly p50: number; readonly p99: number };
  /** The fleet as it was read, and the matrix as a page asks for it, with all that is made of what was read. */
  readonly past: Moments;
  readonly matrix: Moments;
  /** Transitions a second, alone and while everything of this is asked; and what is asked meanwhile. */
  readonly writing: {
    readonly alone: number;
    readonly asked: number;
    readonly commit: number;
    readonly report: number;
  };
}

/** Writes a record of so many spans and asks it everything. */
export async function measureRecord(options: {
  readonly spans: number;
  readonly directory: string;
  readonly say: (line: string) => void;
}): Promise<RecordResult> {
  const { spans, say } = options;
  const directory = join(options.directory, 'record');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'plumbline.db');
  say(`Writing a record of ${spans.toLocaleString('en')} spans ...`);
  const bulk = await writeBulkRecord({ path, clusters, objectsOnEach, spans, say });
  say('Rolling up what is over ...');
  const rollUp = await rollUpAll(path);
  const bytes = statSync(path).size;
  const reader = await opened(path);
  const { record } = reader;
  say('Reports ...');
  const whole = { from: dayOf(recordEnds) - (recordedDays - 1) * day, to: recordEnds };
  const half = { from: dayOf(recordEnds) - 44 * day, to: recordEnds };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const report = {
    first: await timed(() => reportOf(record, whole)),
    again: await timed(() => reportOf(record, whole)),
    compared: await timed(() => reportOf(record, half)),
    odd: await timed(() => reportOf(record, { from: half.from + 5 * day + 61 * minute, to: half.to - day })),
  };
  delay.disable();
  say('Timelines and past moments ...');
  const timeline = spread(await manyTimes(300, (random) => askTimeline(record, random, whole)));
  const past = await momentsOf(whole, (at) => record.stateAt(at, { clusters: null }));
  const askMatrix = await openPast(reader, recordEnds);
  const matrix = await momentsOf(whole, askMatrix);
  say('Recording, alone and while all of it is asked ...');
  const alone = await writingWhile(path, options.directory, () => pause(8_000));
  let reportMeanwhile = 0;
  const asked = await writingWhile(path, options.directory, async () => {
    const until = performance.now() + 12_000;
    const random = randomOf(7);
    while (performance.now() < until) {
      reportMeanwhile = Math.max(reportMeanwhile, await timed(() => reportOf(record, half)));
      for (let count = 0; count < 20; count++) await askTimeline(record, random, whole);
      await record.stateAt(whole.from + Math.floor(random() * (whole.to - whole.from)), { clusters: null });
      await pause(50);
    }
  });
  await reader.close();
  return {
    bulk,
    bytes,
    rollUp,
    report,
    longestQuestion: delay.max / 1e6,
    timeline,
    past,
    matrix,
    writing: { alone: alone.rate, asked: asked.rate, commit: asked.commit, report: reportMeanwhile },
  };
}

async function opened(path: string): Promise<StoreReader> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  return reader;
}

async function rollUpAll(path: string): Promise<RecordResult['rollUp']> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const since = performance.now();
  let longest = 0;
  for (let step = 0; step < stepsAlone; step++) {
    const began = performance.now();
    await writer.keep(forever, recordEnds);
    longest = Math.max(longest, performance.now() - began);
  }
  // What is asked for at once is committed together: a whole record in steps of their own would wait for the disk most of the time.
  for (let more = true; more;) {
    const steps = await Promise.all(Array.from({ length: stepsAtOnce }, () => writer.keep(forever, recordEnds)));
    more = steps.every((step) => step.more);
  }
  const seconds = (performance.now() - since) / 1000;
  await writer.close();
  return { seconds, longest };
}

/** The report as the web process makes it, with the period before it. */
async function reportOf(record: RecordReader, period: Period): Promise<unknown> {
  return askReport(record, {
    period: { ...period, end: period.to },
    scope: { clusters: null, cluster: '', label: '', kind: null },
    asOf: recordEnds,
    version: 'bench',
    simulated: true,
    alarmWithin: 15 * minute,
    alarmSource: false,
  });
}

async function askTimeline(record: RecordReader, random: () => number, period: Period): Promise<void> {
  const cluster = bulkCluster(Math.floor(random() * clusters));
  const ref = bulkRef(cluster, Math.floor(random() * objectsOnEach));
  const { group, kind, namespace, name } = ref;
  const scope = { clusters: [cluster], kind: { group, kind }, namespace, name };
  await record.spans(ref, period, 10_000);
  await record.gaps(cluster, period);
  await record.earlier(ref);
  await record.incidents(scope, period, { order: 'newest', cursor: null, limit: 50 });
}

async function writingWhile(
  path: string,
  directory: string,
  work: () => Promise<void>,
): Promise<{ readonly rate: number; readonly commit: number }> {
  const child = startChild({ program: 'test/bench/record-writer.ts', args: [path, String(clusters)], directory });
  await child.hear('writing', 60_000);
  await work();
  child.tell({ type: 'stop' });
  const wrote = await child.hear('wrote', 60_000);
  await child.stop();
  return { rate: numberAt(wrote, 'rate') ?? Number.NaN, commit: numberAt(wrote, 'commit') ?? Number.NaN };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

async function manyTimes(count: number, work: (random: () => number) => Promise<unknown>): Promise<readonly number[]> {
  const random = randomOf(42);
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await timed(() => work(random)));
  return times;
}

/** How long (ms) questions about moments anywhere in a period take. */
async function momentsOf({ from, to }: Period, ask: (at: number) => Promise<unknown>): Promise<Moments> {
  const times = await manyTimes(40, (random) => ask(from + Math.floor(random() * (to - from))));
  return { first: times[0] ?? Number.NaN, ...spread(times.slice(1)) };
}

function spread(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, time));
}
