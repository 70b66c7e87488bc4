// node test/bench/record/recorder.ts [clusters] [objects per cluster]: a first sync through the recorder's thread, with what it costs the main thread.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startRecorder } from '#server/collector/recorder/recorder.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '#server/store/port/port.ts';

const clusters = Number(process.argv[2] ?? 1000);
const perCluster = Number(process.argv[3] ?? 1000);
const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-recorder-'));
const durations: number[] = [];
const recorder = await startRecorder({
  path: join(directory, 'plumbline.db'),
  holder: 'bench',
  clock: systemClock,
  log: silentLog,
  onCommit: (sample) => durations.push(sample.duration),
});
if ('type' in recorder) throw new Error(recorder.type);
await Promise.all(Array.from({ length: clusters }, (_, index) => recorder.acquire(clusterSource(`cluster-${index}`))));

const lag = monitorEventLoopDelay({ resolution: 5 });
lag.enable();
const since = performance.now();
const threadBefore = process.threadCpuUsage();
let making = 0;
const outcomes: Promise<unknown>[] = [];
for (let index = 0; index < clusters; index++) {
  const cluster = `cluster-${index}`;
  for (let from = 0; from < perCluster; from += 250) {
    const began = performance.now();
    const objects = Array.from({ length: Math.min(250, perCluster - from) }, (_, number) =>
      objectOf(refOf(cluster, from + number)),
    );
    const transitions = objects.map((object) =>
      transitionOf(object.ref, noon + index, { from: null, to: 'converged' }),
    );
    const batch = batchOf({
      cluster: from === 0 ? clusterOf(cluster) : null,
      objects: withDetails(objects),
      transitions,
    });
    making += performance.now() - began;
    outcomes.push(recorder.write(cluster, batch));
    await (recorder.room(cluster) ?? Promise.resolve());
  }
  await new Promise((resolve) => setImmediate(resolve));
}
await Promise.all(outcomes);
const seconds = (performance.now() - since) / 1000;
const { user, system } = process.threadCpuUsage(threadBefore);
durations.sort((a, b) => a - b);
const quantile = (q: number): string => (durations[Math.floor((durations.length - 1) * q)] ?? 0).toFixed(0);
process.stdout.write(
  `${clusters * perCluster} objects recorded in ${seconds.toFixed(1)} s; main thread busy ${((user + system) / 1e6).toFixed(1)} s, ` +
    `${(making / 1000).toFixed(1)} s of it making the records; event loop late p99 ${(lag.percentile(99) / 1e6).toFixed(0)} ms; ` +
    `${durations.length} commits p50 ${quantile(0.5)} p99 ${quantile(0.99)} max ${quantile(1)} ms; rss ${Math.round(process.memoryUsage().rss / 1_048_576)} MB\n`,
);
const stopping = performance.now();
await recorder.stop();
process.stdout.write(`stopped in ${(performance.now() - stopping).toFixed(0)} ms\n`);
rmSync(directory, { recursive: true });
