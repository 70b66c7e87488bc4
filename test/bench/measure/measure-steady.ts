import { setTimeout as wait } from 'node:timers/promises';
import { openReader, type BenchCollector } from './measure-sync.ts';
import type { BenchFleet } from '../fleet.ts';
import { quantile } from './quantile.ts';

/** A collector in step with its fleet, over some seconds. */
export interface SteadyResult {
  readonly seconds: number;
  /** Passes that were really written a second. */
  readonly events: number;
  /** Cores: CPU seconds a second, all threads of the collector. */
  readonly cores: number;
  readonly resident: number;
  /** Bytes that the API servers sent to the collector, per cluster and day at this pace. */
  readonly bytesPerClusterDay: number;
}

/** Lets the fleet write `events` passes a second (0: none) for `seconds` and looks at what that costs the collector. */
export async function measureSteady(
  fleet: BenchFleet,
  collector: BenchCollector,
  events: number,
  seconds: number,
): Promise<SteadyResult> {
  fleet.churn(events);
  // What was begun before (the first watches, the second look at the leases) is over then.
  await wait(3_000);
  const before = { usage: collector.child.usage(), traffic: await fleet.traffic(), at: performance.now() };
  await wait(seconds * 1_000);
  const after = { usage: collector.child.usage(), traffic: await fleet.traffic(), at: performance.now() };
  const took = (after.at - before.at) / 1_000;
  const bytes = after.traffic.sent - before.traffic.sent;
  return {
    seconds: took,
    events: (after.traffic.writes - before.traffic.writes) / took,
    cores: (after.usage.cpu - before.usage.cpu) / took,
    resident: after.usage.resident,
    bytesPerClusterDay: (bytes / took / fleet.clusters.length) * 86_400,
  };
}

/** Times that changes took from the cluster into the store (ms), each one made when the one before had arrived. */
export async function measureStoreLag(
  fleet: BenchFleet,
  collector: BenchCollector,
  changes: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const reader = await openReader(collector.data);
  let cursor: string | null = null;
  async function stored(name: string | null, namespace: string, cluster: string): Promise<boolean> {
    for (let more = true; more;) {
      const answer = await reader.follow(cursor, 5_000);
      ({ cursor, more } = answer);
      const found = answer.changes.some(
        (change) =>
          change.type === 'object' &&
          change.object.ref.name === name &&
          change.object.ref.namespace === namespace &&
          change.object.ref.cluster === cluster,
      );
      if (found) return true;
    }
    return false;
  }
  await stored(null, '', '');
  const lags: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const next = fleet.nextChange();
    const { cluster } = next;
    const { at, name, namespace } = await next.write();
    const deadline = at + 10_000;
    while (!(await stored(name, namespace, cluster))) {
      if (Date.now() > deadline) throw new Error(`${cluster}/${namespace}/${name} did not reach the store within 10 s`);
      await wait(2);
    }
    lags.push(Date.now() - at);
    // A little out of step with the collector's and the store's own turns.
    await wait(20 + ((change * 37) % 100));
  }
  await reader.close();
  return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) };
}
