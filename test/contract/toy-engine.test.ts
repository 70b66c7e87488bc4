import { describeStore } from './store.contract.ts';
import { emptyTables } from './toy-engine/tables.ts';
import { openToyReader } from './toy-engine/toy-reader.ts';
import { openToyWriter } from './toy-engine/toy-writer.ts';

let stores = 0;

describeStore('lists in memory', async () => {
  const tables = emptyTables();
  const id = `toy-${++stores}`;
  return {
    openWriter: async () => openToyWriter(tables),
    openReader: async () => openToyReader(tables, id),
    destroy: async () => tables.sources.clear(),
  };
});
