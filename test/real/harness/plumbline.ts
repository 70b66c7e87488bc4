import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { objectsApi } from '#lib/api/object-filter.ts';
import type { WireCluster } from '#lib/api/cluster.ts';
import { changesApi, WireChangeList } from '#lib/api/change.ts';
import { conflictsApi, WireConflictList } from '#lib/api/conflict.ts';
import { fleetApi, type WireCauseLine, WireFleet } from '#lib/api/fleet.ts';
import { type WireChange, type WireConflict, WireObject, WireObjectList } from '#lib/api/object.ts';
import { absencesApi, type WireAbsence, WireAbsenceList } from '#lib/api/absence.ts';
import {
  incidentsApi,
  membershipsApi,
  type WireIncident,
  WireIncidentList,
  WireIncidentPage,
  WireMemberships,
} from '#lib/api/incident.ts';
import { commitApi, WireCommitPage } from '#lib/api/commit.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import type { Bed } from './bed.ts';
import { descendants, isAlive } from './family.ts';
import type { BedProcess } from './processes.ts';
import { ask, clustersAt, type CommandResult, runCli, startServing } from './serving.ts';
import { until } from './until.ts';

/** A cluster as Plumbline is told of it: gamma is alpha under an address that is spelled wrongly. */
export type Configured = 'alpha' | 'beta' | 'gamma';

/** Every cluster that Plumbline watches. */
const configured: readonly Configured[] = ['alpha', 'beta', 'gamma'];

/** Names one object as the book does; the group follows from the kind on the other side. */
export interface Subject {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Questions to Plumbline, as a user would ask them. */
interface Questions {
  object(subject: Subject): Promise<WireObject | null>;
  /** Every object of the fleet. */
  objects(): Promise<readonly WireObject[]>;
  /** The summary of the fleet's page. */
  summary(): Promise<WireFleet['summary']>;
  /** Every cause with what it takes down. */
  causes(): Promise<readonly WireCauseLine[]>;
  /** Absences of an object since then (ms since the epoch), oldest first. */
  absences(subject: Subject, since: number): Promise<readonly WireAbsence[]>;
  /** Incidents that lasted at some time since then (ms since the epoch). */
  incidents(since: number): Promise<readonly WireIncident[]>;
  /** One incident with its members. */
  incident(id: string): Promise<WireIncidentPage>;
  /** Times that an object was in incidents, the newest first. */
  memberships(subject: Subject): Promise<WireMemberships['rows']>;
  /** Every conflict of ownership. */
  conflicts(): Promise<readonly WireConflict[]>;
  /** Everything that was changed since then (ms since the epoch). */
  changes(since: number): Promise<readonly WireChange[]>;
  cluster(name: string): Promise<WireCluster | null>;
  /** Where a commit has come; null where no mirror holds it. */
  commit(sha: string): Promise<WireCommitPage | null>;
}

/** Plumbline itself, started and asked as a user would. */
export interface Plumbline extends Questions {
  readonly origin: string;
  readonly process: BedProcess;
  /** The configuration that it was started with. */
  readonly config: string;
  /** Ends it by a signal; gives how long that took (ms) and which of its processes are left after 5 s. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ readonly took: number; readonly left: readonly number[] }>;
  /** Starts it again over the same data, and waits until it answers. */
  begin(): Promise<void>;
  /** Runs the CLI once, e.g. run('check', '--config', file). */
  run(...args: readonly string[]): Promise<CommandResult>;
  /** Writes a configuration file with these clusters of the bed only and gives its path. */
  configure(name: string, clusters: readonly Configured[]): Promise<string>;
}

/** Options for starting one Plumbline. */
interface PlumblineOptions {
  /** Of its process, its log, and the folder that holds its data. */
  readonly name: string;
  /** Environment beside that of the run. */
  readonly env: { readonly [key: string]: string };
}

/** Starts Plumbline over the clusters of the bed with the read-only kubeconfigs, and waits until it answers. */
export async function startPlumbline(
  bed: Bed,
  { name, env }: PlumblineOptions = { name: 'plumbline', env: {} },
): Promise<Plumbline> {
  const folder = join(bed.folder, name);
  await mkdir(join(folder, 'data'), { recursive: true });
  const configure: Plumbline['configure'] = (title, clusters) =>
    writeConfiguration(bed, join(folder, `${title}.yaml`), clusters);
  const config = await configure('plumbline', configured);
  const {
    origin,
    process: started,
    answers,
  } = await startServing(bed.processes, {
    name,
    env,
    config,
    data: join(folder, 'data'),
    clusters: configured.length,
  });
  return {
    ...questionsAt(origin),
    origin,
    process: started,
    config,
    async end(signal) {
      const family = await descendants(started.pid());
      const began = Date.now();
      await (signal === 'SIGTERM' ? started.stop() : started.kill());
      const took = Date.now() - began;
      await until(() => (family.some(isAlive) ? null : true), 5_000);
      return { took, left: family.filter(isAlive) };
    },
    async begin() {
      started.start();
      await answers();
    },
    run: (...args) => runCli(args, env),
    configure,
  };
}

/** Writes a configuration with these clusters and gives its path. */
async function writeConfiguration(bed: Bed, file: string, clusters: readonly Configured[]): Promise<string> {
  const accesses: { readonly [cluster in Configured]: { readonly kubeconfig: string; readonly context: string } } = {
    alpha: { kubeconfig: bed.alpha.plumblineKubeconfig, context: 'alpha' },
    beta: { kubeconfig: bed.beta.plumblineKubeconfig, context: 'beta' },
    gamma: { kubeconfig: bed.alpha.plainKubeconfig, context: 'alpha' },
  };
  const config = {
    clusters: clusters.map((cluster) => ({
      name: cluster,
      ...accesses[cluster],
      labels: { environment: 'production' },
    })),
    repositories: [
      { url: bed.gitUrl('control') },
      // Not over http: its server has no certificate.
      { url: bed.gitUrl('outgoing'), from: bed.gitFolder('outgoing') },
    ],
    git: { every: '10s' },
    security: { hubs: ['alpha'] },
    policy: { alarmWithin: '15m', staleAfterIntervals: 3, behindAfter: '90s' },
  };
  await writeFile(file, stringify(config));
  return file;
}

function questionsAt(origin: string): Questions {
  const json = async (path: string, query: { readonly [key: string]: string } = {}): Promise<unknown> =>
    (await ask(origin, path, query)).json();
  const list = async (query: { readonly [key: string]: string }): Promise<readonly WireObject[]> => {
    const answer = await ask(origin, objectsApi.path, { limit: '500', ...query });
    // A name that nothing has is said to be none.
    return answer.status === 404 ? [] : WireObjectList.parse(await answer.json()).objects;
  };
  return {
    object: async (subject) => (await list({ ...subject }))[0] ?? null,
    objects: () => list({}),
    summary: async () => WireFleet.parse(await json(fleetApi.path)).summary,
    causes: async () => WireFleet.parse(await json(fleetApi.path, { causes: 'all' })).summary.causes,
    async absences(subject, since) {
      const query = { ...subject, from: new Date(since).toISOString(), limit: '1000' };
      return WireAbsenceList.parse(await json(absencesApi.path, query)).rows.toReversed();
    },
    async incidents(since) {
      const query = { from: new Date(since).toISOString(), limit: '1000' };
      return WireIncidentList.parse(await json(incidentsApi.path, query)).rows;
    },
    incident: async (id) => WireIncidentPage.parse(await json(`${incidentsApi.path}/${id}`, { limit: '1000' })),
    memberships: async (subject) => WireMemberships.parse(await json(membershipsApi.path, { ...subject })).rows,
    conflicts: async () => WireConflictList.parse(await json(conflictsApi.path, { limit: '500' })).rows,
    async changes(since) {
      // A change is dated by the API server in whole seconds.
      const from = new Date(since - 1_000).toISOString();
      return WireChangeList.parse(await json(changesApi.path, { from, limit: '1000' })).changes;
    },
    cluster: async (wanted) => (await clustersAt(origin)).find((one) => one.name === wanted) ?? null,
    async commit(sha) {
      const answer = await ask(origin, addressOf(commitApi, { sha }));
      return answer.status === 404 ? null : WireCommitPage.parse(await answer.json());
    },
  };
}

/** The objects of `plumbline check --output json`: one JSON object a line, as in the API. */
export function parseCheck(stdout: string): readonly WireObject[] {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => WireObject.parse(JSON.parse(line)));
}
