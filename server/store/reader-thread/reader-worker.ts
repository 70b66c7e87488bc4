import { parentPort, workerData } from 'node:worker_threads';
import { textAt } from '#lib/foreign.ts';
import { openSqliteReader } from '../sqlite/reading/reader.ts';
import { serveReader } from './serve-reader.ts';

/** A thread that reads the record: no report, timeline or past moment delays a page or a stream. */
if (parentPort !== null) serveReader(await openSqliteReader({ path: textAt(workerData, 'path') ?? '' }), parentPort);
