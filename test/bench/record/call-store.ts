import { DatabaseSync } from 'node:sqlite';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { hour, minute, second } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { alarmSource } from '#server/store/port/port.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { randomOf } from '#test/contract/random-history.ts';
import { alarmBatchOf } from '#test/contract/alarms/alarm-records.ts';

/** Number of calls in a record of full size: two hundred a day, each for an absence. */
const bulkCalls = 20_000;

/** Times in which each source could not be read. */
const losses = 25;
const inBatch = 1_000;
/** Sources, and the clusters of which each speaks: the second of some alone. */
const spokenBy = { main: 0, edge: 300 } as const;

/** Writes calls of two alarm sources into a record that ends at a time (ms), through the engine's own writer; gives their number. */
export async function writeBulkCalls(
  path: string,
  clusterOf: (index: number) => string,
  ends: number,
): Promise<number> {
  const random = randomOf(7);
  const below = (count: number): number => Math.floor(random() * count);
  const absences = absencesOf(path);
  const begins = absences.reduce((first, { noticedAt }) => Math.min(first, noticedAt), ends);
  const edge = new Set(Array.from({ length: spokenBy.edge }, (_, index) => clusterOf(index)));
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const source of Object.keys(spokenBy)) {
    const clusters = source === 'edge' ? [...edge] : [];
    const its = absences.filter(
      ({ cluster }) => (edge.has(cluster) && cluster.endsWith('1') ? 'edge' : 'main') === source,
    );
    const calls = its.map((absence, index) => callOf(source, absence, index, below));
    const lease = await writer.acquire(alarmSource(source), 'bench', begins, 1_000);
    if (lease === null) throw new Error(`no lease of ${source}`);
    await writer.writeAlarms(lease, alarmBatchOf({ coverage: coverageOf(source, clusters, begins, ends, below) }));
    for (let from = 0; from < calls.length; from += inBatch)
      await writer.writeAlarms(lease, alarmBatchOf({ calls: calls.slice(from, from + inBatch) }));
    await writer.release(lease);
  }
  await writer.close();
  return absences.length;
}

interface BulkAbsence {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly noticedAt: number;
  readonly closedAt: number;
}

/** As many absences as there are calls, from all over the record. */
function absencesOf(path: string): readonly BulkAbsence[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT c.name AS cluster, k.text AS kind, n.text AS namespace, o.name, i.noticed_at, i.closed_at
       FROM absence i JOIN object o ON o.id = i.object JOIN fact_source c ON c.id = o.cluster
       JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace
       WHERE i.closed_at IS NOT NULL AND i.id % MAX(1, (SELECT MAX(id) FROM absence) / ${bulkCalls}) = 0 ORDER BY i.id LIMIT ${bulkCalls}`,
    )
    .all();
  database.close();
  return rows.map((row) => ({
    ...{ cluster: String(row['cluster']), kind: String(row['kind']), namespace: String(row['namespace']) },
    ...{ name: String(row['name']), noticedAt: Number(row['noticed_at']), closedAt: Number(row['closed_at']) },
  }));
}

/** A call up to forty minutes behind an absence; one of twenty names no object, or one that is not there. */
function callOf(
  source: string,
  { cluster, kind, namespace, name, noticedAt, closedAt }: BulkAbsence,
  index: number,
  below: (count: number) => number,
): AlarmCall {
  const [group = '', of = ''] = kind.split('/');
  const alert = ['FluxStalled', 'GitOpsReady', 'NotReady'][index % 3] ?? '';
  const base = { alertname: alert, severity: 'page', cluster };
  const object = { customresource_group: group, customresource_kind: of, exported_namespace: namespace, name };
  const labels = below(20) > 0 ? { ...base, ...object } : index % 2 === 0 ? base : { ...base, pod: `pod-${index}` };
  const from = noticedAt + below(40 * minute);
  return {
    ...{ source, key: `call ${index}`, alert, labels, cluster, receivers: ['page'], readsObjects: true },
    ...{ startsAt: from, from, to: Math.max(from + minute, closedAt + below(5 * minute)) },
  };
}

function coverageOf(
  source: string,
  clusters: readonly string[],
  begins: number,
  ends: number,
  below: (count: number) => number,
): readonly AlarmCoverage[] {
  const read = { source, read: true, clusters, reason: null };
  const lost = { source, read: false, clusters, reason: 'it does not answer' };
  const apart = Math.floor((ends - begins) / (losses + 1));
  return [
    { ...read, at: begins },
    ...Array.from({ length: losses }, (_, index) => {
      const at = begins + second + index * apart + below(Math.floor(apart / 2));
      return [
        { ...lost, at },
        { ...read, at: at + minute + below(3 * hour) },
      ];
    }).flat(),
  ];
}
