import { parentPort, workerData } from 'node:worker_threads';
import { textAt } from '#lib/foreign.ts';
import { openSqliteReader } from '../../sqlite/reading/reader.ts';
import type { StoreReader } from '../../port/port.ts';
import { serveReader } from '../serve-reader.ts';

/** A reader like any other, but for one method that takes half a second, one that is a fault, and one that ends the thread. */
function slow(reader: StoreReader): StoreReader {
  return {
    ...reader,
    stats() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      return reader.stats();
    },
    clusters() {
      throw new RangeError('no clusters today');
    },
    record: { ...reader.record, since: () => process.exit(7) },
  };
}

const opened = await openSqliteReader({ path: textAt(workerData, 'path') ?? '' });
if (parentPort !== null) serveReader('type' in opened ? opened : slow(opened), parentPort);
