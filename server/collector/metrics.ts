import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CommitSample } from './recorder/recorder.ts';

/** The collector's own metrics, in Prometheus' text form. */
export interface CollectorMetrics {
  committed(sample: CommitSample): void;
  /** Sets what is read at the time of a scrape. */
  observe(now: {
    readonly clusters: number;
    readonly running: number;
    readonly pendingRows: number;
    readonly blocked: boolean;
  }): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Makes the registry of one collector process. */
export function createCollectorMetrics(): CollectorMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'plumbline_collector_' });
  const commits = new Histogram({
    name: 'plumbline_store_commit_seconds',
    help: 'Duration of a commit to the store.',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1],
    registers,
  });
  const rows = new Counter({ name: 'plumbline_store_rows_total', help: 'Rows written to the store.', registers });
  const clusters = new Gauge({ name: 'plumbline_clusters', help: 'Clusters that are configured.', registers });
  const running = new Gauge({
    name: 'plumbline_clusters_running',
    help: 'Clusters that are read by this collector.',
    registers,
  });
  const pending = new Gauge({ name: 'plumbline_store_pending_rows', help: 'Rows that wait for the store.', registers });
  const blocked = new Gauge({
    name: 'plumbline_store_blocked',
    help: '1 while the store refuses what is written.',
    registers,
  });
  return {
    committed(sample) {
      commits.observe(sample.duration / 1000);
      rows.inc(sample.rows);
    },
    observe(now) {
      clusters.set(now.clusters);
      running.set(now.running);
      pending.set(now.pendingRows);
      blocked.set(now.blocked ? 1 : 0);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
