import { lostClusterLines } from '#lib/format/lost-clusters.ts';
import type { Log } from '#server/runtime/log.ts';
import {
  type LoopbackAnswer,
  type LoopbackStart,
  plainAnswer,
  startLoopbackServer,
} from '#server/runtime/loopback-server.ts';
import type { Alarms } from './alarms/alarms.ts';
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
  /** Absent where no alarms are read. */
  readonly alarms?: Pick<Alarms, 'ages'>;
}

/** Serves the collector's health and metrics, on loopback only: /healthz, /readyz, /metrics. */
export function startHealth({ port, log, fleet, recorder, metrics, alarms }: HealthDeps): Promise<LoopbackStart> {
  function ready(): LoopbackAnswer {
    const state = recorder.state();
    // A cluster that is lost is no fault of this process: whoever restarts it by this answer would only lose the others.
    return state.type === 'writing'
      ? plainAnswer(200, `${['ok', ...lostClusterLines(fleet.notSeen())].join('\n')}\n`)
      : plainAnswer(503, `the store refuses what is written: ${state.refusal.type}\n`);
  }

  async function scrape(): Promise<LoopbackAnswer> {
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
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  }

  return startLoopbackServer({
    port,
    log,
    answers: new Map<string, () => LoopbackAnswer | Promise<LoopbackAnswer>>([
      ['/healthz', () => plainAnswer(200, 'ok\n')],
      ['/readyz', ready],
      ['/metrics', scrape],
    ]),
  });
}
