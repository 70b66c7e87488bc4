// The objects that may be seen of a view are remembered: those that come later are found, too.
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Within } from '#lib/domain/access/within.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type StoreReader } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

const period = { from: noon, to: noon + day };
let directory: string;
let database: DatabaseSync;
let reader: StoreReader;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-seen-'));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const cluster of ['a', 'b']) {
    const lease = await writer.acquire(clusterSource(cluster), 'one', noon, 15_000);
    if (lease === null) throw new Error('no lease');
    const refs = ['x', 'y'].map((namespace) => ({ ...refOf(cluster, 1), namespace }));
    await writer.write(lease, batchOf({ objects: withDetails(refs.map((ref) => objectOf(ref))) }));
  }
  await writer.close();
  database = new DatabaseSync(path);
  fill();
  const opened = await openSqliteReader({ path });
  if ('type' in opened) throw new Error(opened.type);
  reader = opened;
});
afterAll(async () => {
  await reader.close();
  database.close();
  rmSync(directory, { recursive: true });
});

/** Gives each object that has none a suspension and an absence. */
function fill(): void {
  const without = 'FROM object WHERE id NOT IN (SELECT object FROM transition)';
  database.exec(`
    INSERT INTO absence (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason)
      SELECT id, cluster, 'u', ${noon}, 'exact', ${noon}, ${noon + hour}, 'converged', 'diverged', 1 ${without};
    INSERT INTO transition (object, cluster, at, noticed_at, bound, from_verdict, to_verdict, uid, reason, message)
      SELECT id, cluster, ${noon}, ${noon}, 'exact', 'converged', 'suspended', 'u', 1, 1 ${without};
  `);
}

/** Puts more objects beside one of a cluster and namespace. */
function add(cluster: string, namespace: string, count: number): void {
  const one = `SELECT o.cluster, o.kind, o.namespace FROM object o JOIN fact_source s ON s.id = o.cluster
    JOIN name n ON n.id = o.namespace WHERE s.name = '${cluster}' AND n.text = '${namespace}' LIMIT 1`;
  database.exec(`
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
    INSERT INTO object (cluster, kind, namespace, name)
      SELECT o.cluster, o.kind, o.namespace, 'more-' || (SELECT COUNT(*) FROM object) || '-' || n FROM number, (${one}) o
  `);
  fill();
}

/** Numbers of objects, of their absences and of their suspensions. */
async function numbersIn(within: Within, clusters: readonly string[] | null = null): Promise<readonly number[]> {
  const scope = { clusters, within };
  const { record } = reader;
  return [
    await record.objectCount(scope, period),
    (await record.absenceFigures(scope, period, hour)).opened,
    (await record.suspensions(scope, period, 100_000)).length,
    (await record.absences(scope, period, { order: 'newest', cursor: null, limit: 100_000 })).items.length,
  ];
}

const anywhere = [{ clusters: null, namespaces: ['x'] }];
const some = [
  { clusters: ['a'], namespaces: ['x', 'none'] },
  { clusters: ['b'], namespaces: null },
];

async function all() {
  return [await numbersIn(anywhere), await numbersIn(anywhere, ['b']), await numbersIn(some), await numbersIn([])];
}

function alike(...counts: readonly number[]): readonly (readonly number[])[] {
  return counts.map((count) => [count, count, count, count]);
}

it('of a view alone are counted, also where they came later, and where they are too many to start from them', async () => {
  expect(await all()).toEqual(alike(2, 1, 3, 0));
  add('b', 'x', 2);
  expect(await all()).toEqual(alike(4, 3, 5, 0));
  add('a', 'y', 4);
  expect(await all()).toEqual(alike(4, 3, 5, 0));
  add('a', 'x', 20_000);
  expect(await all()).toEqual(alike(20_004, 3, 20_005, 0));
  add('b', 'x', 1);
  expect(await all()).toEqual(alike(20_005, 4, 20_006, 0));
});

it('of another store are sought anew: ids may be those of others then', async () => {
  const before = await numbersIn([{ clusters: null, namespaces: ['y'] }]);
  database.exec(`
    UPDATE object SET namespace = (SELECT id FROM name WHERE text = 'x') WHERE name LIKE 'more-%' AND namespace = (SELECT id FROM name WHERE text = 'y');
    UPDATE store SET id = 'another';
  `);
  expect(before).toEqual(alike(6)[0]);
  expect(await numbersIn([{ clusters: null, namespaces: ['y'] }])).toEqual(alike(2)[0]);
});
