import { get } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import type { ClusterStanding } from './cluster-standings.ts';
import { startHealth } from './health.ts';
import { createCollectorMetrics, type CollectorMetrics } from './metrics.ts';
import type { RecorderState } from './recorder/store-state.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A collector of three clusters, one of which it does not read, with 7 rows waiting and two commits behind it. */
async function collector(
  state: RecorderState = { type: 'writing' },
  port = 0,
  change: Partial<CollectorMetrics> = {},
  notSeen: readonly ClusterStanding[] = [],
) {
  const metrics = { ...createCollectorMetrics(), ...change };
  metrics.committed({ duration: 4, rows: 10, batches: 2 });
  metrics.committed({ duration: 300, rows: 5, batches: 1 });
  const cluster = (name: string, running: boolean, clockAhead: number | null) => ({ name, running, clockAhead });
  const health = await startHealth({
    port,
    pod: null,
    log: silentLog,
    fleet: {
      notSeen: () => notSeen,
      clusters: () => [cluster('eu', true, 2_500), cluster('us', true, null), cluster('old', false, -1_000)],
    },
    recorder: { state: () => state, pending: () => ({ batches: 1, rows: 7, since: 0 }) },
    metrics,
  });
  if (health.type === 'refused') throw new Error(health.message);
  stops.push(health.stop);
  return (path: string, method = 'GET') => fetch(`http://127.0.0.1:${health.port}${path}`, { method });
}

const blocked: RecorderState = {
  type: 'blocked',
  refusal: { type: 'full', message: 'no space' },
  since: 0,
  attempts: 1,
};

it.each([
  ['/healthz', 'GET', 200, 'ok\n'],
  ['/healthz', 'HEAD', 200, ''],
  ['/healthz', 'POST', 405, 'only GET\n'],
  ['/readyz', 'GET', 200, 'ok\n'],
  ['/', 'GET', 404, 'not found\n'],
])('%s by %s answers %i', async (path, method, status, text) => {
  const response = await (await collector())(path, method);
  expect([response.status, await response.text()]).toEqual([status, text]);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

it('is ready where clusters are lost, and names them', async () => {
  const lost = { name: 'old', state: 'unauthorized', since: Date.UTC(2026, 10, 21, 2), reason: 'expired' } as const;
  const ready = await (await collector(undefined, 0, {}, [lost]))('/readyz');
  const lines = 'ok\n1 cluster not seen:\n  old: unauthorized since 2026-11-21T02:00:00.000Z\n';
  expect([ready.status, await ready.text()]).toEqual([200, lines]);
});

it.each([
  ['127.0.0.1:9464', 200],
  ['localhost', 200],
  ['[::1]:9464', 200],
  ['evil.example', 421],
  ['127.0.0.1.evil.example:9464', 421],
  ['10.0.0.7', 421],
  ['', 421],
])('answers a page under the name %j by %i, though it may point here', async (host, status) => {
  const { url } = await (await collector())('/healthz');
  for (const path of ['/metrics', '/readyz', '/healthz']) {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    get(new URL(path, url), { headers: { host }, setHost: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    expect(await promise).toBe(status);
  }
});

it('is alive but not ready while the store refuses what is written', async () => {
  const ask = await collector(blocked);
  expect((await ask('/healthz')).status).toBe(200);
  const ready = await ask('/readyz');
  expect([ready.status, await ready.text()]).toEqual([503, 'the store refuses what is written: full\n']);
  expect(ready.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await (await ask('/metrics')).text()).toMatch(/^plumbline_store_blocked 1$/m);
});

it('has these metrics', async () => {
  const response = await (await collector())('/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n');
  const own = lines.filter((line) => /plumbline_(?!collector_)/.test(line));
  expect(lines.some((line) => line.startsWith('plumbline_collector_process_cpu_seconds_total '))).toBe(true);
  expect(own.join('\n')).toMatchInlineSnapshot(`
    "# HELP plumbline_store_commit_seconds Duration of a commit to the store.
    # TYPE plumbline_store_commit_seconds histogram
    plumbline_store_commit_seconds_bucket{le="0.002"} 0
    plumbline_store_commit_seconds_bucket{le="0.005"} 1
    plumbline_store_commit_seconds_bucket{le="0.01"} 1
    plumbline_store_commit_seconds_bucket{le="0.02"} 1
    plumbline_store_commit_seconds_bucket{le="0.05"} 1
    plumbline_store_commit_seconds_bucket{le="0.1"} 1
    plumbline_store_commit_seconds_bucket{le="0.25"} 1
    plumbline_store_commit_seconds_bucket{le="1"} 2
    plumbline_store_commit_seconds_bucket{le="+Inf"} 2
    plumbline_store_commit_seconds_sum 0.304
    plumbline_store_commit_seconds_count 2
    # HELP plumbline_store_rows_total Rows written to the store.
    # TYPE plumbline_store_rows_total counter
    plumbline_store_rows_total 15
    # HELP plumbline_clusters Clusters that are configured.
    # TYPE plumbline_clusters gauge
    plumbline_clusters 3
    # HELP plumbline_clusters_running Clusters that are read by this collector.
    # TYPE plumbline_clusters_running gauge
    plumbline_clusters_running 2
    # HELP plumbline_store_pending_rows Rows that wait for the store.
    # TYPE plumbline_store_pending_rows gauge
    plumbline_store_pending_rows 7
    # HELP plumbline_store_pending_oldest_timestamp_seconds When the oldest row came that waits for the store; no series where none waits.
    # TYPE plumbline_store_pending_oldest_timestamp_seconds gauge
    plumbline_store_pending_oldest_timestamp_seconds 0
    # HELP plumbline_store_blocked 1 while the store refuses what is written.
    # TYPE plumbline_store_blocked gauge
    plumbline_store_blocked 0
    # HELP plumbline_cluster_clock_ahead_seconds How far the clock of a cluster's API server is ahead of the collector's, by the Date of its answers.
    # TYPE plumbline_cluster_clock_ahead_seconds gauge
    plumbline_cluster_clock_ahead_seconds{cluster="eu"} 2.5
    plumbline_cluster_clock_ahead_seconds{cluster="old"} -1
    # HELP plumbline_alarm_source_live 1 for a program of an alarm source that can be read, 0 for one that cannot.
    # TYPE plumbline_alarm_source_live gauge
    # HELP plumbline_alarm_source_read_timestamp_seconds When the last whole reading of a program of an alarm source began; no series where there was none.
    # TYPE plumbline_alarm_source_read_timestamp_seconds gauge"
  `);
});

it('answers 500 where the metrics cannot be written', async () => {
  const ask = await collector(undefined, 0, { text: () => Promise.reject(new Error('no')) });
  const response = await ask('/metrics');
  expect([response.status, await response.text()]).toEqual([500, 'this could not be answered\n']);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

it('does not start on a port that is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await expect(collector(undefined, port)).rejects.toThrow('EADDRINUSE');
  taken.close();
});
