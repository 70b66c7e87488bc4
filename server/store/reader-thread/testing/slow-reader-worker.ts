import { parentPort, workerData } from 'node:worker_threads';
import { textAt } from '#lib/foreign.ts';
import { openSqliteReader } from '../../sqlite/reading/reader.ts';
import type { StoreReader } from '../../port/port.ts';
import { serveReader } from '../serve-reader.ts';

function hold(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
}

/** A reader like any other, but for three methods that take half a second, one that is a fault, and two that end their thread. */
function slow(reader: StoreReader): StoreReader {
  const { record } = reader;
  return {
    ...reader,
    stats() {
      hold();
      return reader.stats();
    },
    clusters() {
      throw new RangeError('no clusters today');
    },
    record: {
      ...record,
      since: () => process.exit(7),
      worst: () => process.exit(7),
      objectCount(...asked) {
        hold();
        return record.objectCount(...asked);
      },
      changeCounts(...asked) {
        hold();
        return record.changeCounts(...asked);
      },
    },
  };
}

const opened = await openSqliteReader({ path: textAt(workerData, 'path') ?? '' });
if (parentPort !== null) serveReader('type' in opened ? opened : slow(opened), parentPort);
