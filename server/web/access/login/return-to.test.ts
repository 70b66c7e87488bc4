import { expect, it } from 'vitest';
import { returnTo } from './return-to.ts';

it.each([
  '/',
  '/objects?q=a%2Fb&label=x',
  '/clusters/eu@1:x/-/ConfigMap/kube-system/a%20b',
  '/access',
  '/?at=2026-11-21T02:12:20Z',
])('%s is a page of ours', (path) => expect(returnTo(path)).toBe(path));

it.each([
  null,
  '',
  'objects',
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/x\\y',
  '/%5C%5Cevil.example',
  '/%2F%2Fevil.example',
  '/.//evil.example',
  '/../x',
  '/%2e%2e/x',
  '/x#y',
  '/x\ty',
  '/x\r\nSet-Cookie: a=b',
  '/x\u0000',
  '/x\u202e',
  '/x?y=\u0141',
  '/x?y=%E2%80%AE',
  'javascript:alert(1)',
  '/access/logout?word=x',
  '/access/login',
  '/api/v1/clusters',
  '/api?x',
  '/embed/fleet',
  '/badge/fleet.svg',
  '/_next/static/x.js',
  '/healthz',
  `/${'x'.repeat(600)}`,
])('%j leads to the first page', (path) => expect(returnTo(path)).toBe('/'));
