import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { second } from '#lib/domain/time/length.ts';
import type { ClusterFigures } from './fleet-figures.ts';
import { fleetGauges } from './fleet-gauges.ts';

/** Sources of the metrics at scrape time. */
export interface MetricsSources {
  readonly objects: () => number;
  readonly clusters: () => number;
  readonly storeReadable: () => boolean;
  /** When the store was read last to its end (ms since the epoch); null where it never was. */
  readonly storeReadAt: () => number | null;
  readonly storeBytes: () => number;
  readonly streamClients: () => number;
  readonly framesSent: () => number;
  /** The fleet as it may be told now; null before the store was read once. */
  readonly fleet: () => readonly ClusterFigures[] | null;
  readonly version: string;
  /** Logins by how they ended, and refusals by why; without a word on who. */
  readonly access: () => {
    readonly logins: ReadonlyMap<string, number>;
    readonly refusals: ReadonlyMap<string, number>;
  };
}

/** Metrics of the web process. */
export interface WebMetrics {
  /** One answered request; `seconds` until its headers and body were handed over. */
  observe(route: string, status: number, seconds: number): void;
  /** The exposition and its content type. */
  render(): Promise<{ readonly type: string; readonly body: string }>;
}

/** Makes the metrics in a registry of their own. */
export function webMetrics(sources: MetricsSources): WebMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'plumbline_web_' });
  function gauge(name: string, help: string, read: () => number): void {
    const collect = (): void => made.set(read());
    const made = new Gauge({ name, help, registers, collect });
  }
  gauge('plumbline_web_objects', 'Objects in the fleet cache.', sources.objects);
  gauge('plumbline_web_clusters', 'Clusters in the fleet cache.', sources.clusters);
  gauge('plumbline_web_store_readable', '1 while the store is being followed.', () =>
    sources.storeReadable() ? 1 : 0,
  );
  const build = new Gauge({
    name: 'plumbline_build_info',
    help: 'The version that runs.',
    labelNames: ['version'],
    registers,
  });
  build.set({ version: sources.version }, 1);
  const setFleet = fleetGauges(registry);
  new Gauge({
    name: 'plumbline_web_store_read_timestamp_seconds',
    help: 'When the store was read last to its end.',
    registers,
    collect() {
      const at = sources.storeReadAt();
      // A gauge without a value would tell 1970.
      if (at === null) this.remove();
      else this.set(at / second);
    },
  });
  gauge('plumbline_store_bytes', 'Size of the store on disk, its write-ahead log included.', sources.storeBytes);
  gauge('plumbline_web_stream_clients', 'Open streams.', sources.streamClients);
  new Counter({
    name: 'plumbline_web_stream_frames_sent_total',
    help: 'Frames handed to clients.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.framesSent());
    },
  });
  countsOf(registry, 'plumbline_web_logins_total', 'Logins by how they ended.', 'end', () => sources.access().logins);
  countsOf(
    registry,
    'plumbline_web_refusals_total',
    'Requests of which nobody knew who asks, by why.',
    'why',
    () => sources.access().refusals,
  );
  const requests = new Counter({
    name: 'plumbline_web_requests_total',
    help: 'Answered requests.',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'plumbline_web_request_seconds',
    help: 'Time to answer a request, streams excepted.',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers,
  });
  return {
    observe(route, status, took) {
      requests.inc({ route, status: String(status) });
      if (route !== 'stream') seconds.observe({ route }, took);
    },
    async render() {
      setFleet(sources.fleet() ?? []);
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}

/** A counter of what is counted elsewhere, by one label. */
function countsOf(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => ReadonlyMap<string, number>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of read()) this.inc({ [label]: value }, count);
    },
  });
}
