import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type Lease, type StoreWriter, type WriteBatch } from '../../port/port.ts';
import { openIdentities, settledSentence, type Identities } from './past-identities.ts';
import { openScopes } from './record/record-scope.ts';
import { openSqliteWriter } from '../writing/writer.ts';

let directory: string;
let writer: StoreWriter;
let lease: Lease<'cluster'>;
let database: DatabaseSync;
let read: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-identities-'));
  const path = join(directory, 'plumbline.db');
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
  const taken = await writer.acquire(clusterSource('a'), 'one', noon, 1000);
  if (taken === null) throw new Error('no lease');
  lease = taken;
  database = new DatabaseSync(path);
  read = 0;
});

afterEach(async () => {
  database.close();
  await writer.close();
  rmSync(directory, { recursive: true });
});

const ref = (number: number) => refOf('a', number);

async function write(change: Partial<WriteBatch>): Promise<void> {
  expect(await writer.write(lease, batchOf(change))).toEqual({ type: 'written' });
}

async function writeObjects(from: number, to: number, path: string): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  await write({ objects: withDetails(numbers.map((number) => objectOf(ref(number), { path }))) });
}

/** Identities that count how many were read. */
function open(most?: number): Identities {
  const scopes = openScopes(database);
  const counting = {
    ...scopes,
    clusterName(id: number) {
      read += 1;
      return scopes.clusterName(id);
    },
  };
  return openIdentities(counting, most);
}

function idOf(number: number): number {
  return Number(database.prepare('SELECT id FROM object WHERE name = ?').get(ref(number).name)?.['id']);
}

/** The path of an object, as one question finds it. */
function pathOf(identities: Identities, number: number): string | null {
  let path: string | null = null;
  identities.during(() => void ({ path } = identities.of(idOf(number)).origin));
  return path;
}

it('are read with all that is there of their cluster, once, and again when they are written', async () => {
  await writeObjects(0, 5, './one');
  const identities = open();
  expect([pathOf(identities, 0), pathOf(identities, 4), read]).toEqual(['./one', './one', 5]);
  await writeObjects(4, 6, './two');
  expect([pathOf(identities, 0), pathOf(identities, 4), pathOf(identities, 5), read]).toEqual([
    './one',
    './two',
    './two',
    7,
  ]);
});

it('of what is gone are read only where they are asked for', async () => {
  await writeObjects(0, 40, './one');
  await write({ removed: Array.from({ length: 38 }, (_, number) => ({ ref: ref(number), at: noon })) });
  const identities = open();
  expect([pathOf(identities, 39), read]).toEqual(['./one', 2]);
  identities.during(() => expect(identities.of(idOf(7))).toMatchObject({ ref: ref(7), uid: null }));
  expect(read).toBe(3);
});

it('are not kept after a question that asked for too many', async () => {
  await writeObjects(0, 5, './one');
  const few = open(5);
  expect([pathOf(few, 0), pathOf(few, 1), read]).toEqual(['./one', './one', 5]);
  const tooMany = open(4);
  expect([pathOf(tooMany, 0), pathOf(tooMany, 1), read]).toEqual(['./one', './one', 15]);
});

it('are not those of another store, in which an id may name something else', async () => {
  await writeObjects(0, 5, './one');
  const identities = open();
  expect([pathOf(identities, 0), read]).toEqual(['./one', 5]);
  database.exec(`UPDATE store SET id = 'another'`);
  expect([pathOf(identities, 0), read]).toEqual(['./one', 10]);
});

it('say of what is converged what its role and its drift have them say', async () => {
  await writeObjects(0, 1, './one');
  const identities = open();
  identities.during(() => {
    const identity = identities.of(idOf(0));
    const sentences = (
      [
        ['applier', 'none'],
        ['source', 'none'],
        ['applier', 'not-measured'],
        ['applier', 'none'],
      ] as const
    ).map(([role, drift]) => settledSentence(identity, { role, drift }));
    expect(sentences.map((sentence) => sentence.replace(/^.* is /, ''))).toEqual([
      'as declared.',
      'in order.',
      'not measured.',
      'as declared.',
    ]);
  });
});
