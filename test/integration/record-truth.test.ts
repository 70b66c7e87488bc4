// Any history of a cluster and of its collector, at random: what the store then holds is one record without a false word in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createRemoteApplierIndex } from '#server/collector/model/remote/remote-applier-index.ts';
import { startBed, type Bed } from '#server/collector/model/testing/bed.ts';
import { kinds, kustomizationSpec, passedWell, ready, revision } from '#server/collector/model/testing/objects.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { clusterSource, type Lease, type StoreWriter } from '#server/store/port/port.ts';

const cluster = 'c1';

/** A generator of numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A cluster whose collector comes and goes, over a store on disk. */
async function startScene(path: string, random: () => number) {
  const clock = fakeClock();
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  const writer: StoreWriter = opened;
  const taken = await writer.acquire(clusterSource(cluster), 'one', clock.now(), day);
  if (taken === null) throw new Error('no lease');
  const lease: Lease<'cluster'> = taken;
  const living = new Map<string, ForeignObject>();
  /** When each object was made last (ms): it is away since then, where it was never good. */
  const births = new Map<string, number>();
  let incarnation = 0;
  let bed: Bed = await begin();

  async function begin(): Promise<Bed> {
    const restored = await writer.load(cluster);
    const started = startBed(restored, undefined, { cluster, clock, remotes: createRemoteApplierIndex(() => true) });
    started.open([[kinds.kustomization, ...living.values()]]);
    return started;
  }

  function status(well: boolean): object {
    const at = clock.now();
    if (well) return passedWell(at, revision(String(Math.floor(random() * 9))));
    return {
      conditions: [ready('False', 'BuildFailed', at)],
      observedGeneration: 1,
      lastAttemptedRevision: revision('b'),
    };
  }

  /** Makes an object say something; one that is not there is made. */
  function say(name: string, well: boolean, suspended: boolean): ForeignObject {
    const uid = living.has(name) ? String(living.get(name)?.['uid']) : `${name}-${++incarnation}`;
    const spec = kustomizationSpec('control', suspended ? { suspend: true } : {});
    if (!living.has(name)) births.set(name, clock.now());
    const createdAt = births.get(name) ?? clock.now();
    const object = bed.object(kinds.kustomization, name, { uid, createdAt, spec, status: status(well) });
    living.set(name, { ...object, uid });
    return object;
  }

  return {
    clock,
    writer,
    bed: () => bed,
    say: (name: string, well: boolean, suspended: boolean) =>
      bed.write(kinds.kustomization, say(name, well, suspended)),
    remove(name: string) {
      const object = living.get(name);
      living.delete(name);
      if (object) bed.remove(kinds.kustomization, object);
    },
    /** Lists anew, to learn what was missed: some were made anew, some are gone, some say other things. */
    relist(names: readonly string[]) {
      for (const name of names) {
        if (random() < 0.3) living.delete(name);
        if (random() < 0.6) say(name, random() < 0.6, false);
      }
      bed.list(kinds.kustomization, ...living.values());
    },
    /** Writes what the collector gave; all of it, or, where it is killed, only what came before. */
    async write(share = 1) {
      const batches = bed.batches.splice(0);
      for (const batch of batches.slice(0, Math.ceil(batches.length * share))) {
        expect(await writer.write(lease, batch)).toEqual({ type: 'written' });
      }
    },
    async end() {
      bed.model.stop();
      await this.write();
      bed = await begin();
    },
    async kill() {
      await this.write(random());
      bed.model.stop();
      bed = await begin();
    },
  };
}

/** A row whose cells are numbers, texts or null. */
type Row = Readonly<Record<string, string | number | null>>;

function rows(path: string, sql: string): readonly Row[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare(sql).all();
  database.close();
  return found.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        typeof cell === 'number' || cell === null ? cell : String(cell),
      ]),
    ),
  );
}

/** Faults in the spans of one object. */
function wrongSpans(spans: readonly Row[], now: number): readonly string[] {
  const found: string[] = [];
  for (const [index, span] of spans.entries()) {
    const before = spans[index - 1];
    const [from, to] = [Number(span['from']), span['until']];
    if (from > now) found.push('a span begins in the future');
    if (before && before['until'] !== from) found.push('a span does not begin where the one before ends');
    if (before && before['to_verdict'] !== span['from_verdict'])
      found.push('a span follows another verdict than it says');
    if (before && before['to_verdict'] === span['to_verdict']) found.push('a verdict changed into what it was');
    if (!before && span['from_verdict'] !== '') found.push('the first span follows one');
    if (to !== null && Number(to) < from) found.push('a span ends before it begins');
    if ((to === null) !== (index === spans.length - 1)) found.push('not the last span lasts');
  }
  return found;
}

/** Faults in the absences of one object that is in a verdict now ('': it is gone). */
function wrongAbsences(absences: readonly Row[], verdict: string, away: boolean, now: number): readonly string[] {
  const found: string[] = [];
  for (const [index, { opened_at, noticed_at, closed_at, ended }] of absences.entries()) {
    const last = index === absences.length - 1;
    const closed = Number(closed_at ?? now);
    if (Number(opened_at) > Number(noticed_at) || closed < Number(noticed_at))
      found.push('an absence ends before it begins');
    if (Number(noticed_at) > now || closed > now) found.push('an absence is in the future');
    if ((closed_at === null) !== (ended === null)) found.push('an absence has half an end');
    if (ended === null && !(last && away)) found.push('an absence lasts, and its object is home');
  }
  const needs = verdict === 'diverged' || verdict === 'unhealthy';
  if (needs && absences.at(-1)?.['ended'] !== null) found.push('nothing is told of an object that is away');
  return found;
}

/** Faults in the record, in words. */
function wrong(path: string, now: number): readonly string[] {
  const spans = rows(
    path,
    'SELECT object, noticed_at AS "from", until, from_verdict, to_verdict, uid FROM transition ORDER BY object, id',
  );
  const absences = rows(
    path,
    'SELECT object, opened_at, noticed_at, closed_at, ended FROM absence ORDER BY object, opened_at, id',
  );
  const objects = rows(
    path,
    'SELECT o.id, o.uid, o.away_at, x.text AS traits FROM object o LEFT JOIN text x ON x.id = o.traits',
  );
  return objects.flatMap(({ id, uid, away_at, traits }) => {
    const own = spans.filter(({ object }) => object === id);
    const last = own.at(-1);
    const verdict = traits === null ? '' : String(JSON.parse(String(traits))[2]);
    const ofObject = absences.filter(({ object }) => object === id);
    const found = [...wrongSpans(own, now), ...wrongAbsences(ofObject, verdict, away_at !== null, now)];
    if (last && last['to_verdict'] !== verdict) found.push(`it is ${verdict}, and its last span ${last['to_verdict']}`);
    if (last && verdict !== '' && last['uid'] !== uid) found.push('its last span is of another');
    return found.map((words) => `${id}: ${words}`);
  });
}

/** Questions to the rows of incidents that have no answer where none of them is false. */
const neverTrue: Readonly<Record<string, string>> = {
  'a member is in two incidents at once':
    'SELECT subject FROM incident_member WHERE to_at IS NULL GROUP BY subject HAVING COUNT(*) > 1',
  'a member left before it came': 'SELECT id FROM incident_member WHERE to_at < from_at',
  'a member has half an end': 'SELECT id FROM incident_member WHERE (to_at IS NULL) <> (ended IS NULL)',
  'a member is in what is over, or is part of another': `SELECT m.id FROM incident_member m JOIN incident i ON i.id = m.incident
    WHERE m.to_at IS NULL AND (i.closed_at IS NOT NULL OR i.merged_into IS NOT NULL)`,
  'an incident lasts without a member': `SELECT id FROM incident i WHERE closed_at IS NULL AND merged_into IS NULL
    AND NOT EXISTS (SELECT 1 FROM incident_member m WHERE m.incident = i.id AND m.to_at IS NULL)`,
  'an incident began with none of its members': `SELECT id FROM incident i WHERE merged_into IS NULL
    AND opened_at <> (SELECT MIN(from_at) FROM incident_member m WHERE m.incident = i.id)`,
  'an incident counts others than its members': `SELECT id FROM incident i WHERE merged_into IS NULL AND (
    objects <> (SELECT COALESCE(SUM(objects), 0) FROM incident_member m WHERE m.incident = i.id AND m.to_at IS NULL)
    OR members <> (SELECT COUNT(*) FROM incident_member m WHERE m.incident = i.id))`,
  'an incident is not as its last step': `SELECT i.id FROM incident i JOIN incident_step s ON s.id =
    (SELECT MAX(id) FROM incident_step WHERE incident = i.id) WHERE i.merged_into IS NULL AND (s.objects <> i.objects
    OR s.members <> i.members OR s.closed_at IS NOT i.closed_at OR s.ended IS NOT i.ended)`,
  'who is away by its own fault is in no incident': `SELECT a.id FROM absence a JOIN object o ON o.id = a.object
    JOIN text x ON x.id = o.traits WHERE a.closed_at IS NULL AND json_extract(x.text, '$[2]') = 'diverged'
    AND NOT EXISTS (SELECT 1 FROM incident_member m WHERE m.subject = a.id AND m.to_at IS NULL)`,
};

/** Faults in the incidents of the record, in words. */
function wrongIncidents(path: string): readonly string[] {
  const questions = Object.entries(neverTrue).map(([words, sql]) => `SELECT '${words}' AS words WHERE EXISTS (${sql})`);
  return rows(path, questions.join(' UNION ALL ')).map(({ words }) => String(words));
}

const names = ['one', 'two', 'three', 'four'];

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'history %i: restarts, kills, lists anew, removals and a clock that steps leave no false word',
  async (seed) => {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-truth-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const path = join(directory, 'plumbline.db');
    const random = numbers(seed);
    const scene = await startScene(path, random);
    const some = (): string => names[Math.floor(random() * names.length)] ?? 'one';
    const taken: string[] = [];
    const { clock } = scene;
    const steps: readonly (readonly [share: number, words: string, take: () => void | Promise<void>])[] = [
      [45, 'say', () => scene.say(some(), random() < 0.55, random() < 0.15)],
      [10, 'remove', () => scene.remove(some())],
      [10, 'relist', () => scene.relist(names)],
      [10, 'end', () => scene.end()],
      [10, 'kill', () => scene.kill()],
      [8, 'clock back', () => clock.set(clock.now() - Math.floor(random() ** 4 * 30 * day))],
      [7, 'time', () => clock.set(clock.now() + Math.floor(random() * 20 * minute))],
    ];
    const step = async (): Promise<string> => {
      let dice = random() * 100;
      for (const [share, words, take] of steps) {
        dice -= share;
        if (dice > 0) continue;
        await take();
        return words;
      }
      return 'nothing';
    };
    for (let round = 0; round < 40; round += 1) {
      taken.push(await step());
      scene.bed().pass(Math.ceil(random() * 4) * minute);
      await scene.write();
      const found = [...wrong(path, scene.clock.now()), ...wrongIncidents(path)];
      expect(found, `after ${taken.join(', ')}`).toEqual([]);
    }
    await scene.writer.close();
  },
);
