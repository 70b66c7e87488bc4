import { streamApi } from '#lib/api/stream.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { isForeignObject, listAt, textAt } from '#lib/foreign.ts';
import { openEventSource, type ReceivedFrame } from '../event-source.ts';
import type { BenchFleet } from '../fleet.ts';
import { quantile } from './quantile.ts';
import type { BenchWeb } from '../web.ts';

/** Times from a write on a cluster until a browser has the new row of the matrix (ms). */
export interface LatencyResult {
  readonly changes: number;
  readonly p50: number;
  readonly p99: number;
}

function cellsOf({ data }: ReceivedFrame, cluster: string): string | null {
  for (const row of listAt(data, 'rows')) {
    if (isForeignObject(row) && row['cluster'] === cluster)
      return JSON.stringify([row['cells'], row['counts'], row['marks']]);
  }
  return null;
}

/** Breaks and mends Kustomizations one after the other while one browser looks at the matrix. */
export async function measureLatency(fleet: BenchFleet, web: BenchWeb, changes: number): Promise<LatencyResult> {
  let waiting: { readonly cluster: string; readonly found: (frame: ReceivedFrame) => void } | null = null;
  const request = await openEventSource(`${web.url}${streamApi.path}?topic=fleet`, (frame) => {
    if (waiting && textAt(frame.data, 'type') === 'rows' && cellsOf(frame, waiting.cluster) !== null)
      waiting.found(frame);
  });
  const times: number[] = [];
  try {
    for (let change = 0; change < changes; change += 1) {
      const next = fleet.nextChange();
      const { cluster } = next;
      const seen = new Promise<ReceivedFrame>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`a change on ${cluster} did not arrive within 10 s`)), 10_000);
        waiting = {
          cluster,
          found(frame) {
            clearTimeout(timer);
            resolve(frame);
          },
        };
      });
      const [frame, { at }] = await Promise.all([seen, next.write()]);
      times.push(frame.at - at);
      waiting = null;
      // Long enough that what follows a change has settled, and out of step with everybody's turns.
      await wait(300 + ((change * 61) % 250));
    }
  } finally {
    request.destroy();
  }
  return { changes: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
