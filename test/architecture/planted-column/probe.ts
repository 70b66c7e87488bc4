// Runs in a copy of the program that a column was planted into: writes a store of the version before, opens it again with the
// planted step, and prints as JSON what is read back of two objects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLog } from '#server/runtime/log.ts';
import { migrations, storeVersion } from '#server/store/migrations/index.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '#server/store/port/port.ts';

const directory = mkdtempSync(join(tmpdir(), 'plumbline-column-'));
const path = join(directory, 'plumbline.db');
const before = new DatabaseSync(path);
before.exec(migrations[0].sqlite);
before.exec(`INSERT INTO store (id) VALUES ('old'); PRAGMA user_version = ${migrations[0].version}`);
before.close();

const writer = openSqliteWriter({ path, log: silentLog });
if ('type' in writer) throw new Error(writer.type);
const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
if (lease === null) throw new Error('no lease');
const owned = { ...objectOf(refOf('a', 1)), team: 'harbour' };
const owner = { team: null };
const objects = withDetails([owned, { ...objectOf(refOf('a', 2)), ...owner }]);
await writer.write(lease, { ...batchOf(), objects });
const loaded = await writer.load('a');
await writer.close();

const reader = await openSqliteReader({ path });
if ('type' in reader) throw new Error(reader.type);
const { changes } = await reader.follow(null, 10);
await reader.close();
rmSync(directory, { recursive: true });
const printed = { storeVersion, loaded: loaded.objects.map(({ object }) => object), changes };
process.stdout.write(JSON.stringify(printed));
