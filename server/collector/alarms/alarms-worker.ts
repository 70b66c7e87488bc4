import { parentPort } from 'node:worker_threads';
import { systemClock } from '#server/runtime/clock.ts';
import { createLog } from '#server/runtime/log.ts';
import { serveAlarms } from './serve-alarms.ts';

/** The thread that reads alarm sources: what they send is parsed here, so that it delays nothing that is read of clusters. */
if (parentPort !== null)
  serveAlarms(parentPort, { clock: systemClock, log: createLog('alarms'), random: () => Math.random() });
