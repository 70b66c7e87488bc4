import { expect, it } from 'vitest';
import { readyUrl } from './ready-url.ts';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['localhost', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080'],
  ['::', 'http://[::]:8080'],
])('on %s it is reached at %s', (host, url) => {
  expect(readyUrl(host, 8080)).toBe(url);
});
