import { describe, expect, it } from 'vitest';
import { failureOfStatus, hasStatus } from './answer.ts';

describe('a failure by its HTTP status', () => {
  it.each([
    [401, { type: 'unauthorized', message: 'no' }],
    [403, { type: 'forbidden', message: 'no' }],
    [429, { type: 'throttled', message: 'no' }],
    [400, { type: 'server', status: 400, message: 'no' }],
    [404, { type: 'server', status: 404, message: 'no' }],
    [500, { type: 'server', status: 500, message: 'no' }],
  ] as const)('%i', (status, fault) => {
    expect(failureOfStatus(status, '{"message":"no"}', null, 0)).toEqual({ type: 'fault', fault, retryAfter: null });
    expect([status, status + 1].map((other) => hasStatus(fault, other))).toEqual([fault.type === 'server', false]);
  });

  it.each([
    ['{"message":"of a Status"}', 'of a Status'],
    ['{"kind":"Status"}', '{"kind":"Status"}'],
    ['<html>', '<html>'],
    ['', 'HTTP 500'],
  ])('says of %j: %s', (body, message) => {
    expect(failureOfStatus(500, body, null, 0).fault.message).toBe(message);
  });

  it.each([
    ['3', 3_000],
    ['0.5', 500],
    ['-1', 0],
    ['300', 300_000],
    ['99999999999999', 300_000],
    ['Sat, 21 Nov 2099 08:00:05 GMT', 300_000],
    ['Sat, 21 Nov 2026 08:00:05 GMT', 5_000],
    ['Sat, 21 Nov 2026 07:59:59 GMT', 0],
    ['soon', null],
    [null, null],
  ])('that asks for %s waits for %s ms', (text, retryAfter) => {
    expect(failureOfStatus(503, '', text, Date.UTC(2026, 10, 21, 8)).retryAfter).toBe(retryAfter);
  });
});
