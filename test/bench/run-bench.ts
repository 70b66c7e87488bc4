import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alarmFigures } from './measure/alarm-figures.ts';
import { answerFigures } from './measure/answer-figures.ts';
import { gitFigures, measureGit } from './measure/measure-git.ts';
import { incidentFigures } from './measure/incident-figures.ts';
import type { Figure } from './figure.ts';
import type { FigureLog } from './figure-log.ts';
import { startFleetProcess, type BenchFleet } from './fleet.ts';
import { measureAlarms } from './measure/measure-alarms.ts';
import { measureCeiling } from './measure/measure-ceiling.ts';
import { measureIncidents } from './measure/measure-incidents.ts';
import { measureLatency } from './measure/measure-latency.ts';
import { measureRecord } from './measure/measure-record.ts';
import { measureStreams } from './measure/measure-streams.ts';
import { measureSync, type BenchCollector, type SyncProgress } from './measure/measure-sync.ts';
import type { BenchOptions, Part } from './options.ts';
import { recordFigures } from './measure/record-figures.ts';
import { addSteadyFigures } from './measure/steady-figures.ts';
import { ceilingFigures, startedSyncFigures, syncFigures } from './measure/sync-figures.ts';
import { writeSyntheticStore } from './record/synthetic-store.ts';
import { pagesAreBuilt, startBenchWeb, type BenchWeb } from './web.ts';

const asked = 200;
const streamSeconds = 10;
const matrix = { clusters: 1_000, columns: 60 };

/** Interval at which a long sync says how far it is (ms). */
const wordEvery = 30_000;

/** One run. */
export interface BenchRun {
  readonly options: BenchOptions;
  readonly directory: string;
  readonly book: FigureLog;
  /** Hears what is under way. */
  readonly say: (line: string) => void;
}

/** Runs the parts that were asked for, one after the other. */
export async function runBench(run: BenchRun): Promise<void> {
  const { options, directory, book, say } = run;
  const wants = (...parts: readonly Part[]): boolean => parts.some((part) => options.only.has(part));
  if (!pagesAreBuilt()) say('The pages are not built: only the API is measured.');
  if (wants('sync', 'steady', 'latency', 'answers', 'streams')) await overFleet(run);
  if (wants('matrix')) await overMatrix(run);
  if (wants('incidents')) book.add(...incidentFigures(await measureIncidents({ directory, say })));
  if (wants('alarms')) await overAlarms(run);
  if (wants('git')) book.add(...gitFigures(await measureGit({ directory, say })));
  if (wants('record')) {
    const { spans, store } = options;
    book.add(...recordFigures(await measureRecord({ spans, store, directory, say })));
  }
}

async function overMatrix({ directory, book, say }: BenchRun): Promise<void> {
  const { clusters, columns } = matrix;
  say(`Writing a matrix of ${clusters} x ${columns} ...`);
  const folder = join(directory, 'matrix');
  mkdirSync(folder);
  const store = await writeSyntheticStore(folder, clusters, columns);
  const web = await startBenchWeb({ ...store, directory: folder });
  book.add(...(await answerFigures(`Matrix: ${clusters} clusters x ${columns} columns`, web, asked)));
  await web.stop();
}

/** Objects that are converged on each cluster of a fleet whose alarms are looked at, and their kinds. */
const beside = { kinds: 6, objects: 100 };

async function overAlarms({ options, directory, book, say }: BenchRun): Promise<void> {
  const { clusters, away, alerts, seconds } = options;
  const monitored = { away, alerts };
  say(`Starting ${clusters} simulated clusters with ${away} objects each that are not converged ...`);
  const folder = join(directory, 'alarms');
  const fleet = await startFleetProcess({ clusters, ...beside, monitored }, join(folder, 'fleet'));
  say('First full sync ...');
  const collector = await measureSync(fleet, folder);
  const parts = {
    fleet,
    monitored,
    collector,
    directory: folder,
    seconds: seconds * 3,
    nodeArgs: profiling(options),
    say,
  };
  book.add(...alarmFigures(await measureAlarms(parts)));
  await collector.child.stop();
  await fleet.stop();
}

async function overFleet(run: BenchRun): Promise<void> {
  const { options, directory, book, say } = run;
  const { clusters, kinds, objects } = options;
  const size = { clusters, kinds, objects };
  say(`Starting ${clusters} simulated clusters with ${kinds} kinds and ${objects} objects each ...`);
  const fleet = await startFleetProcess(size, join(directory, 'fleet'));
  say('Reading and parsing everything, doing nothing with it ...');
  const ceiling = await measureCeiling(fleet, directory);
  if (options.only.has('sync')) book.add(...ceilingFigures(size, ceiling));
  const collector = await syncing(run, fleet);
  if (options.only.has('sync')) book.add(...syncFigures(size, collector.result, ceiling));
  if (options.only.has('steady')) {
    say(`In step, quiet and at ${options.events} events a second ...`);
    await addSteadyFigures(book, size, fleet, collector, options.events, options.seconds);
  }
  if (options.only.has('latency') || options.only.has('answers') || options.only.has('streams')) {
    await overWeb(run, fleet, collector);
  }
  await collector.child.stop();
  await fleet.stop();
}

/** A sync that ends early has its figures too. */
function syncing({ options, directory, book, say }: BenchRun, fleet: BenchFleet): Promise<BenchCollector> {
  const { clusters, kinds, objects } = options;
  const nodeArgs = profiling(options);
  let last: SyncProgress | null = null;
  let saidAt = performance.now();
  say('First full sync ...');
  const onProgress = (progress: SyncProgress): void => {
    last = progress;
    if (performance.now() < saidAt + wordEvery) return;
    saidAt = performance.now();
    const stored = `${progress.objects.toLocaleString('en')} of ${fleet.objects.toLocaleString('en')}`;
    say(`  ${stored} objects after ${progress.seconds.toFixed(0)} s`);
  };
  return book.during(
    () => (last === null ? [] : startedSyncFigures({ clusters, kinds, objects }, last)),
    () => measureSync(fleet, directory, { nodeArgs, onProgress }),
  );
}

function profiling({ profile }: BenchOptions): readonly string[] {
  return profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
}

async function overWeb(
  { options, directory, book, say }: BenchRun,
  fleet: BenchFleet,
  collector: BenchCollector,
): Promise<void> {
  say('Starting the web process over what is stored ...');
  const { configPath, objects } = fleet;
  const web = await startBenchWeb({ configPath, data: collector.data, objects, directory });
  if (options.only.has('answers')) {
    book.add(...(await answerFigures(`Web: ${objects.toLocaleString('en')} objects known`, web, asked)));
  }
  if (options.only.has('latency')) {
    say(`${options.changes} changes from a cluster to a browser ...`);
    const { p50, p99 } = await measureLatency(fleet, web, options.changes);
    const area = 'Change on a cluster to browser';
    book.add({ area, name: 'p50', value: p50, unit: 'ms', bar: null });
    book.add({ area, name: 'p99', value: p99, unit: 'ms', bar: { most: 500 } });
  }
  if (options.only.has('streams') && options.streams > 0) {
    say(`${options.streams} browsers that listen ...`);
    book.add(...(await streamFigures(options, fleet, web, directory)));
  }
  await web.stop();
}

async function streamFigures(
  options: BenchOptions,
  fleet: BenchFleet,
  web: BenchWeb,
  directory: string,
): Promise<readonly Figure[]> {
  const streams = await measureStreams(fleet, web, options.streams, streamSeconds, directory);
  const area = `${streams.clients} browsers that listen to the matrix`;
  return [
    // The stream looks four times a second: a row frame and a summary frame each is the most there can be.
    { area, name: 'frames for each', value: streams.framesPerClientSecond, unit: 'frames/s', bar: null },
    { area, name: 'made to received, p50', value: streams.p50, unit: 'ms', bar: null },
    { area, name: 'made to received, p99', value: streams.p99, unit: 'ms', bar: { most: 50 } },
    { area, name: 'web', value: streams.webCores, unit: 'cores', bar: null },
  ];
}
