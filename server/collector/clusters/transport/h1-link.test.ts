import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createPace } from './pace/pace.ts';
import { until } from '../testing/until.ts';
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

it.each([
  [
    'comes byte by byte',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1_000)}`,
    'what it sends comes in pieces of a few bytes',
  ],
  [
    'is announced again and again',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(101),
    'it announces an answer, and sends none',
  ],
])('ends an answer that %s', async (_how, said, why) => {
  const nothing = (): void => undefined;
  const server = net.createServer((socket) => {
    socket.on('error', nothing);
    socket.once('data', () => void socket.write(said));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const link = openH1Link({
    origin: new URL(`http://127.0.0.1:${port}`),
    tls: {},
    clock: fakeClock(0),
    tuning: defaultTuning,
    pace: createPace(fakeClock(0)),
    events: { received: nothing, drained: nothing, lost: nothing },
  });
  onTestFinished(() => {
    link.close();
    server.close();
  });
  const ended: (string | null)[] = [];
  link.open({ path: '/', headers: {}, review: null }, 'watch', {
    head: nothing,
    data: nothing,
    end: (lost) => ended.push(lost),
  });
  await until('it to end', () => ended.length > 0);
  expect(ended).toEqual([why]);
});
