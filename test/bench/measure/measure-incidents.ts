import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { day, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { describeOpenRefusal, type OpenRefusal } from '#server/store/port/open-refusal.ts';
import { clusterSource, type Lease, type StoreReader, type StoreWriter } from '#server/store/port/port.ts';
import { openReaderThread } from '#server/store/reader-thread/reader-thread.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { batchOf, clusterOf, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { largestIncident, writeBulkIncidents } from '../record/incident-store.ts';
import {
  bulkCluster,
  bulkClusters,
  bulkObjects,
  recordEnds,
  recordedDays,
  writeBulkRecord,
} from '../record/record-store.ts';
import { quantile } from './quantile.ts';

/** Incidents of ninety days that the bars are for. */
export const bulkIncidents = 30_000;

/** A region that is lost at once. */
export const lostRegion = { clusters: 200, objects: 1_000 } as const;

/** The first time (ms) that something was asked, and the median of those after it. */
interface Times {
  readonly first: number;
  readonly again: number;
}

/** Measurements; times in ms. */
export interface IncidentResult {
  readonly page: Times;
  readonly worst: Times;
  readonly filtered: Times;
  readonly figures: Times;
  readonly past: Times;
  /** One incident of 1,000 members with the first 200 of them and its steps. */
  readonly one: Times;
  /** From when the region is lost until all of that is committed, and until a reader finds its one incident. */
  readonly lost: { readonly written: number; readonly found: number };
}

/** Writes incidents of ninety days and asks for them, then loses a region. */
export async function measureIncidents(options: {
  readonly directory: string;
  readonly say: (line: string) => void;
}): Promise<IncidentResult> {
  const { say } = options;
  const directory = join(options.directory, 'incidents');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'plumbline.db');
  say(`Writing ${bulkIncidents.toLocaleString('en')} incidents ...`);
  const size = { clusters: bulkClusters, objectsOnEach: bulkObjects, spans: bulkClusters * bulkObjects };
  await writeBulkRecord({ path, ...size, say });
  fill(path);
  const answers = await ask(path);
  say(
    `Losing ${lostRegion.clusters} clusters with ${lostRegion.objects.toLocaleString('en')} objects each at once ...`,
  );
  return { ...answers, lost: await loseRegion(join(directory, 'region.db')) };
}

function fill(path: string): void {
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT id, cluster FROM object ORDER BY cluster, id').all();
  const objects = rows.map((row) => ({ object: Number(row['id']), cluster: Number(row['cluster']) }));
  const from = recordEnds - recordedDays * day;
  database.exec('BEGIN');
  writeBulkIncidents(database, { incidents: bulkIncidents, from, to: recordEnds, objects, onEach: bulkObjects });
  database.exec('COMMIT; ANALYZE');
  database.close();
}

async function ask(path: string): Promise<Omit<IncidentResult, 'lost'>> {
  const reader = opened(await openReaderThread({ path }));
  const { record } = reader;
  const scope = { clusters: null };
  const period = { from: recordEnds - recordedDays * day, to: recordEnds };
  const question = { scope, period, at: recordEnds, order: 'newest' } as const;
  const page = { cursor: null, limit: 100 };
  const then = recordEnds - 45 * day;
  const answers = {
    page: await times(() => record.incidents(question, page)),
    worst: await times(() => record.incidents({ ...question, order: 'worst' }, page)),
    filtered: await times(() => record.incidents({ ...question, scope: { clusters: [bulkCluster(7)] } }, page)),
    figures: await times(() => record.causeFigures(scope, period, recordEnds)),
    past: await times(() => record.incidents({ ...question, period: { ...period, to: then }, at: then }, page)),
    one: await times(async () => {
      await record.incident(largestIncident, recordEnds);
      await record.members(largestIncident, recordEnds, scope, { cursor: null, limit: 200 });
      await record.incidentSteps(largestIncident, recordEnds, 500);
    }),
  };
  await reader.close();
  return answers;
}

async function times(question: () => Promise<unknown>): Promise<Times> {
  const found: number[] = [];
  for (let index = 0; index < 20; index++) {
    const since = performance.now();
    await question();
    found.push(performance.now() - since);
  }
  return { first: found[0] ?? Number.NaN, again: quantile(found.slice(1), 0.5) };
}

async function loseRegion(path: string): Promise<IncidentResult['lost']> {
  const writer = opened(openSqliteWriter({ path, log: silentLog }));
  const leases = await writeRegion(writer);
  const reader = opened(await openReaderThread({ path }));
  const at = recordEnds + hour;
  const since = performance.now();
  const lost = [...leases].map(([cluster, lease]) => {
    const coverage = [{ cluster, kind: null, at, observed: false, state: 'unreachable', reason: null }];
    return writer.write(lease, batchOf({ at, coverage }));
  });
  await Promise.all(lost);
  const written = performance.now() - since;
  const question = { scope: { clusters: null }, period: { from: at, to: at + 1 }, at, order: 'newest' } as const;
  const { items } = await reader.record.incidents(question, { cursor: null, limit: 10 });
  const found = performance.now() - since;
  const [one, ...others] = items;
  if (others.length > 0 || one?.now.objects !== lostRegion.clusters * lostRegion.objects)
    throw new Error(`a lost region made ${items.length} incidents, of ${one?.now.objects} objects`);
  await reader.close();
  await writer.close();
  return { written, found };
}

async function writeRegion(writer: StoreWriter): Promise<ReadonlyMap<string, Lease<'cluster'>>> {
  const leases = new Map<string, Lease<'cluster'>>();
  for (let index = 0; index < lostRegion.clusters; index++) {
    const cluster = bulkCluster(index);
    const lease = await writer.acquire(clusterSource(cluster), 'bench', recordEnds, day);
    if (lease === null) throw new Error(`no lease of ${cluster}`);
    leases.set(cluster, lease);
    const objects = Array.from({ length: lostRegion.objects }, (_, number) => objectOf(refOf(cluster, number)));
    const seen = { cluster, kind: null, at: recordEnds, observed: true, state: 'live', reason: null };
    const record = clusterOf(cluster);
    await writer.write(
      lease,
      batchOf({ at: recordEnds, cluster: record, objects: withDetails(objects), coverage: [seen] }),
    );
  }
  return leases;
}

function opened<T extends StoreReader | StoreWriter>(found: T | OpenRefusal): T {
  if ('type' in found) throw new Error(describeOpenRefusal(found));
  return found;
}
