import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { textAt } from '#lib/foreign.ts';
import type { ProcessSettings } from '../../config/process-settings.ts';
import { markSimulated } from '../../config/simulated-mark.ts';
import { systemClock } from '../../runtime/clock.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { simulatedKeys } from '../../simulator/fleet/kubeconfig.ts';
import { createLog, readLogLevel } from '../../runtime/log.ts';
import type { ChildNews, ChildSpec } from '../../supervisor/child-spec.ts';
import { makeFirstKey } from '../../web/embeds/key-file.ts';
import { defaultData, namedData } from '../data-directory.ts';
import type { Output } from '../output.ts';
import { canKeep } from './can-keep.ts';
import { writePastOf } from './demo-past.ts';
import { fleetPrograms, portCode, runFleet, simulatorProgram } from './run-fleet.ts';
import { addressOf, bindCode, type ServeOptions } from './serve-options.ts';

/** `plumbline demo`: a simulated fleet, the collector that reads it and the pages that show it. Gives the exit code. */
export async function demo(options: ServeOptions, output: Output): Promise<number> {
  const address = addressOf(options, process.env);
  if (address.type === 'refused') {
    output.say(address.line);
    return address.code;
  }
  const { host, port, own } = address;
  const bind = bindCode(host, { auth: null, publicUrl: null }, output);
  if (bind !== exitCode.ok) return bind;
  const { collectorPort, metricsPort } = own;
  const portIs = await portCode(host, port, output);
  if (portIs !== exitCode.ok) return portIs;
  const named = namedData(options.data, process.env);
  if (named !== null && !canKeep(named, output)) return exitCode.config;
  if (options.dryRun || options.beforeBuild) return exitCode.ok;
  const folder = await demoFolder(named, port);
  const dataDirectory = join(folder, 'data');
  markSimulated(dataDirectory);
  let inventoryPath: string | null = null;
  /** Processes that read the clusters: they wait until the past is written, and go on from it. */
  let waiting: readonly ChildSpec[] = [];

  function settingsFor(configPath: string): ProcessSettings {
    const selection = { type: 'file', path: configPath } as const;
    return { selection, dataDirectory, host, port, collectorPort, metricsPort, mode: 'demo' };
  }

  async function next(news: ChildNews, ending: AbortSignal): Promise<readonly ChildSpec[]> {
    if (news.type === 'ready' && news.name === 'web')
      output.say('Faults come and mend in rounds of seven minutes. Ctrl-C ends it all');
    if (news.type === 'ready' && news.name === 'simulator' && inventoryPath === null) {
      output.say('The clusters answer. Starting the pages, and writing ninety days of simulated history');
      inventoryPath = textAt(news.details, 'inventoryPath') ?? '';
      const settings = settingsFor(textAt(news.details, 'configPath') ?? '');
      const programs = (await fleetPrograms(settings)).map(quietly);
      waiting = programs.filter(({ name }) => name === 'collector');
      return programs.filter(({ name }) => name !== 'collector');
    }
    if (news.type !== 'started' || news.name !== 'web' || inventoryPath === null) return [];
    const collector = waiting;
    waiting = [];
    if (collector.length === 0) return [];
    const past = await writePastOf(inventoryPath, {
      path: join(dataDirectory, 'plumbline.db'),
      log: createLog('demo'),
      ending,
    });
    if (past.type === 'stopped') return [];
    if (past.type === 'failed') output.say(`There is no simulated history: ${past.message}`);
    output.say('Reading the clusters');
    return collector;
  }

  output.say('Starting a simulated fleet');
  return runFleet({ first: [quietly(simulatorProgram(join(folder, 'simulator')))], host, port, next }, output);
}

/** Things go wrong on purpose in the demo: only faults of our own reach the terminal, unless somebody asks for more. */
function quietly(spec: ChildSpec): ChildSpec {
  const level = readLogLevel(process.env, 'error');
  return { ...spec, environment: { ...spec.environment, PLUMBLINE_LOG_LEVEL: level } };
}

/** A folder that the person named is kept; our own begins anew, one per port, so that two demos do not meet. */
async function demoFolder(named: string | null, port: number): Promise<string> {
  const folder = named ?? join(defaultData, '..', `demo-${port}`);
  if (named === null) await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'simulator'), { recursive: true });
  await mkdir(join(folder, 'data'), { recursive: true, mode: 0o700 });
  await makeFirstKey(join(folder, 'simulator', simulatedKeys), systemClock.now());
  return folder;
}
