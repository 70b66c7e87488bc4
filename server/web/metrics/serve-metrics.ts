import { lostClusterLines } from '#lib/format/lost-clusters.ts';
import type { Log } from '#server/runtime/log.ts';
import { startLoopbackServer } from '#server/runtime/serving/loopback-server.ts';
import { plainAnswer, type SmallAnswer, type SmallStart } from '#server/runtime/serving/small-server.ts';
import type { WebMetrics } from './web-metrics.ts';

/** A cluster with its state and since when it has it (ms since the epoch). */
export interface ClusterAsNamed {
  readonly name: string;
  readonly state: string;
  readonly since: number;
}

interface ServeMetricsDeps {
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  readonly metrics: WebMetrics;
  /** Why this process should get no traffic; null where it should. */
  readonly notReady: () => string | null;
  /** Clusters that are not seen, by name. */
  readonly notSeen: () => readonly ClusterAsNamed[];
}

/**
 * Serves the figures of the pages' process, on loopback only and on a port of their own, for they name clusters and kinds: /metrics, and
 * /readyz with the clusters that are lost.
 */
export function serveMetrics({ port, log, metrics, notReady, notSeen }: ServeMetricsDeps): Promise<SmallStart> {
  function ready(): SmallAnswer {
    const message = notReady();
    return message === null
      ? plainAnswer(200, `${['ok', ...lostClusterLines(notSeen())].join('\n')}\n`)
      : plainAnswer(503, `${message}\n`);
  }

  async function scrape(): Promise<SmallAnswer> {
    const { type, body } = await metrics.render();
    return { status: 200, type, body };
  }

  return startLoopbackServer({
    port,
    log,
    answers: new Map<string, () => SmallAnswer | Promise<SmallAnswer>>([
      ['/readyz', ready],
      ['/metrics', scrape],
    ]),
  });
}
