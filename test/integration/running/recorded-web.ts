import { statSync } from 'node:fs';
import { WireFleet } from '#lib/api/fleet.ts';
import { startHealth } from '#server/collector/health.ts';
import { createCollectorMetrics } from '#server/collector/metrics.ts';
import { startRecorder, type Recorder } from '#server/collector/recorder/recorder.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { startApi } from './running-api.ts';

/** A recorder with its health, and the API over the same store, without any cluster. */
export interface RecordedWeb {
  readonly recorder: Recorder;
  /** True if the web process has caught up with the store once. */
  synced(): boolean;
  /** Status and words of the recorder's readyz. */
  readyz(): Promise<string>;
  /** Trouble of the store in the summary of every page; null where all is well. */
  trouble(): Promise<string | null>;
  stop(): Promise<void>;
}

/** Makes an empty store, whose size is that of its schema. */
async function sizeOfEmpty(path: string): Promise<number> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  return statSync(path).size;
}

/** Starts both over the store at `path`, which grows by no more than `room` bytes over an empty one where they are given. */
export async function startRecordedWeb(path: string, room?: number): Promise<RecordedWeb> {
  const clock = systemClock;
  const bound = room === undefined ? {} : { maxBytes: (await sizeOfEmpty(path)) + room };
  const recorder = await startRecorder({ path, holder: 'one', clock, log: silentLog, ...bound });
  if ('type' in recorder) throw new Error(recorder.type);
  const fleet = { clusters: () => [], notSeen: () => [] };
  const health = await startHealth({
    port: 0,
    pod: null,
    log: silentLog,
    fleet,
    recorder,
    metrics: createCollectorMetrics(),
  });
  if (health.type === 'refused') throw new Error(health.message);
  const api = await startApi(path, clock);
  return {
    recorder,
    synced: api.follower.synced,
    async readyz() {
      const answer = await fetch(`http://127.0.0.1:${health.port}/readyz`);
      return `${answer.status} ${(await answer.text()).trim()}`;
    },
    async trouble() {
      return WireFleet.parse(await api.ask('fleet')).summary.trouble;
    },
    async stop() {
      await api.stop();
      await health.stop();
      await recorder.stop();
    },
  };
}
