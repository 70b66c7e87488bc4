import { expect, it } from 'vitest';
import { webMetrics } from './web-metrics.ts';

/** Lines that a scrape gives of what is ours, comments included. */
async function scrape(readable: boolean): Promise<readonly string[]> {
  const metrics = webMetrics({
    objects: () => 7,
    clusters: () => 2,
    storeReadable: () => readable,
    storeBytes: () => 4_096,
    streamClients: () => 3,
    framesSent: () => 11,
    storeReadAt: () => (readable ? 1_500 : null),
    fleet: () => null,
    version: '1.2.3',
    access: () => ({ logins: new Map([['in', 2]]), refusals: new Map([['token-refused', 3]]) }),
  });
  for (const took of [0.005, 0.006, 0.05, 4, 6]) metrics.observe('api', 200, took);
  metrics.observe('api', 404, 0.15);
  metrics.observe('stream', 200, 600);
  const { type, body } = await metrics.render();
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  // The fleet's own are told in scrape.test.ts.
  const others = / ?plumbline_(?:web_(?:process|nodejs)|objects|feeds?|cluster)_?/;
  return body.split('\n').filter((line) => !others.test(line) && line !== '');
}

it('a scrape tells what is held, what was served, and how long that took, streams excepted', async () => {
  const gauge = (name: string, help: string, value: number): string[] => [
    `# HELP plumbline_${name} ${help}`,
    `# TYPE plumbline_${name} gauge`,
    `plumbline_${name} ${value}`,
  ];
  const bucket = (le: string, count: number): string =>
    `plumbline_web_request_seconds_bucket{le="${le}",route="api"} ${count}`;
  expect(await scrape(true)).toEqual([
    ...gauge('web_objects', 'Objects in the fleet cache.', 7),
    ...gauge('web_clusters', 'Clusters in the fleet cache.', 2),
    ...gauge('web_store_readable', '1 while the store is being followed.', 1),
    ...gauge('build_info', 'The version that runs.', 1).map((line) =>
      line.replace('info 1', 'info{version="1.2.3"} 1'),
    ),
    ...gauge('web_store_read_timestamp_seconds', 'When the store was read last to its end.', 1.5),
    ...gauge('store_bytes', 'Size of the store on disk, its write-ahead log included.', 4_096),
    ...gauge('web_stream_clients', 'Open streams.', 3),
    '# HELP plumbline_web_stream_frames_sent_total Frames handed to clients.',
    '# TYPE plumbline_web_stream_frames_sent_total counter',
    'plumbline_web_stream_frames_sent_total 11',
    '# HELP plumbline_web_logins_total Logins by how they ended.',
    '# TYPE plumbline_web_logins_total counter',
    'plumbline_web_logins_total{end="in"} 2',
    '# HELP plumbline_web_refusals_total Requests of which nobody knew who asks, by why.',
    '# TYPE plumbline_web_refusals_total counter',
    'plumbline_web_refusals_total{why="token-refused"} 3',
    '# HELP plumbline_web_requests_total Answered requests.',
    '# TYPE plumbline_web_requests_total counter',
    'plumbline_web_requests_total{route="api",status="200"} 5',
    'plumbline_web_requests_total{route="api",status="404"} 1',
    'plumbline_web_requests_total{route="stream",status="200"} 1',
    '# HELP plumbline_web_request_seconds Time to answer a request, streams excepted.',
    '# TYPE plumbline_web_request_seconds histogram',
    ...[bucket('0.005', 1), bucket('0.02', 2), bucket('0.05', 3), bucket('0.1', 3), bucket('0.2', 4)],
    ...[bucket('0.5', 4), bucket('1', 4), bucket('5', 5), bucket('+Inf', 6)],
    'plumbline_web_request_seconds_sum{route="api"} 10.211',
    'plumbline_web_request_seconds_count{route="api"} 6',
  ]);
});

it('a store that cannot be read is told by a 0', async () => {
  expect(await scrape(false)).toContain('plumbline_web_store_readable 0');
});
