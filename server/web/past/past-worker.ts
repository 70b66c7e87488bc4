import { ReadableStream } from 'node:stream/web';
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '#server/runtime/thread/serve-calls.ts';
import { pastMethods } from './past-methods.ts';

/** The thread of past moments: reading a whole fleet, and judging it anew, delays no page or stream of the present. */
if (parentPort !== null)
  serveCalls(parentPort, null, pastMethods(), (result) => {
    const lines = typeof result === 'object' && result !== null && 'lines' in result ? result.lines : null;
    return lines instanceof ReadableStream ? [lines] : [];
  });
