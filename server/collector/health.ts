import { createServer, type ServerResponse } from 'node:http';
import type { Log } from '#server/runtime/log.ts';
import type { Fleet } from './fleet.ts';
import type { CollectorMetrics } from './metrics.ts';
import type { Recorder } from './recorder/recorder.ts';

interface HealthDeps {
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  readonly fleet: Pick<Fleet, 'clusters'>;
  readonly recorder: Pick<Recorder, 'state' | 'pending'>;
  readonly metrics: CollectorMetrics;
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

/** Serves the collector's health and metrics, on loopback only: /healthz, /readyz, /metrics. */
export async function startHealth(deps: HealthDeps): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const { port, log, fleet, recorder, metrics } = deps;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'text/plain', 'only GET\n');
    switch (request.url) {
      case '/healthz':
        return answer(response, 200, 'text/plain', 'ok\n');
      case '/readyz': {
        const state = recorder.state();
        return state.type === 'writing'
          ? answer(response, 200, 'text/plain', 'ok\n')
          : answer(response, 503, 'text/plain', `the store refuses what is written: ${state.refusal.type}\n`);
      }
      case '/metrics': {
        const clusters = fleet.clusters();
        metrics.observe({
          clusters: clusters.length,
          clocks: clusters,
          running: clusters.filter((cluster) => cluster.running).length,
          pendingRows: recorder.pending().rows,
          blocked: recorder.state().type === 'blocked',
        });
        metrics.text().then(
          (text) => answer(response, 200, metrics.contentType, text),
          (error: unknown) => {
            log.error({ err: error }, 'metrics could not be written');
            answer(response, 500, 'text/plain', 'metrics could not be written\n');
          },
        );
        return;
      }
      default:
        return answer(response, 404, 'text/plain', 'not found\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
