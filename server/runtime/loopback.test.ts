import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example.org', false],
  ['', false],
])('loopback %j is %s', (host, loopback) => {
  expect(isLoopback(host)).toBe(loopback);
});
