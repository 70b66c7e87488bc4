import { afterEach, expect, it } from 'vitest';
import { memoryStore } from './testing/memory-reader.ts';
import { rawRequest } from './testing/raw-request.ts';
import { type RunningWeb, runningWeb } from './testing/running-web.ts';
import { sampleCluster, sampleNow } from './testing/sample.ts';

let web: RunningWeb;
afterEach(() => web.stop());

it('readiness counts the clusters that are lost, names them to this machine alone, and stays', async () => {
  web = await runningWeb(null, {}, memoryStore(), 'https://plumbline.example.org');
  const ready = (...headers: string[]) => rawRequest(web.origin, '/readyz', headers);
  const named = () => rawRequest(web.ownOrigin, '/readyz', ['Host: localhost']);
  web.store.cluster(sampleCluster('eu-west-3'));
  web.store.cluster(sampleCluster('not on a cluster', { state: 'declared', feeds: [] }));
  await web.advance(500);
  for (const answer of [await ready('Host: localhost'), await named()])
    expect(answer).toMatchObject({ status: 200, body: 'ok\n' });
  web.store.cluster(
    sampleCluster('us-east-1', { state: 'unreachable', since: sampleNow - 1_000, reason: 'connect 10.1.2.3' }),
  );
  await web.advance(500);
  const told = 'ok\n1 cluster not seen:\n  us-east-1: unreachable since 2026-11-21T01:59:59.000Z\n';
  expect(await named()).toMatchObject({ status: 200, body: told });
  for (const headers of [
    ['Host: localhost'],
    ['Host: 10.0.0.7:3000'],
    ['Host: plumbline.example.org'],
    ['Host: localhost', 'X-Forwarded-For: 192.0.2.7'],
  ])
    expect(await ready(...headers)).toMatchObject({ status: 200, body: 'ok\n1 cluster not seen\n' });
  await web.advance(61_000);
  expect((await named()).body).toContain('  eu-west-3: unobserved since ');
});

it('the port of this machine alone says too that the pages are not ready', async () => {
  const store = memoryStore();
  store.vanish();
  web = await runningWeb(null, {}, store);
  const answer = await rawRequest(web.ownOrigin, '/readyz', ['Host: localhost']);
  expect(answer).toMatchObject({ status: 503, body: 'The store is not there yet.\n' });
});
