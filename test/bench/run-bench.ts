import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerFigures } from './answer-figures.ts';
import type { Figure } from './figure.ts';
import { startFleetProcess, type BenchFleet } from './fleet.ts';
import { measureCeiling } from './measure-ceiling.ts';
import { measureLatency } from './measure-latency.ts';
import { measureStreams } from './measure-streams.ts';
import { measureSync, type BenchCollector } from './measure-sync.ts';
import type { BenchOptions, Part } from './options.ts';
import { steadyFigures } from './steady-figures.ts';
import { syncFigures } from './sync-figures.ts';
import { writeSyntheticStore } from './synthetic-store.ts';
import { pagesAreBuilt, startBenchWeb, type BenchWeb } from './web.ts';

const asked = 200;
const streamSeconds = 10;
const matrix = { clusters: 1_000, columns: 60 };

/** One run. `figures` is added to as they are measured, so that what was measured before a failure is not lost. */
export interface BenchRun {
  readonly options: BenchOptions;
  readonly directory: string;
  readonly figures: Figure[];
  /** Hears what is under way. */
  readonly say: (line: string) => void;
}

/** Runs the parts that were asked for, one after the other. */
export async function runBench(run: BenchRun): Promise<void> {
  const { options, say } = run;
  const wants = (...parts: readonly Part[]): boolean => parts.some((part) => options.only.has(part));
  if (!pagesAreBuilt()) say('The pages are not built: only the API is measured.');
  if (wants('sync', 'steady', 'latency', 'answers', 'streams')) await overFleet(run);
  if (wants('matrix')) await overMatrix(run);
}

async function overMatrix({ directory, figures, say }: BenchRun): Promise<void> {
  const { clusters, columns } = matrix;
  say(`Writing a matrix of ${clusters} x ${columns} ...`);
  const folder = join(directory, 'matrix');
  mkdirSync(folder);
  const store = await writeSyntheticStore(folder, clusters, columns);
  const web = await startBenchWeb({ ...store, directory: folder });
  figures.push(...(await answerFigures(`Matrix: ${clusters} clusters x ${columns} columns`, web, asked)));
  await web.stop();
}

async function overFleet(run: BenchRun): Promise<void> {
  const { options, directory, figures, say } = run;
  const { clusters, kinds, objects } = options;
  const size = { clusters, kinds, objects };
  say(`Starting ${clusters} simulated clusters with ${kinds} kinds and ${objects} objects each ...`);
  const fleet = await startFleetProcess(size, join(directory, 'fleet'));
  say('Reading and parsing everything, doing nothing with it ...');
  const ceiling = await measureCeiling(fleet, directory);
  say('First full sync ...');
  const collector = await measureSync(fleet, directory);
  if (options.only.has('sync')) figures.push(...syncFigures(size, collector.result, ceiling));
  if (options.only.has('steady')) {
    say(`In step, quiet and at ${options.events} events a second ...`);
    figures.push(...(await steadyFigures(size, fleet, collector, options.events, options.seconds)));
  }
  if (options.only.has('latency') || options.only.has('answers') || options.only.has('streams')) {
    await overWeb(run, fleet, collector);
  }
  await collector.child.stop();
  await fleet.stop();
}

async function overWeb(
  { options, directory, figures, say }: BenchRun,
  fleet: BenchFleet,
  collector: BenchCollector,
): Promise<void> {
  say('Starting the web process over what is stored ...');
  const { configPath, objects } = fleet;
  const web = await startBenchWeb({ configPath, data: collector.data, objects, directory });
  if (options.only.has('answers')) {
    figures.push(...(await answerFigures(`Web: ${objects.toLocaleString('en')} objects known`, web, asked)));
  }
  if (options.only.has('latency')) {
    say(`${options.changes} changes from a cluster to a browser ...`);
    const { p50, p99 } = await measureLatency(fleet, web, options.changes);
    const area = 'Change on a cluster to browser';
    figures.push({ area, name: 'p50', value: p50, unit: 'ms', bar: null });
    figures.push({ area, name: 'p99', value: p99, unit: 'ms', bar: { most: 500 } });
  }
  if (options.only.has('streams') && options.streams > 0) {
    say(`${options.streams} browsers that listen ...`);
    figures.push(...(await streamFigures(options, fleet, web, directory)));
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
    // The stream looks four times a second: a row frame and a head frame each is the most there can be.
    { area, name: 'frames for each', value: streams.framesPerClientSecond, unit: 'frames/s', bar: null },
    { area, name: 'made to received, p50', value: streams.p50, unit: 'ms', bar: null },
    { area, name: 'made to received, p99', value: streams.p99, unit: 'ms', bar: { most: 50 } },
    { area, name: 'web', value: streams.webCores, unit: 'cores', bar: null },
  ];
}
