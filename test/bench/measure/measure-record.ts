import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { numberAt } from '#lib/foreign.ts';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { startChild, type BenchChild } from '../child.ts';
import { z } from 'zod';
import { RecordAnswers } from '../record/record-answers.ts';
import { writeBulkCalls } from '../record/call-store.ts';
import { bulkCluster, bulkClusters, bulkObjects, recordEnds, writeBulkRecord } from '../record/record-store.ts';

/** A disk that keeps everything, so that nothing is deleted meanwhile. */
const forever = { spans: 10_000 * day, messages: 10_000 * day };

/** Steps of rolling up that are looked at one by one, and how many are committed together after that. */
const stepsAlone = 100;
const stepsAtOnce = 50;

/** A store that was written, as it is noted beside one that is kept. */
const WrittenStore = z.object({
  bulk: z.object({ spans: z.number(), absences: z.number(), objects: z.number(), seconds: z.number() }),
  /** Seconds to make incidents of all absences, in the background, and number of those. */
  carriedOver: z.object({ seconds: z.number(), incidents: z.number() }),
  /** Number of calls that were written. */
  calls: z.number(),
  /** Seconds to roll up all that is over, and the longest step of it (ms). */
  rollUp: z.object({ seconds: z.number(), longest: z.number() }),
});
type WrittenStore = z.infer<typeof WrittenStore>;

/** Measurements; times in ms unless said otherwise. */
export interface RecordResult extends RecordAnswers, WrittenStore {
  readonly bytes: number;
  /** Rows that the first report after a start is added up from, read and nothing done with them. */
  readonly ceiling: { readonly ms: number; readonly bytes: number };
  /** Transitions a second, alone and while everything of this is asked; and what is asked meanwhile. Null where the store is kept. */
  readonly writing: {
    readonly alone: number;
    readonly asked: number;
    readonly commit: number;
    readonly report: number;
  } | null;
}

/** Writes a record of so many spans, or takes the one that is kept in the folder `store`, and asks it everything. */
export async function measureRecord(options: {
  readonly spans: number;
  readonly store: string | null;
  readonly directory: string;
  readonly say: (line: string) => void;
}): Promise<RecordResult> {
  const { store, say } = options;
  const directory = store ?? join(options.directory, 'record');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'plumbline.db');
  const written = await storeAt(path, options);
  const bytes = statSync(path).size;
  const ceiling = await measureCeiling(path, options.directory);
  say('Reports, timelines and past moments ...');
  const asker = startChild({
    program: 'test/bench/record/record-asker.ts',
    args: [path],
    directory: options.directory,
  });
  const { answers } = await asker.receive('answers', 600_000);
  const writing = store === null ? await recording(path, options, asker) : null;
  await asker.stop();
  return { ...RecordAnswers.parse(answers), ...written, bytes, ceiling, writing };
}

async function measureCeiling(path: string, directory: string): Promise<RecordResult['ceiling']> {
  const child = startChild({ program: 'test/bench/record/record-ceiling.ts', args: [path], directory });
  const read = z.object({ ms: z.number(), bytes: z.number() }).parse(await child.receive('ceiling', 120_000));
  await child.stop();
  return read;
}

/** The store at `path`, written where there is none; one that is kept is noted beside it once it is whole. */
async function storeAt(path: string, options: Parameters<typeof measureRecord>[0]): Promise<WrittenStore> {
  const { store, say } = options;
  const note = join(dirname(path), 'written.json');
  if (store !== null && existsSync(note)) {
    say(`The record in ${store} is asked again.`);
    const written = WrittenStore.safeParse(JSON.parse(readFileSync(note, 'utf8')));
    if (!written.success) throw new Error(`${path} was written by an older benchmark: remove it and its note.`);
    return written.data;
  }
  if (existsSync(path)) throw new Error(`${path} was not written to its end: remove it.`);
  const written = await writeStore(path, options);
  if (store !== null) writeFileSync(note, JSON.stringify(written));
  return written;
}

async function writeStore(
  path: string,
  { spans, say }: Pick<Parameters<typeof measureRecord>[0], 'spans' | 'say'>,
): Promise<WrittenStore> {
  say(`Writing a record of ${spans.toLocaleString('en')} spans ...`);
  const bulk = await writeBulkRecord({ path, clusters: bulkClusters, objectsOnEach: bulkObjects, spans, say });
  say('Making incidents of its absences ...');
  const carriedOver = await carryOver(path);
  say('Writing calls ...');
  const calls = await writeBulkCalls(path, bulkCluster, recordEnds);
  say('Rolling up what is over ...');
  return { bulk, carriedOver, calls, rollUp: await rollUpAll(path) };
}

async function recording(
  path: string,
  options: Parameters<typeof measureRecord>[0],
  asker: BenchChild,
): Promise<RecordResult['writing']> {
  options.say('Recording, alone and while all of it is asked ...');
  const alone = await writingWhile(path, options.directory, () => pause(8_000));
  let report = Number.NaN;
  const asked = await writingWhile(path, options.directory, async () => {
    asker.tell({ type: 'ask' });
    report = numberAt(await asker.receive('meanwhile', 120_000), 'report') ?? Number.NaN;
  });
  return { alone: alone.rate, asked: asked.rate, commit: asked.commit, report };
}

/** Makes incidents of all absences of a store, as of one from before there were any. */
async function carryOver(path: string): Promise<RecordResult['carriedOver']> {
  const database = new DatabaseSync(path);
  database.exec("INSERT INTO housekeeping (work, place) VALUES ('incidents-from', 0), ('incidents-up-to', 0)");
  const left = database.prepare("SELECT COUNT(*) AS works FROM housekeeping WHERE work = 'incidents-up-to'");
  const made = database.prepare('SELECT COUNT(*) AS incidents FROM incident');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const since = performance.now();
  while (numberAt(left.get(), 'works') !== 0)
    await Promise.all(Array.from({ length: stepsAtOnce }, () => writer.keep(forever, recordEnds)));
  const seconds = (performance.now() - since) / 1000;
  await writer.close();
  const incidents = numberAt(made.get(), 'incidents') ?? 0;
  database.close();
  return { seconds, incidents };
}

/** Rolls up all days of a store that are over. */
export async function rollUpAll(path: string): Promise<RecordResult['rollUp']> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const since = performance.now();
  let longest = 0;
  for (let step = 0; step < stepsAlone; step++) {
    const began = performance.now();
    await writer.keep(forever, recordEnds);
    longest = Math.max(longest, performance.now() - began);
  }
  // What is asked for at once is committed together: a whole record in steps of their own would wait for the disk most of the time.
  for (let more = true; more;) {
    const steps = await Promise.all(Array.from({ length: stepsAtOnce }, () => writer.keep(forever, recordEnds)));
    more = steps.every((step) => step.more);
  }
  const seconds = (performance.now() - since) / 1000;
  await writer.close();
  return { seconds, longest };
}

async function writingWhile(
  path: string,
  directory: string,
  work: () => Promise<void>,
): Promise<{ readonly rate: number; readonly commit: number }> {
  const child = startChild({
    program: 'test/bench/record/record-writer.ts',
    args: [path, String(bulkClusters)],
    directory,
  });
  await child.receive('writing', 60_000);
  await work();
  child.tell({ type: 'stop' });
  const wrote = await child.receive('wrote', 60_000);
  await child.stop();
  return { rate: numberAt(wrote, 'rate') ?? Number.NaN, commit: numberAt(wrote, 'commit') ?? Number.NaN };
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, time));
}
