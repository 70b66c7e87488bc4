// A process of its own that records changes of verdict as fast as the recorder takes them, until it is told to stop.
import { startRecorder } from '#server/collector/recorder/recorder.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, objectOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { bulkCluster, bulkRef, recordEnds } from './record-store.ts';
import { clusterSource } from '#server/store/port/port.ts';

const [path = '', clusters = '1'] = process.argv.slice(2);
const atOnce = 20;
const durations: number[] = [];
const recorder = await startRecorder({
  path,
  holder: 'bench-writer',
  clock: systemClock,
  log: silentLog,
  onCommit: ({ duration }) => durations.push(duration),
});
if ('type' in recorder) throw new Error(recorder.type);
const names = Array.from({ length: Math.min(50, Number(clusters)) }, (_, index) => bulkCluster(index));
await Promise.all(names.map((name) => recorder.acquire(clusterSource(name))));

let stopped = false;
process.on('message', () => (stopped = true));
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'writing' });

const since = performance.now();
let written = 0;
for (let turn = 1; !stopped; turn++) {
  const at = recordEnds + turn * 1000;
  const to = turn % 2 === 0 ? 'converged' : 'diverged';
  for (const name of names) {
    const onset = { time: at, bound: 'exact', noticedAt: at } as const;
    const objects = Array.from({ length: atOnce }, (_, number) =>
      objectOf(bulkRef(name, number), { verdict: to, onset, awaySince: to === 'diverged' ? onset : null }),
    );
    const transitions = objects.map(({ ref, uid }) => transitionOf(ref, at, { uid, noticedAt: at, to }));
    void recorder.write(name, batchOf({ at, objects: withDetails(objects), transitions })).then((result) => {
      if (result.type === 'written') written += atOnce;
    });
    await (recorder.room(name) ?? Promise.resolve());
  }
  await new Promise((resolve) => setImmediate(resolve));
}
const seconds = (performance.now() - since) / 1000;
durations.sort((a, b) => a - b);
process.send?.({ type: 'wrote', rate: written / seconds, commit: durations[Math.floor(durations.length * 0.99)] ?? 0 });
await recorder.stop();
process.disconnect?.();
