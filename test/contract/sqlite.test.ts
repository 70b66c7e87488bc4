import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#server/runtime/log.ts';
import { describeOpenRefusal } from '#server/store/port/open-refusal.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { describeStore } from './store.contract.ts';

describeStore('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-store-'));
  const path = join(directory, 'plumbline.db');
  return {
    async openWriter() {
      const writer = openSqliteWriter({ path, log: silentLog });
      if ('type' in writer) throw new Error(describeOpenRefusal(writer));
      return writer;
    },
    async openReader() {
      const reader = await openSqliteReader({ path });
      if ('type' in reader) throw new Error(describeOpenRefusal(reader));
      return reader;
    },
    async destroy() {
      rmSync(directory, { recursive: true });
    },
  };
});
