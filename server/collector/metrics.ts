import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ProgramAge } from './alarms/alarms.ts';
import type { CommitSample } from './recorder/commit-loop.ts';

/** The collector's own metrics, in Prometheus' text form. */
export type CollectorMetrics = ReturnType<typeof createCollectorMetrics>;

/** Makes the registry of one collector process. */
export function createCollectorMetrics() {
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
  const gauge = (name: string, help: string): Gauge => new Gauge({ name: `plumbline_${name}`, help, registers });
  const clusters = gauge('clusters', 'Clusters that are configured.');
  const running = gauge('clusters_running', 'Clusters that are read by this collector.');
  const pending = gauge('store_pending_rows', 'Rows that wait for the store.');
  const waiting = new Gauge({
    name: 'plumbline_store_pending_oldest_timestamp_seconds',
    help: 'When the oldest row came that waits for the store; no series where none waits.',
    registers,
  });
  const blocked = gauge('store_blocked', '1 while the store refuses what is written.');
  const clocks = new Gauge({
    name: 'plumbline_cluster_clock_ahead_seconds',
    help: "How far the clock of a cluster's API server is ahead of the collector's, by the Date of its answers.",
    labelNames: ['cluster'],
    registers,
  });
  const alarmGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['source', 'program', 'url'], registers });
  const alarmsLive = alarmGauge(
    'plumbline_alarm_source_live',
    '1 for a program of an alarm source that can be read, 0 for one that cannot.',
  );
  const alarmsRead = alarmGauge(
    'plumbline_alarm_source_read_timestamp_seconds',
    'When the last whole reading of a program of an alarm source began; no series where there was none.',
  );
  return {
    committed(sample: CommitSample): void {
      commits.observe(sample.duration / 1000);
      rows.inc(sample.rows);
    },
    /** Sets what is read at the time of a scrape. */
    observe(now: {
      readonly clusters: number;
      readonly clocks: readonly { readonly name: string; readonly clockAhead: number | null }[];
      readonly running: number;
      readonly pendingRows: number;
      /** When the oldest of them came (ms since the epoch); null where none waits. */
      readonly pendingSince: number | null;
      readonly blocked: boolean;
      readonly alarms: readonly ProgramAge[];
    }): void {
      alarmsLive.reset();
      alarmsRead.reset();
      for (const { source, program, url, readAt, isLive } of now.alarms) {
        alarmsLive.set({ source, program, url }, Number(isLive));
        if (readAt !== null) alarmsRead.set({ source, program, url }, readAt / 1000);
      }
      clocks.reset();
      for (const { name, clockAhead } of now.clocks)
        if (clockAhead !== null) clocks.set({ cluster: name }, clockAhead / 1000);
      clusters.set(now.clusters);
      running.set(now.running);
      pending.set(now.pendingRows);
      if (now.pendingSince === null) waiting.remove();
      else waiting.set(now.pendingSince / 1000);
      blocked.set(now.blocked ? 1 : 0);
    },
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  };
}
