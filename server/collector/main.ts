import { hostname } from 'node:os';
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { readProcessSettings } from '#server/config/process-settings.ts';
import { selectedConfig } from '#server/config/selected-config.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { createLog } from '#server/runtime/log.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { describeOpenRefusal } from '#server/store/port/open-refusal.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { startHealth } from './health.ts';
import { createCollectorMetrics } from './metrics.ts';
import { startRecorder } from './recorder/recorder.ts';

const log = createLog('collector');

async function rememberedClusters(path: string): Promise<readonly string[]> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) return [];
  const names = await reader.clusters();
  await reader.close();
  return names;
}

/** Runs the collector until it is asked to end; gives the code to end with where it cannot begin. */
async function main(): Promise<number | null> {
  const read = readProcessSettings(process.env);
  if (read.type === 'invalid') {
    log.error({ reason: read.message }, 'settings cannot be used');
    return exitCode.config;
  }
  const { selection, dataDirectory, collectorPort } = read.settings;
  const loaded = await selectedConfig(selection);
  if (loaded.type === 'invalid') {
    log.error({ problems: loaded.problems }, 'configuration cannot be used');
    return exitCode.config;
  }
  await mkdir(dataDirectory, { recursive: true });

  let stop = (): Promise<void> => Promise.resolve();
  let fleet: Fleet | null = null;
  const child = runAsChild({ log, onShutdown: () => stop() });
  const metrics = createCollectorMetrics();
  const path = join(dataDirectory, 'plumbline.db');
  const recorder = await startRecorder({
    path,
    holder: `${hostname()}-${process.pid}-${randomUUID()}`,
    clock: systemClock,
    log,
    retention: loaded.config.record,
    onLost: (source) => fleet?.lost(source),
    onCommit: (sample) => metrics.committed(sample),
  });
  if ('type' in recorder) {
    log.error({ reason: describeOpenRefusal(recorder) }, 'the store cannot be opened');
    return recorder.type === 'unusable' ? exitCode.temporary : exitCode.unavailable;
  }
  const remembered = await rememberedClusters(path);
  const started = await startFleet({
    config: loaded.config,
    clock: systemClock,
    log,
    random: Math.random,
    recorder,
    remembered,
  });
  fleet = started;
  const health =
    collectorPort === null ? null : await startHealth({ port: collectorPort, log, fleet: started, recorder, metrics });
  stop = async () => {
    await health?.stop();
    await started.stop();
    await recorder.stop();
  };
  child.ready(health ? { port: health.port } : {});
  return null;
}

const ended = await main();
if (ended !== null) process.exit(ended);
