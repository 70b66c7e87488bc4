import { anybody } from '#lib/domain/access/viewer.ts';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment, samplePresent } from '../testing/moment.ts';
import { answerApi } from './answer-api.ts';

it('a stream too many is refused, and may be asked for again in a minute', async () => {
  const present = samplePresent(sampleMoment(createFleetCache()), { streams: { connect: () => false } });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const past = () => Promise.resolve({ type: 'unreadable' as const });
    void answerApi({ present, past, viewer: anybody, origin: 'http://x', url, request, response });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/stream?topic=summary`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(await response.json()).toMatchObject({ type: '/problems/too-many-streams' });
});
