// The least that any program must do: node test/bench/measure/ceiling.ts PLAN reads every kind of every cluster as a watch-list
// over HTTP/2, parses each line, and does nothing with it.
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { lineSplitter } from '#server/collector/clusters/transport/bytes/line-splitter.ts';
import { CeilingPlan, type CeilingResult } from '../fleet-protocol.ts';

const query =
  'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=600';
const atOnce = 24;
let objects = 0;
let bytes = 0;

function readKind(session: ReturnType<typeof connect>, path: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': `${path}?${query}`, authorization: `Bearer ${token}` });
    const split = lineSplitter((line) => {
      const event: unknown = JSON.parse(line);
      if (typeof event !== 'object' || event === null || !('type' in event)) return;
      if (event.type === 'ADDED') objects += 1;
      else stream.close();
    });
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      split(chunk);
    });
    stream.once('close', resolve);
    stream.once('error', reject);
  });
}

async function readCluster({ url, token, paths }: CeilingPlan['clusters'][number], ca: string): Promise<void> {
  const session = connect(url, { ca, settings: { initialWindowSize: 256 * 1024, enablePush: false } });
  session.once('connect', () => session.setLocalWindowSize(2 * 1024 * 1024));
  await Promise.all(paths.map((path) => readKind(session, path, token)));
  session.destroy();
}

const plan = CeilingPlan.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const since = performance.now();
const before = process.cpuUsage();
const waiting = [...plan.clusters];
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let cluster = waiting.shift(); cluster; cluster = waiting.shift()) await readCluster(cluster, plan.ca);
  }),
);
const { user, system } = process.cpuUsage(before);
const result: CeilingResult = {
  type: 'ceiling',
  objects,
  bytes,
  seconds: (performance.now() - since) / 1000,
  cpu: (user + system) / 1e6,
  mostResident: process.resourceUsage().maxRSS * 1024,
};
if (process.send) process.send(result, () => process.disconnect?.());
else process.stdout.write(`${JSON.stringify(result)}\n`);
