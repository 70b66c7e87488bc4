import { lostClusterLines } from '#lib/format/lost-clusters.ts';
import type { Log } from '#server/runtime/log.ts';
import { startLoopbackServer } from '#server/runtime/serving/loopback-server.ts';
import { type PodSettings, startPodServer } from '#server/runtime/serving/pod-server.ts';
import { plainAnswer, type SmallAnswer, type SmallStart } from '#server/runtime/serving/small-server.ts';
import type { Alarms } from './alarms/alarms.ts';
import type { Fleet } from './fleet.ts';
import type { CollectorMetrics } from './metrics.ts';
import type { Recorder } from './recorder/recorder.ts';

interface HealthDeps {
  /** Port of loopback; 0 takes any free one, null serves nothing there. */
  readonly port: number | null;
  /** For the cluster that the collector runs on; null where it has no container of its own. */
  readonly pod: PodSettings | null;
  readonly log: Log;
  readonly fleet: Pick<Fleet, 'clusters' | 'notSeen'>;
  readonly recorder: Pick<Recorder, 'state' | 'pending'>;
  readonly metrics: CollectorMetrics;
  /** Absent where no alarms are read. */
  readonly alarms?: Pick<Alarms, 'ages'>;
}

/** Where health and metrics are served (null where not), or why they cannot be. */
export type HealthStart =
  | { readonly type: 'started'; readonly port: number | null; readonly podPort: number | null; stop(): Promise<void> }
  | { readonly type: 'refused'; readonly port: number; readonly message: string };

/**
 * Serves the collector's health and metrics: /healthz, /readyz and /metrics to this machine, and to the cluster that it runs on what
 * `startPodServer` says.
 */
export async function startHealth({ port, pod, log, ...parts }: HealthDeps): Promise<HealthStart> {
  const { notReady, ready, scrape } = answersOf(parts);
  const own =
    port === null
      ? null
      : await startLoopbackServer({
          port,
          log,
          answers: new Map<string, () => SmallAnswer | Promise<SmallAnswer>>([
            ['/healthz', () => plainAnswer(200, 'ok\n')],
            ['/readyz', ready],
            ['/metrics', async () => ({ status: 200, ...(await scrape()) })],
          ]),
        });
  if (own?.type === 'refused') return { ...own, port: port ?? 0 };
  const toCluster = pod === null ? null : await startPodServer({ ...pod, log, notReady, metrics: scrape });
  const stopOwn = async (started: SmallStart | null): Promise<void> => {
    if (started?.type === 'started') await started.stop();
  };
  if (toCluster?.type === 'refused') {
    await stopOwn(own);
    return { ...toCluster, port: pod?.port ?? 0 };
  }
  return {
    type: 'started',
    port: own?.port ?? null,
    podPort: toCluster?.port ?? null,
    stop: async () => void (await Promise.all([stopOwn(own), stopOwn(toCluster)])),
  };
}

/** Makes what the collector says of itself. */
function answersOf({ fleet, recorder, metrics, alarms }: Omit<HealthDeps, 'port' | 'pod' | 'log'>) {
  function notReady(): string | null {
    const state = recorder.state();
    return state.type === 'writing' ? null : `the store refuses what is written: ${state.refusal.type}`;
  }

  function ready(): SmallAnswer {
    const reason = notReady();
    // A cluster that is lost is no fault of this process: whoever restarts it by this answer would only lose the others.
    return reason === null
      ? plainAnswer(200, `${['ok', ...lostClusterLines(fleet.notSeen())].join('\n')}\n`)
      : plainAnswer(503, `${reason}\n`);
  }

  async function scrape(): Promise<{ readonly type: string; readonly body: string }> {
    const clusters = fleet.clusters();
    metrics.observe({
      clusters: clusters.length,
      clocks: clusters,
      running: clusters.filter((cluster) => cluster.running).length,
      pendingRows: recorder.pending().rows,
      pendingSince: recorder.pending().since,
      blocked: recorder.state().type === 'blocked',
      alarms: alarms?.ages() ?? [],
    });
    return { type: metrics.contentType, body: await metrics.text() };
  }

  return { notReady, ready, scrape };
}
