import { DatabaseSync } from 'node:sqlite';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { randomOf } from '#test/contract/random-history.ts';
import { batchOf, clusterOf, noon, objectOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '#server/store/port/port.ts';

/** The clusters of a record of full size, and the objects on each. */
export const bulkClusters = 1_000;
export const bulkObjects = 60;

/** Number of days of the record, and its end: within a day, so that one day is not over. */
export const recordedDays = 90;
export const recordEnds = noon + hour;
const begins = recordEnds - recordedDays * day;

/** Length of each turn (ms): what begins in one is over before the next. */
const turn = 6 * hour;

const kindsOf = [
  ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
  ['helm.toolkit.fluxcd.io', 'HelmRelease'],
  ['source.toolkit.fluxcd.io', 'GitRepository'],
  ['source.toolkit.fluxcd.io', 'OCIRepository'],
  ['rds.aws.upbound.io', 'Instance'],
  ['s3.aws.upbound.io', 'Bucket'],
] as const;

/** Verdicts that an object goes through from leaving converged until it is home. */
const courses: readonly (readonly Verdict[])[] = [
  'behind progressing diverged unhealthy diverged converged diverged stale progressing converged',
  'progressing unhealthy progressing unhealthy converged unhealthy waiting unhealthy progressing converged',
  'waiting progressing diverged suspended diverged drifted converged diverged progressing converged',
].map((course) => course.split(' ').flatMap((word) => verdicts.filter((verdict) => verdict === word)));

/** Amounts that were written. */
export interface BulkRecord {
  readonly spans: number;
  readonly absences: number;
  readonly objects: number;
  /** Seconds that writing took. */
  readonly seconds: number;
}

/** The object of a number on a cluster. */
export function bulkRef(cluster: string, number: number): ObjectRef {
  const [group, kind] = kindsOf[number % kindsOf.length] ?? kindsOf[0];
  return { cluster, group, kind, namespace: `team-${number % 20}`, name: `app-${number}` };
}

/** The name of a cluster. */
export function bulkCluster(index: number): string {
  return `cluster-${index}`;
}

/**
 * Writes a record of ninety days: the objects through the engine's own writer, as a fleet that is in order, then what happened as
 * rows of the engine's own tables, in the order of time, with the indexes made afterwards. Batch by batch it would take an hour.
 */
export async function writeBulkRecord(options: {
  readonly path: string;
  readonly clusters: number;
  readonly objectsOnEach: number;
  readonly spans: number;
  readonly say: (line: string) => void;
}): Promise<BulkRecord> {
  const { path, clusters, objectsOnEach, spans, say } = options;
  const since = performance.now();
  await writeFleet(path, clusters, objectsOnEach);
  say(`  ${clusters * objectsOnEach} objects after ${secondsSince(since)} s`);
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY',
  );
  const made = setAside(database, ['transition', 'absence', 'coverage', 'correction', 'change']);
  const written = writeHistory(database, clusters, objectsOnEach, spans, (share) =>
    say(`  ${Math.round(share * 100)} % of ${spans.toLocaleString('en')} spans after ${secondsSince(since)} s`),
  );
  for (const sql of made) database.exec(sql);
  database.exec('ANALYZE; PRAGMA journal_mode = WAL');
  database.close();
  say(`  indexes after ${secondsSince(since)} s`);
  return { ...written, objects: clusters * objectsOnEach, seconds: (performance.now() - since) / 1000 };
}

function secondsSince(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

async function writeFleet(path: string, clusters: number, objectsOnEach: number): Promise<void> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (let index = 0; index < clusters; index++) {
    const cluster = bulkCluster(index);
    const lease = await writer.acquire(clusterSource(cluster), 'bench', begins, 1000);
    if (lease === null) throw new Error(`no lease of ${cluster}`);
    const objects = Array.from({ length: objectsOnEach }, (_, number) =>
      objectOf(bulkRef(cluster, number), { onset: { time: begins, bound: 'at-least', noticedAt: begins } }),
    );
    const batch = batchOf({
      at: begins,
      cluster: clusterOf(cluster),
      objects: withDetails(objects),
      transitions: objects.map(({ ref, uid }) =>
        transitionOf(ref, begins, { uid, noticedAt: begins, from: null, to: 'converged' }),
      ),
      coverage: [{ cluster, kind: null, at: begins, observed: true, state: 'live', reason: null }],
    });
    const result = await writer.write(lease, batch);
    if (result.type !== 'written') throw new Error(JSON.stringify(result));
    await writer.release(lease);
  }
  await writer.close();
}

/** Drops the indexes and triggers of tables; gives the statements that make them again. */
function setAside(database: DatabaseSync, tables: readonly string[]): readonly string[] {
  const found = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
       AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY type`,
    )
    .all(JSON.stringify(tables));
  for (const { type, name } of found) database.exec(`DROP ${String(type)} ${String(name)}`);
  return found.map(({ sql }) => String(sql));
}

interface Bulk {
  readonly object: number;
  readonly cluster: number;
  readonly uid: string;
  /** Row of the span that lasts. */
  open: number;
}

function writeHistory(
  database: DatabaseSync,
  clusters: number,
  objectsOnEach: number,
  spans: number,
  tell: (share: number) => void,
): { readonly spans: number; readonly absences: number } {
  const random = randomOf(20_261_121);
  const below = (count: number): number => Math.floor(random() * count);
  const objects: Bulk[] = database
    .prepare(
      'SELECT t.id, t.object, t.cluster, t.uid FROM transition t JOIN object o ON o.id = t.object ORDER BY t.object',
    )
    .all()
    .map((row) => ({
      object: Number(row['object']),
      cluster: Number(row['cluster']),
      uid: String(row['uid']),
      open: Number(row['id']),
    }));
  const words = textsIn(database);
  const word = (of: number): number => words[below(of)] ?? 1;
  const traits = traitsIn(database);
  const put = database.prepare(
    `INSERT INTO transition (object, cluster, at, noticed_at, bound, from_verdict, to_verdict, uid, reason, message, commit_id, attempted, root_cause, until, traits)
     VALUES (?, ?, ?, ?, 'exact', ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)`,
  );
  const close = database.prepare('UPDATE transition SET until = ? WHERE id = ?');
  const absence = database.prepare(
    `INSERT INTO absence (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason)
     VALUES (?, ?, ?, ?, 'exact', ?, ?, 'converged', ?, ?)`,
  );
  const seen = database.prepare(
    'INSERT INTO coverage (cluster, kind, at, observed, state, reason) VALUES (?, 0, ?, ?, ?, NULL)',
  );
  const turns = Math.floor((recordEnds - begins) / turn);
  const already = objects.length;
  const chance = (spans - already) / (turns * objects.length * (courses[0]?.length ?? 1));
  let [written, absences] = [already, 0];

  function episode(one: Bulk, from: number): void {
    const course = courses[below(courses.length)] ?? [];
    let at = from;
    let was: Verdict = 'converged';
    close.run(at, one.open);
    for (const [step, to] of course.entries()) {
      const until = step === course.length - 1 ? null : at + 20_000 + below(1_900_000);
      const [reason, message, commit] = [word(40), word(words.length), word(400)];
      const columns = [at - 150, at, was, to, one.uid, reason, message, commit, commit, until, traits];
      one.open = Number(put.run(one.object, one.cluster, ...columns).lastInsertRowid);
      was = to;
      at = until ?? at;
      written++;
    }
    absence.run(one.object, one.cluster, one.uid, from - 150, from, at, course[0] ?? 'diverged', word(40));
    absences++;
  }

  database.exec('BEGIN');
  for (let step = 0; step < turns; step++) {
    const start = begins + step * turn;
    for (const one of objects) if (random() < chance) episode(one, start + 1000 + below(turn / 12));
    if (step % 4 === 0) {
      beside(database, clusters, objects, objectsOnEach, start, random, words);
      for (let cluster = 1; cluster <= clusters; cluster++) {
        if (random() > 0.07) continue;
        const lost = start + below(turn);
        seen.run(cluster, lost, 0, 'unreachable');
        seen.run(cluster, lost + 60_000 + below(5_400_000), 1, 'live');
      }
    }
    if (step % 72 === 71) tell((step + 1) / turns);
  }
  database.exec('COMMIT');
  return { spans: written, absences };
}

/** Rows beside spans, of one day: two corrections, three changes and a commit on each cluster, a suspension here and there. */
function beside(
  database: DatabaseSync,
  clusters: number,
  objects: readonly Bulk[],
  objectsOnEach: number,
  start: number,
  random: () => number,
  words: readonly number[],
): void {
  const below = (count: number): number => Math.floor(random() * count);
  const correct = database.prepare(
    `INSERT INTO correction (object, cluster, at, certainty, said, count) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const change = database.prepare(
    'INSERT OR IGNORE INTO change (cluster, object, at, not_before, noticed_at, kind, fact) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const name = database.prepare(
    'INSERT INTO name (text) VALUES (?) ON CONFLICT (text) DO UPDATE SET text = text RETURNING id',
  );
  const text = database.prepare('INSERT INTO text (text) VALUES (?) RETURNING id');
  const arrive = database.prepare(
    'INSERT OR IGNORE INTO arrival (cluster, commit_hash, offered_at, first_at, last_at, objects) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const kind = Number(name.get('revision')?.['id']);
  const fact = Number(text.get(JSON.stringify({ type: 'revision', from: null, to: 'main@sha1:1' }))?.['id']);
  const commit = start.toString(16).padStart(40, '0');
  const certainties = ['confirmed', 'probable', 'contested'];
  for (let index = 0; index < clusters; index++) {
    const own = (): Bulk | undefined => objects[index * objectsOnEach + below(objectsOnEach)];
    for (let count = 0; count < 2; count++) {
      const one = own();
      const said = words[below(40)] ?? 1;
      if (one)
        correct.run(
          one.object,
          one.cluster,
          start + below(day),
          certainties[below(3)] ?? 'probable',
          said,
          1 + below(3),
        );
    }
    for (let count = 0; count < 3; count++) {
      const at = start + below(day);
      const one = own();
      if (one) change.run(one.cluster, one.object, at, at, at + 100, kind, fact);
    }
    const cluster = own()?.cluster ?? 1;
    arrive.run(cluster, commit, start, start + 60_000, start + 300_000 + below(hour), objectsOnEach);
  }
}

/** Texts as they repeat in a fleet: reasons, messages, commits. */
function textsIn(database: DatabaseSync): readonly number[] {
  const add = database.prepare('INSERT INTO text (text) VALUES (?) RETURNING id');
  return Array.from({ length: 5_000 }, (_, index) =>
    Number(add.get(`kustomize build failed: accumulating resources: ${index}`)?.['id']),
  );
}

/** The text of an object's traits. */
function traitsIn(database: DatabaseSync): number {
  return Number(database.prepare('SELECT traits FROM object LIMIT 1').get()?.['traits']);
}
