import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, parseConfig, type LoadedConfig } from '../../config/load-config.ts';
import { problemLine } from '../../config/problem.ts';
import { settingOf } from '../../config/process-settings.ts';
import type { PlumblineConfig } from '../../config/schema.ts';
import { selectedConfig } from '../../config/selected-config.ts';
import { systemClock } from '../../runtime/clock.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { createLog, readLogLevel } from '../../runtime/log.ts';
import type { Change } from '../../store/port/port.ts';
import { describeOpenRefusal } from '../../store/port/open-refusal.ts';
import { openSqliteReader } from '../../store/sqlite/reading/reader.ts';
import { blindSpots } from '../check.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import type { Output } from '../output.ts';
import { readOnce } from '../read-once.ts';
import { clustersOfRecord } from '../../web/cache/clusters-of-record.ts';
import { selectClusters, type ClusterOptions } from '../select-clusters.ts';
import type { ClusterCache } from '../../web/cache/fleet-cache.ts';
import type { Seen, Serving } from './fleet-kinds.ts';

/** Options that say whose kinds are meant. */
export interface FleetOptions extends ClusterOptions {
  readonly data?: string | undefined;
  /** Seconds that reading the clusters may take in all. */
  readonly timeout: number;
}

/** A fleet as far as rules need it, or lines for the person and the code to exit with. */
export type ReadFleet =
  | {
      readonly type: 'fleet';
      readonly config: PlumblineConfig;
      readonly clusters: readonly Serving[];
      readonly objects: readonly Seen[];
      /** Clusters and kinds that were not seen, a line each: rules on them are missing. */
      readonly blind: readonly string[];
      /** True where it is of the record, not of a look at the clusters. */
      readonly isRecord: boolean;
    }
  | { readonly type: 'refused'; readonly lines: readonly string[]; readonly code: number };

/** Why a fleet is read. */
export interface Purpose {
  /** Beginning of a line that says that nothing came of it: "No rules". */
  readonly failure: string;
  /** Lines on why a configuration does not do; [] where it does. */
  readonly refuse?: (config: PlumblineConfig) => readonly string[];
  /** Told everything current in the record. */
  readonly heard?: (change: Change) => void;
}

/** The fleet of the record; where there is none, or contexts are named, of the clusters, read once. */
export async function readFleet(options: FleetOptions, output: Output, purpose: Purpose): Promise<ReadFleet> {
  if (options.context !== undefined || options.allContexts) return ofClusters(options, output, purpose);
  const loaded = await configOf(options);
  if (loaded.type === 'invalid') return invalid(options.config ?? 'plumbline.yaml', loaded);
  const refused = refusedBy(loaded.config, purpose);
  if (refused !== null) return refused;
  const directory = dataDirectoryOf(options.data, process.env);
  const store = await openSqliteReader({ path: join(directory, 'plumbline.db') });
  if (!('type' in store)) {
    try {
      return ofRecord(loaded.config, [...(await clustersOfRecord(store, purpose.heard))]);
    } finally {
      await store.close();
    }
  }
  const why = `${purpose.failure}: ${describeOpenRefusal(store)}.`;
  if (store.type !== 'missing') return { type: 'refused', lines: [why], code: exitCode.unavailable };
  if (loaded.config.clusters.length > 0) return ofClusters(options, output, purpose);
  return {
    type: 'refused',
    lines: [why, 'Start Plumbline, or name clusters by --context or --config: they are read once.'],
    code: exitCode.unavailable,
  };
}

/** The configuration, where there is one; the clusters in it are not looked at. */
async function configOf({ config }: FleetOptions): Promise<LoadedConfig> {
  const named = config ?? settingOf(process.env, 'PLUMBLINE_CONFIG');
  const file = named ?? (existsSync('plumbline.yaml') ? 'plumbline.yaml' : null);
  return file === null ? parseConfig('', '/') : loadConfig(file, 'not-read');
}

function refusedBy(config: PlumblineConfig, { refuse }: Purpose): ReadFleet | null {
  const lines = refuse?.(config) ?? [];
  return lines.length === 0 ? null : { type: 'refused', lines, code: exitCode.config };
}

function invalid(file: string, { problems }: Extract<LoadedConfig, { type: 'invalid' }>): ReadFleet {
  return { type: 'refused', lines: problems.map((problem) => problemLine(file, problem)), code: exitCode.config };
}

function ofRecord(config: PlumblineConfig, caches: readonly ClusterCache[]): ReadFleet {
  const clusters = caches.flatMap(({ record }) => record ?? []);
  return {
    type: 'fleet',
    isRecord: true,
    config,
    clusters,
    objects: caches.flatMap(({ objects }) => [...objects.values()]),
    blind: clusters.flatMap(({ name, feeds }) =>
      feeds
        .filter(({ state }) => state === 'forbidden' || state === 'failed')
        .map(({ kind, state }) => `${name}: ${kind} ${state}`),
    ),
  };
}

async function ofClusters(options: FleetOptions, output: Output, purpose: Purpose): Promise<ReadFleet> {
  const selected = await selectClusters(options, process.env);
  if (selected.type === 'refused') return selected;
  const loaded = await selectedConfig(selected.selection);
  if (loaded.type === 'invalid') return invalid('plumbline.yaml', loaded);
  const refused = refusedBy(loaded.config, purpose);
  if (refused !== null) return refused;
  output.say('Reading the clusters once.');
  const reading = await readOnce({
    config: loaded.config,
    clock: systemClock,
    log: createLog('rules', readLogLevel(process.env, 'error')),
    within: options.timeout * 1000,
    onProgress: ({ done, clusters }) => output.status?.(`${done} of ${clusters} clusters read`),
  });
  output.status?.(null);
  const blind = [...reading.leftOut, ...blindSpots(reading.clusters, reading.at)];
  const { clusters, objects } = reading;
  return { type: 'fleet', isRecord: false, config: loaded.config, clusters, objects, blind };
}
