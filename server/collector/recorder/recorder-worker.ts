import { parentPort, workerData } from 'node:worker_threads';
import { numberAt, textAt } from '#lib/foreign.ts';
import { createLog } from '#server/runtime/log.ts';
import { serveWriter } from './serve-writer.ts';

const maxBytes = numberAt(workerData, 'maxBytes');
const quiet = numberAt(workerData, 'quiet');
const alarmWithin = numberAt(workerData, 'alarmWithin');

/** The recorder's thread: it alone holds the writing connection, so that no commit delays a stream. */
if (parentPort !== null)
  serveWriter(parentPort, {
    path: textAt(workerData, 'path') ?? '',
    log: createLog('recorder'),
    // The whole process has 5 s to end: another process's transaction is not waited for longer than this (ms).
    busyTimeout: 1000,
    ...(maxBytes === null ? {} : { maxBytes }),
    ...(quiet === null ? {} : { incidents: { quiet } }),
    ...(alarmWithin === null ? {} : { alarmWithin }),
  });
