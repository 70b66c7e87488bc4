import type { Log } from '#server/runtime/log.ts';
import { type PodSettings, startPodServer } from '#server/runtime/serving/pod-server.ts';
import { type ClusterAsNamed, serveMetrics } from './serve-metrics.ts';
import type { WebMetrics } from './web-metrics.ts';

interface BesideDeps {
  /** Port of loopback for the metrics; 0 for any free one, null for none. */
  readonly metricsPort: number | null;
  /** For the cluster that the pages run on; null where they have no container of their own. */
  readonly pod: PodSettings | null;
  readonly log: Log;
  readonly metrics: WebMetrics;
  /** Why this process should get no traffic; null where it should. */
  readonly notReady: () => string | null;
  /** Clusters that are not seen, by name. */
  readonly notSeen: () => readonly ClusterAsNamed[];
}

/** The ports that are served beside the pages (null where one is not), or why one cannot be. */
export type BesideStart =
  | {
      readonly type: 'started';
      readonly metricsPort: number | null;
      readonly podPort: number | null;
      stop(): Promise<void>;
    }
  | { readonly type: 'refused'; readonly message: string };

/** Serves what programs ask of the pages' process: this machine its metrics, and the cluster that it runs on what `startPodServer` says. */
export async function serveBeside({
  metricsPort,
  pod,
  log,
  metrics,
  notReady,
  notSeen,
}: BesideDeps): Promise<BesideStart> {
  const own = metricsPort === null ? null : await serveMetrics({ port: metricsPort, log, metrics, notReady, notSeen });
  if (own?.type === 'refused')
    return { type: 'refused', message: `cannot serve metrics on ${metricsPort}: ${own.message}` };
  const toCluster =
    pod === null ? null : await startPodServer({ ...pod, log, notReady, metrics: () => metrics.render() });
  if (toCluster?.type === 'refused') {
    await own?.stop();
    return { type: 'refused', message: `cannot answer the cluster on ${pod?.port}: ${toCluster.message}` };
  }
  return {
    type: 'started',
    metricsPort: own?.port ?? null,
    podPort: toCluster?.port ?? null,
    stop: async () => void (await Promise.all([own?.stop(), toCluster?.stop()])),
  };
}
