// Nothing of the fleet is answered to who is not known: every path of the API and every page is asked, a new one by itself.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiDocument } from '#server/web/endpoints/answer-api.ts';
import { rawRequest } from '#server/web/testing/raw-request.ts';
import { sampleCluster, sampleObject } from '#server/web/testing/sample.ts';
import { browser } from './browser.ts';
import { type Forged, startForged } from './forged.ts';
import { type GuardedWeb, guardedWeb, oidcOf, publicUrl } from './guarded-web.ts';

const secret = 'canary-cluster';
/** Most that a cookie may be, with its name and what stands beside it: browsers keep no more. */
const mostOfCookie = 4_096;
const groups = Array.from({ length: 190 }, (_, at) => `a-group-whose-name-is-not-short-${at}`);

let forged: Forged;
let guarded: GuardedWeb;
beforeAll(async () => {
  forged = await startForged();
  guarded = await guardedWeb(
    `${oidcOf(forged.issuer)}access: [{ groups: [platform], everything: true }, { groups: [${groups.join()}], clusters: [x] }]`,
  );
  guarded.web.store.cluster(sampleCluster(secret));
  guarded.web.store.object(sampleObject({ cluster: secret, name: secret }));
  await guarded.web.advance(1_000);
});
afterAll(async () => {
  await guarded.stop();
  await forged.stop();
});

const api = Object.keys(apiDocument().paths ?? {});
const root = join(import.meta.dirname, '..', '..', '..');
const pages = globSync('app/**/page.tsx', { cwd: root }).map((file) => file.slice('app'.length, -'/page.tsx'.length));
const filled = [...api, ...pages].map((path) => path.replaceAll(/\{\w+\}|\[[^\]]+\]/g, secret).replace(/^$/, '/'));

it('no path of the API and no page is answered without a login', async () => {
  expect(filled.length).toBeGreaterThan(45);
  const headers = { 'plumbline-link': 'sign', accept: 'application/json' };
  for (const path of [...filled, '/api', '/api/v1/openapi.json', '/_next/data/x.json', '/favicon.ico', `/${secret}`]) {
    const answer = await guarded.web.get(path, { headers, redirect: 'manual' });
    expect([path, answer.status, (await answer.text()).replaceAll(path, '').includes(secret)]).toEqual([
      path,
      401,
      false,
    ]);
  }
});

it('no way of writing a path that asks nobody leads to one that asks', async () => {
  const paths = [
    '/embed/../api/v1/clusters',
    '/embed/%2e%2e/api/v1/clusters',
    '/badge//../objects',
    '/healthz/../api/v1/clusters',
    '/access/login/../../api/v1/clusters',
    '/access/callback%2f..%2f..%2fapi',
    '/embed',
    '/EMBED/x',
    '/Healthz',
  ];
  for (const target of paths) {
    const { status, body } = await rawRequest(guarded.web.origin, target);
    expect([target, [400, 401, 403, 404].includes(status), body.includes(secret)]).toEqual([target, true, false]);
  }
});

it.each([
  [['platform'], 200],
  // More than a browser would keep: it is said, and nothing is sealed that would be lost.
  [groups, 403],
])('a session fits into what a browser keeps, or there is none: %#', async (told, status) => {
  forged.forge({ claims: { groups: told } });
  const own = browser(publicUrl, guarded.web.origin);
  const page = await own.open(`${publicUrl}/`);
  expect([page.status, page.body.includes('groups')]).toEqual([status, status === 403]);
  expect(own.cookie(`${publicUrl}/`).length).toBeLessThan(mostOfCookie - 100);
});
