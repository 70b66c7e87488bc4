import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import { readPodSettings } from '#server/config/container/pod-settings.ts';
import { readProcessSettings } from '#server/config/process-settings.ts';
import { selectedConfig } from '#server/config/selected-config.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { createLog } from '#server/runtime/log.ts';
import { makeFolder } from '#server/runtime/make-folder.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { describeOpenRefusal, type OpenRefusal } from '#server/store/port/open-refusal.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { startAlarms, type Alarms } from './alarms/alarms.ts';
import { recordedAlarms, type RecordedAlarms } from './alarms/recorded-alarms.ts';
import { pause } from './clusters/pause.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { startHealth } from './health.ts';
import { createCollectorMetrics } from './metrics.ts';
import { startRecorder } from './recorder/recorder.ts';
import { waitForTurn, type Turn } from './standby.ts';

const log = createLog('collector');

/** Names of what is stored: clusters and alarm sources. */
async function rememberedSources(path: string): Promise<Remembered> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) return { clusters: [], alarms: [] };
  const found = { clusters: await reader.clusters(), alarms: await reader.alarmSources() };
  await reader.close();
  return found;
}

interface Remembered {
  readonly clusters: readonly string[];
  readonly alarms: readonly string[];
}

function cannotOpen(refusal: OpenRefusal): number {
  log.error({ reason: describeOpenRefusal(refusal) }, 'the store cannot be opened');
  return refusal.type === 'unusable' ? exitCode.temporary : exitCode.unavailable;
}

async function turnToWrite(path: string, ending: AbortSignal): Promise<Turn> {
  // Nothing else keeps a process alive that only waits.
  const alive = setInterval(() => undefined, 2 ** 30);
  const self = { host: hostname(), pid: process.pid, since: systemClock.now() };
  try {
    return await waitForTurn({ path, self, clock: systemClock, log, ending });
  } finally {
    clearInterval(alive);
  }
}

/** An alarm source that another collector holds, or did when it was killed, is asked for again after so long (ms). */
const forgetAgain = 5_000;

/** Reads the alarm sources that are configured, and ends those of the store that are not any more. */
async function readAlarms(
  sink: RecordedAlarms,
  entries: readonly AlarmEntry[],
  stored: readonly string[],
  ending: AbortSignal,
): Promise<Alarms> {
  const names = entries.map(({ name }) => name);
  const forget = (left: readonly string[]) => sink.forgetOthers(left, names, systemClock.now());
  const forgetLater = async (held: readonly string[]): Promise<void> => {
    let left = held;
    while (left.length > 0 && !ending.aborted) {
      await pause(systemClock, forgetAgain, ending);
      if (!ending.aborted) left = await forget(left);
    }
  };
  void forgetLater(await forget(stored)).catch((error: unknown) =>
    log.error({ err: error }, 'alarm sources that are configured no longer could not be forgotten'),
  );
  return startAlarms({ entries, sink, clock: systemClock, log });
}

/** Settings of the process, and those for the cluster that it runs on. */
function readSettings() {
  const read = readProcessSettings(process.env);
  if (read.type === 'invalid') return read;
  const ofPod = readPodSettings(process.env);
  return ofPod.type === 'invalid' ? { ...ofPod, code: exitCode.config } : { ...read, pod: ofPod.pod };
}

/** Runs the collector until it is asked to end; gives the code to end with where it cannot begin. */
async function main(): Promise<number | null> {
  const read = readSettings();
  if (read.type === 'invalid') {
    log.error({ reason: read.message }, 'settings cannot be used');
    return read.code;
  }
  const { selection, dataDirectory, collectorPort } = read.settings;
  const loaded = await selectedConfig(selection);
  if (loaded.type === 'invalid') {
    log.error({ problems: loaded.problems }, 'configuration cannot be used');
    return exitCode.config;
  }
  const unmade = makeFolder(dataDirectory);
  if (unmade !== null) {
    log.error({ reason: `${dataDirectory} ${unmade}` }, 'the data directory cannot be used');
    return exitCode.config;
  }

  const ending = new AbortController();
  let stop = (): Promise<void> => Promise.resolve();
  let fleet: Fleet | null = null;
  let sink: RecordedAlarms | null = null;
  const child = runAsChild({
    log,
    onShutdown() {
      ending.abort();
      return stop();
    },
  });
  const metrics = createCollectorMetrics();
  const path = join(dataDirectory, 'plumbline.db');
  const turn = await turnToWrite(path, ending.signal);
  if (turn === null) return exitCode.ok;
  if (turn.type !== 'taken') return cannotOpen(turn);
  const recorder = await startRecorder({
    path,
    holder: `${hostname()}-${process.pid}-${randomUUID()}`,
    clock: systemClock,
    log,
    retention: loaded.config.record,
    incidents: loaded.config.incidents,
    alarmWithin: loaded.config.policy.alarmWithin,
    onLost(source) {
      fleet?.lost(source);
      sink?.lost(source);
    },
    onCommit: (sample) => metrics.committed(sample),
  });
  if ('type' in recorder) return cannotOpen(recorder);
  const remembered = await rememberedSources(path);
  const started = await startFleet({
    config: loaded.config,
    clock: systemClock,
    log,
    random: Math.random,
    recorder,
    remembered: remembered.clusters,
  });
  fleet = started;
  sink = recordedAlarms(recorder, log);
  const alarms = await readAlarms(sink, loaded.config.alarms, remembered.alarms, ending.signal);
  const tells = { port: collectorPort, pod: read.pod, log };
  const health = await startHealth({ ...tells, fleet: started, recorder, metrics, alarms });
  stop = async () => {
    if (health.type === 'started') await health.stop();
    await Promise.all([started.stop(), alarms.stop()]);
    await recorder.stop();
    turn.release();
  };
  if (health.type === 'refused') {
    log.error({ port: health.port, reason: health.message }, 'health and metrics cannot be served');
    await stop();
    return exitCode.unavailable;
  }
  child.ready(health.port === null ? {} : { port: health.port });
  return null;
}

const ended = await main();
if (ended !== null) process.exit(ended);
