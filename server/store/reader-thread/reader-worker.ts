import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { textAt } from '#lib/foreign.ts';
import { systemClock } from '#server/runtime/clock.ts';
import type { InSteps } from '../sqlite/reading/record/record-reader.ts';
import { openSqliteReader } from '../sqlite/reading/reader.ts';
import { inLanes } from './reader-lanes.ts';
import type { ReaderThread } from './reader-methods.ts';
import { serveReader } from './serve-reader.ts';

/** A thread that reads the record: no report, timeline or past moment delays a page or a stream. */
if (parentPort !== null) {
  const path = textAt(workerData, 'path') ?? '';
  const opened = await openSqliteReader({ path });
  const own = fileAt(path);
  const isOfParts = textAt(workerData, 'thread') === ('parts' satisfies ReaderThread);
  serveReader(
    'type' in opened || !isOfParts ? opened : inLanes(opened, (inSteps) => lane(path, own, inSteps), systemClock),
    parentPort,
  );
}

/** Another connection to the same file. */
async function lane(path: string, own: string | null, inSteps: InSteps): ReturnType<typeof openSqliteReader> {
  const message = 'it was replaced by another one';
  return fileAt(path) === own ? openSqliteReader({ path, inSteps }) : { type: 'unusable', path, message };
}

function fileAt(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
