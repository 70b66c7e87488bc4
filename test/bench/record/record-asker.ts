// A process of its own that asks a record everything, through a thread as the web process does: node test/bench/record/record-asker.ts PATH
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import { describeOpenRefusal, type OpenRefusal } from '#server/store/port/open-refusal.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource } from '#server/store/port/port.ts';
import { openReaderThread } from '#server/store/reader-thread/reader-thread.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { randomOf } from '#test/contract/random-history.ts';
import { askBenchReport } from '../bench-report.ts';
import { openPast } from '../measure/measure-past.ts';
import { quantile } from '../measure/quantile.ts';
import type { RecordAnswers } from './record-answers.ts';
import { bulkCluster, bulkClusters, bulkObjects, bulkRef, recordEnds, recordedDays } from './record-store.ts';

const whole = { from: dayOf(recordEnds) - (recordedDays - 1) * day, to: recordEnds };
const month = { from: dayOf(recordEnds) - 29 * day, to: recordEnds };
const half = { from: dayOf(recordEnds) - 44 * day, to: recordEnds };
const odd = { from: half.from + 5 * day + 61 * minute, to: half.to - day };

const path = process.argv[2] ?? '';
const [reader, past] = [readable(await openReaderThread({ path })), readable(await openSqliteReader({ path }))];
const { record } = reader;

process.on('disconnect', () => process.exit(0));
process.on('message', () => void meanwhile());
process.send?.({ type: 'answers', answers: await ask() });

function readable(opened: StoreReader | OpenRefusal): StoreReader {
  if ('type' in opened) throw new Error(describeOpenRefusal(opened));
  return opened;
}

async function ask(): Promise<RecordAnswers> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const report = {
    // The first two as the web process asks them when it starts.
    cold: await timed(() => askBenchReport(record, whole)),
    month: await timed(() => askBenchReport(record, month)),
    first: await timed(() => askBenchReport(record, whole)),
    again: await leastOf(() => timed(() => askBenchReport(record, whole))),
    written: await leastOf(() => afterWrite(() => askBenchReport(record, whole))),
    comparedFirst: await timed(() => askBenchReport(record, half)),
    compared: await leastOf(() => afterWrite(() => askBenchReport(record, half))),
    odd: await timed(() => askBenchReport(record, odd)),
  };
  delay.disable();
  const timeline = spread(await manyTimes(300, (random) => askTimeline(random)));
  const fleet = await momentsOf(askPast);
  const matrix = await momentsOf(await openPast(path, reader, recordEnds));
  return { report, longestQuestion: delay.max / 1e6, timeline, past: fleet, matrix };
}

/** Others are on the machine too: the least time (ms) of some. */
async function leastOf(time: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let turn = 0; turn < 5; turn++) least = Math.min(least, await time());
  return least;
}

/** Time (ms) of a question after something was written, so long ago that nothing that was read before is told once more. */
async function afterWrite(question: () => Promise<unknown>): Promise<number> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  // A lease is a row like any other to who reads, and leaves the record as it was.
  const lease = await writer.acquire(clusterSource(bulkCluster(0)), 'bench', Date.now(), 1_000);
  if (lease !== null) await writer.release(lease);
  await writer.close();
  await new Promise((resolve) => void setTimeout(resolve, 1_100));
  return timed(question);
}

/** Asks all of it again and again for a while, and tells how long the slowest report took (ms). */
async function meanwhile(): Promise<void> {
  const until = performance.now() + 12_000;
  const random = randomOf(7);
  let report = 0;
  while (performance.now() < until) {
    report = Math.max(report, await timed(() => askBenchReport(record, half)));
    for (let count = 0; count < 20; count++) await askTimeline(random);
    await askPast(whole.from + Math.floor(random() * (whole.to - whole.from)));
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  process.send?.({ type: 'meanwhile', report });
}

/** The whole fleet at a moment (ms), read on the thread that answers from it. */
async function askPast(at: number): Promise<readonly CurrentObject[]> {
  return (await past.record.stateAt(at, { clusters: null })).objects;
}

/** The report as the web process makes it, with the period before it. */
async function askTimeline(random: () => number): Promise<void> {
  const cluster = bulkCluster(Math.floor(random() * bulkClusters));
  const ref = bulkRef(cluster, Math.floor(random() * bulkObjects));
  const { group, kind, namespace, name } = ref;
  const scope = { clusters: [cluster], kind: { group, kind }, namespace, name };
  await record.spans(ref, whole, 10_000);
  await record.gaps([cluster], whole);
  await record.earlier(ref);
  await record.absences(scope, whole, { order: 'newest', cursor: null, limit: 50 });
}

/** Times (ms) that questions about moments anywhere in the record take. */
async function momentsOf(question: (at: number) => Promise<unknown>): Promise<RecordAnswers['past']> {
  const { from, to } = whole;
  const times = await manyTimes(40, (random) => question(from + Math.floor(random() * (to - from))));
  return { first: times[0] ?? Number.NaN, ...spread(times.slice(1)) };
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

function spread(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
