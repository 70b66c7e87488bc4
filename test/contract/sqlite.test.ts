import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { describeOpenRefusal } from '#server/store/port/open-refusal.ts';
import { openReaderThread } from '#server/store/reader-thread/reader-thread.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { describeLoudSource } from './alarms/loud-source.contract.ts';
import { describeStore } from './store.contract.ts';
import { type StoreUnderTest, useStore } from './store-bench.ts';

/** A part of clusters object by object first, and then so many objects at a time as are soon read. */
const inPieces = { firstPiece: 1 };

const readers = [
  ['SQLite', openSqliteReader],
  ['SQLite, read in pieces', ({ path }: { readonly path: string }) => openSqliteReader({ path, inSteps: inPieces })],
  ['SQLite, read in a thread', openReaderThread],
] as const;

for (const [name, open] of readers) {
  const openStore = async (): Promise<StoreUnderTest> => {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-store-'));
    const path = join(directory, 'plumbline.db');
    return {
      async openWriter() {
        const writer = openSqliteWriter({ path, log: silentLog });
        if ('type' in writer) throw new Error(describeOpenRefusal(writer));
        return writer;
      },
      async openReader() {
        const reader = await open({ path });
        if ('type' in reader) throw new Error(describeOpenRefusal(reader));
        return reader;
      },
      async destroy() {
        rmSync(directory, { recursive: true });
      },
    };
  };
  describeStore(name, openStore);
  // An engine that looks at all calls, however many they are, leaves no source out.
  describe(`bounds: ${name}`, () => {
    useStore(openStore, describeLoudSource);
  });
}
