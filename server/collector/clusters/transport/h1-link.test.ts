import http from 'node:http';
import https from 'node:https';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createPace } from './pace/pace.ts';
import { defaultTuning } from '../tuning.ts';
import { openH1Link } from './h1-link.ts';
import type { LinkRequest } from './link.ts';

afterEach(() => vi.restoreAllMocks());

/** With what one request goes out to an origin; nothing listens there. */
function sent(origin: string, request: Partial<LinkRequest> = {}): unknown {
  const nothing = (): void => undefined;
  const spies = [vi.spyOn(http, 'request'), vi.spyOn(https, 'request')];
  const link = openH1Link({
    origin: new URL(origin),
    tls: {},
    clock: fakeClock(0),
    tuning: defaultTuning,
    pace: createPace(fakeClock(0)),
    events: { received: nothing, drained: nothing, lost: nothing },
  });
  const exchange = { head: nothing, data: nothing, end: nothing };
  link.open({ path: '/api/v1/nodes', headers: {}, review: null, ...request }, 'get', exchange);
  link.close();
  return spies.flatMap(({ mock }) => mock.calls)[0]?.[0];
}

describe('a request over HTTP/1.1', () => {
  it.each([
    ['http://127.0.0.1', '127.0.0.1', 80],
    ['https://127.0.0.1', '127.0.0.1', 443],
    ['http://127.0.0.1:1', '127.0.0.1', '1'],
    ['https://[::1]:1', '::1', '1'],
  ])('to %s goes to %s, port %s', (origin, host, port) => {
    expect(sent(origin)).toMatchObject({ host, port });
  });

  it('only reads', () => {
    const headers = { accept: 'application/json', 'x-two': ['a', 'b'] };
    const path = '/api/v1/nodes';
    expect(sent('http://127.0.0.1:1', { headers })).toMatchObject({ method: 'GET', path, headers });
  });

  it('asks for a review by POST, as long as its bytes', () => {
    expect(sent('http://127.0.0.1:1', { review: '{"ü":1}' })).toMatchObject({
      method: 'POST',
      headers: { 'content-length': 8 },
    });
  });
});

it.each([
  ['ECONNREFUSED', true],
  ['EHOSTUNREACH', true],
  ['ENETUNREACH', true],
  ['ENOTFOUND', true],
  ['ETIMEDOUT', true],
  ['ECONNRESET', false],
])('a request that ends with %s before any answer loses the whole link: %s', (code, loses) => {
  const spy = vi.spyOn(http, 'request');
  const lost = vi.fn<(reason: string) => void>();
  const ended = vi.fn<(lost: string | null) => void>();
  const nothing = (): void => undefined;
  const link = openH1Link({
    origin: new URL('http://127.0.0.1:1'),
    tls: {},
    clock: fakeClock(0),
    tuning: defaultTuning,
    pace: createPace(fakeClock(0)),
    events: { received: nothing, drained: nothing, lost },
  });
  link.open({ path: '/', headers: {}, review: null }, 'get', { head: nothing, data: nothing, end: ended });
  spy.mock.results[0]?.value.emit('error', Object.assign(new Error(`connect ${code}`), { code }));
  spy.mock.results[0]?.value.emit('close');
  expect(ended).toHaveBeenCalledExactlyOnceWith(`connect ${code}`);
  expect(lost.mock.calls).toEqual(loses ? [[`connect ${code}`]] : []);
  link.close();
});

it('ends a request that cannot be made, and goes on', async () => {
  const nothing = (): void => undefined;
  const link = openH1Link({
    origin: new URL('http://127.0.0.1:1'),
    tls: {},
    clock: fakeClock(0),
    tuning: defaultTuning,
    pace: createPace(fakeClock(0)),
    events: { received: nothing, drained: nothing, lost: nothing },
  });
  const ended: (string | null)[] = [];
  const exchange = { head: nothing, data: nothing, end: (lost: string | null) => void ended.push(lost) };
  const asked = { path: '/apis/a b/v1', headers: {}, review: null };
  link.open(asked, 'watch', exchange);
  const cancel = link.open(asked, 'get', exchange);
  cancel();
  await Promise.resolve();
  expect(ended).toEqual([expect.stringContaining('unescaped characters')]);
  expect(link.room('watch')).toBe(true);
  link.close();
});
