import { resolve } from 'node:path';
import type { ProcessSettings } from '../config/process-settings.ts';
import type { Output } from './output.ts';
import { fleetPrograms, portCode, runFleet } from './run-fleet.ts';
import { type ClusterOptions, selectClusters } from './select-clusters.ts';
import { addressOf, type ServeOptions } from './serve-options.ts';

/** Where the store lies where nothing else is said. */
export const defaultData = '.plumbline/data';

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
    dataDirectory: resolve(options.data ?? process.env['PLUMBLINE_DATA'] ?? defaultData),
    host: address.host,
    port: address.port,
    collectorPort: null,
    mode: 'start',
  };
  const { host, port } = address;
  if (options.dryRun) return portCode(host, port, output);
  return runFleet({ first: fleetPrograms(settings), host, port, next: () => Promise.resolve([]) }, output);
}
