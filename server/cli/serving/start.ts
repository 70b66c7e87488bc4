import type { ProcessSettings } from '../../config/process-settings.ts';
import { selectedConfig } from '../../config/selected-config.ts';
import { systemClock } from '../../runtime/clock.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import { canKeep } from './can-keep.ts';
import { dryRun } from './dry-run.ts';
import type { Output } from '../output.ts';
import { fleetPrograms, portCode, runFleet } from './run-fleet.ts';
import { type ClusterOptions, selectClusters } from '../select-clusters.ts';
import { addressOf, bindCode, type ServeOptions } from './serve-options.ts';

/** `plumbline start`: watches real clusters until it is ended. Gives the exit code. */
export async function start(options: ClusterOptions & ServeOptions, output: Output): Promise<number> {
  const address = addressOf(options, process.env);
  if (address.type === 'refused') {
    output.say(address.line);
    return address.code;
  }
  const selected = await selectClusters(options, process.env);
  if (selected.type === 'refused') {
    for (const line of selected.lines) output.say(line);
    return selected.code;
  }
  const settings: ProcessSettings = {
    selection: selected.selection,
    dataDirectory: dataDirectoryOf(options.data, process.env),
    host: address.host,
    port: address.port,
    collectorPort: address.own.collectorPort,
    metricsPort: address.own.metricsPort,
    mode: 'start',
  };
  const { host, port } = address;
  const loaded = await selectedConfig(settings.selection, 'not-read');
  const bind = loaded.type === 'ok' ? bindCode(host, loaded.config, output) : exitCode.config;
  if (bind !== exitCode.ok) return bind;
  if (!options.dryRun && !canKeep(settings.dataDirectory, output)) return exitCode.config;
  if (options.beforeBuild) return portCode(host, port, output);
  if (options.dryRun) return tryOut(settings, output);
  return runFleet({ first: await fleetPrograms(settings), host, port, next: () => Promise.resolve([]) }, output);
}

/** `--dry-run`: says what will not work, or in one line that all is sound. Gives the exit code. */
async function tryOut({ selection, dataDirectory, host, port }: ProcessSettings, output: Output): Promise<number> {
  const loaded = await selectedConfig(selection);
  if (loaded.type === 'invalid') return exitCode.config;
  const { faults, notes, summary } = await dryRun(selection, loaded.config, systemClock);
  for (const line of faults) output.say(line);
  for (const line of notes) output.say(`Note: ${line}`);
  if (faults.length > 0 || !canKeep(dataDirectory, output)) return exitCode.config;
  const code = await portCode(host, port, output);
  if (code === exitCode.ok) output.out(summary);
  return code;
}
