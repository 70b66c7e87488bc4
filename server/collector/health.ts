import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { lostClusterLines } from '#lib/format/lost-clusters.ts';
import { isLoopback } from '#server/config/process-settings.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Fleet } from './fleet.ts';
import type { CollectorMetrics } from './metrics.ts';
import type { Recorder } from './recorder/recorder.ts';

interface HealthDeps {
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  readonly fleet: Pick<Fleet, 'clusters' | 'notSeen'>;
  readonly recorder: Pick<Recorder, 'state' | 'pending'>;
  readonly metrics: CollectorMetrics;
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

/** The running server of health and metrics, or why there is none: the port is taken, or may not be bound. */
export type HealthStart =
  | { readonly type: 'started'; readonly port: number; stop(): Promise<void> }
  | { readonly type: 'refused'; readonly message: string };

/** True where a request names this machine by one of its own names, once. */
function isOwnHost({ headersDistinct }: IncomingMessage): boolean {
  const [host = '', ...others] = headersDistinct.host ?? [];
  const [, bracketed, plain] =
    /^(?:\[([\da-f:]{2,39})\]|([a-z\d.-]{1,253}))(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  return others.length === 0 && isLoopback(bracketed ?? plain ?? '');
}

/** Serves the collector's health and metrics, on loopback only: /healthz, /readyz, /metrics. */
export async function startHealth(deps: HealthDeps): Promise<HealthStart> {
  const { port, log, fleet, recorder, metrics } = deps;
  const server = createServer((request, response) => {
    // A page under a name that somebody points to this machine reads nothing.
    if (!isOwnHost(request)) return answer(response, 421, 'text/plain', 'not served under this host\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'text/plain', 'only GET\n');
    switch (request.url) {
      case '/healthz':
        return answer(response, 200, 'text/plain', 'ok\n');
      case '/readyz': {
        const state = recorder.state();
        // A cluster that is lost is no fault of this process: whoever restarts it by this answer would only lose the others.
        return state.type === 'writing'
          ? answer(response, 200, 'text/plain', `${['ok', ...lostClusterLines(fleet.notSeen())].join('\n')}\n`)
          : answer(response, 503, 'text/plain', `the store refuses what is written: ${state.refusal.type}\n`);
      }
      case '/metrics': {
        const clusters = fleet.clusters();
        metrics.observe({
          clusters: clusters.length,
          clocks: clusters,
          running: clusters.filter((cluster) => cluster.running).length,
          pendingRows: recorder.pending().rows,
          pendingSince: recorder.pending().since,
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
  const refusal = await new Promise<Error | null>((resolve) => {
    server.once('error', resolve);
    server.listen(port, '127.0.0.1', () => resolve(null));
  });
  if (refusal !== null) return { type: 'refused', message: refusal.message };
  const address = server.address();
  return {
    type: 'started',
    port: address !== null && typeof address === 'object' ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
