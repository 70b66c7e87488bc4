import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { unreadable } from '../http/problem.ts';
import { sampleCluster, sampleNow } from '../testing/sample.ts';
import { embeds } from './embeds.ts';
import type { RingState } from './key-file.ts';
import { isLinkId, linkList } from './link-list.ts';
import { signedLink } from './signed-link.ts';

/** Embeds of one cluster, which count how often a figure and the fleet were looked at. */
function desk(state: RingState = { type: 'not-configured' }, readersSign: number | null = 400, path = listPath()) {
  const links = linkList(path);
  const logged: object[] = [];
  const clock = fakeClock(sampleNow);
  const fleetCache = createFleetCache();
  const labels = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`l${at}`, 'x']));
  fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('a', { validUntil: sampleNow + day, labels }) }]);
  const fleet = knownFleet(fleetCache, defaultPolicy);
  const looked = { figure: 0, fleet: 0 };
  const made = embeds({
    fleetCache,
    fleet: {
      ...fleet,
      all(now) {
        looked.fleet += 1;
        return fleet.all(now);
      },
    },
    alarms: unknownAlarms('none'),
    policy: defaultPolicy,
    ring: { current: () => Promise.resolve(state) },
    links,
    reports: {
      report() {
        looked.figure += 1;
        return Promise.resolve(unreadable);
      },
    },
    settings: { frameAncestors: ['https://a.example'], readersSign },
    publicUrl: 'https://p.example',
    ready: () => true,
    simulated: false,
    clock,
    log: { ...silentLog, info: (data, message) => void logged.push({ ...data, message }) },
  });
  const link = (scope: string, days: '30' | '365' = '30', by = '192.0.2.1') =>
    made.link({ scope, theme: 'auto', days }, by);
  return { clock, fleetCache, looked, logged, link, links, path };
}

/** Where a list may be, in a folder of its own. */
function listPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-list-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'links.db');
}

/** The id of a signed link; '' of any other answer. */
const idOf = (answer: object): string => ('id' in answer && typeof answer.id === 'string' ? answer.id : '');

const figure = 'figure:converged/last-month/fleet';

describe('content is made once for all who ask', () => {
  it.each([
    ['fleet', 0, 1],
    ['fleet', 1, 1],
    ['fleet', 4_999, 1],
    ['fleet', 5_000, 2],
    ['fleet', -1, 2],
    [figure, 0, 1],
    [figure, 59_999, 1],
    [figure, 60_000, 2],
    [figure, -1, 2],
  ] as const)('of %s within %i ms: %i times', async (scope, later, times) => {
    const { clock, looked, link } = desk();
    await link(scope);
    clock.set(sampleNow + later);
    await link(scope);
    expect(looked).toEqual(scope === 'fleet' ? { fleet: times, figure: 0 } : { fleet: 0, figure: times });
  });

  it('until the fleet is another one; a figure of the past stays', async () => {
    const { fleetCache, looked, link } = desk();
    for (const scope of ['fleet', figure]) await link(scope);
    fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('b') }]);
    for (const scope of ['fleet', figure]) await link(scope);
    expect(looked).toEqual({ fleet: 2, figure: 1 });
  });

  it.each([
    [64, 64],
    [65, 66],
  ])('of %i scopes asked one after the other, and the first again: %i times', async (scopes, times) => {
    const { looked, link } = desk();
    for (let at = 0; at < scopes; at += 1) await link(`label:l${at}=x`);
    await link('label:l0=x');
    expect(looked).toEqual({ fleet: times, figure: 0 });
  });
});

describe('links', () => {
  const key = { id: 'abcd', secret: Buffer.alloc(32, 7), created: '', revoked: false };

  it('are signed for both forms, with what they show and who may frame it', async () => {
    const order = { scope: { type: 'cluster', cluster: 'a' }, theme: 'auto', expires: sampleNow + 30 * day } as const;
    const made = await desk({ type: 'keys', keys: [key] }).link('cluster:a');
    const id = idOf(made);
    expect(isLinkId(id)).toBe(true);
    expect(made).toEqual({
      type: 'signed',
      scope: 'cluster:a',
      title: 'a',
      page: '/clusters/a',
      embed: signedLink({ ...order, id, form: 'embed' }, key),
      badge: signedLink({ ...order, id, form: 'badge' }, key),
      expires: '2026-12-21T02:00:00.000Z',
      id,
      key: 'abcd',
      frameAncestors: ['https://a.example'],
      origin: 'https://p.example',
      mostDays: 400,
    });
  });

  it('are made by no reader where plumbline.yaml does not say so: nothing is even looked at', async () => {
    const { link, looked, logged } = desk({ type: 'keys', keys: [key] }, null);
    expect(await link('fleet')).toEqual({ type: 'not-signed', why: 'off' });
    expect([looked, logged]).toEqual([{ figure: 0, fleet: 0 }, []]);
  });

  it('open for no longer than plumbline.yaml says', async () => {
    const { link } = desk({ type: 'keys', keys: [key] }, 7);
    for (const days of ['30', '365'] as const)
      expect(await link('cluster:a', days)).toMatchObject({ expires: '2026-11-28T02:00:00.000Z', mostDays: 7 });
  });

  it('are logged with scope, end and key, and without what opens them', async () => {
    const { link, logged } = desk({ type: 'keys', keys: [key] });
    const made = await link('cluster:a');
    const expires = '2026-12-21T02:00:00.000Z';
    const message = 'a link was signed for a reader';
    expect(logged).toEqual([{ id: idOf(made), scope: 'cluster:a', expires, key: 'abcd', message }]);
    const signature = /signature=([\w-]+)/.exec(JSON.stringify(made))?.[1] ?? 'none';
    expect(JSON.stringify(logged)).not.toContain(signature);
    await desk().link('cluster:a');
    expect(logged).toHaveLength(1);
  });

  it('are kept before they are handed out, and the same ones are given again for an hour, however they are painted', async () => {
    const { clock, link, links, logged } = desk({ type: 'keys', keys: [key] });
    const first = await link('cluster:a');
    const kept = { scope: 'cluster:a', key: 'abcd', by: 'reader', madeAt: sampleNow, endsAt: sampleNow + 30 * day };
    const read = () => links.read(clock.now());
    expect(read()).toEqual({ type: 'links', links: [{ ...kept, id: idOf(first), revokedAt: null }], others: [] });
    clock.set(sampleNow + hour - 1);
    expect(await link('cluster:a')).toEqual(first);
    expect(logged).toHaveLength(1);
    const others = [await link('cluster:a', '365'), await link('fleet')];
    clock.set(sampleNow + hour);
    others.push(await link('cluster:a'));
    links.revoke([idOf(first), ...others.map(idOf)], clock.now());
    others.push(await link('cluster:a'));
    expect(new Set([first, ...others].map(idOf)).size).toBe(5);
  });

  it('are made until readers have a thousand that open; who holds the key makes more', async () => {
    const { link, links, path, fleetCache } = desk({ type: 'keys', keys: [key] });
    fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('b') }]);
    const made = { key: 'abcd', madeAt: sampleNow, endsAt: sampleNow + day };
    for (let n = 0; n < 3; n += 1) links.keep({ ...made, scope: 'fleet', by: 'command' });
    // All at once: each one that is kept by itself is written through to the disk.
    const database = new DatabaseSync(path);
    database.exec(`
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 999)
      INSERT INTO link SELECT printf('%016x', n), 'cluster:c' || n, 'abcd', 'reader', ${sampleNow}, ${sampleNow + day} FROM number
    `);
    database.close();
    const last = await link('cluster:a');
    expect(last).toMatchObject({ type: 'signed' });
    expect(await link('cluster:b')).toEqual({ type: 'not-signed', why: 'too-many' });
    expect(await link('cluster:a')).toEqual(last);
    expect(links.keep({ ...made, scope: 'fleet', by: 'command' })).toMatchObject({ type: 'kept' });
    links.revoke([idOf(last)], sampleNow);
    expect(await link('cluster:b')).toMatchObject({ type: 'signed' });
  });

  it('are made fifty in a day by one reader, who is still given what is there, and shuts out nobody else', async () => {
    const { clock, link } = desk({ type: 'keys', keys: [key] });
    const first = await link('fleet');
    for (let at = 1; at < 50; at += 1) expect(await link(`label:l${at}=x`)).toMatchObject({ type: 'signed' });
    const refused = { type: 'not-signed', why: 'too-many-today' };
    expect(await link('label:l50=x')).toEqual(refused);
    expect(await link('fleet')).toEqual(first);
    expect(await link('label:l50=x', '30', '192.0.2.2')).toMatchObject({ type: 'signed' });
    clock.set(sampleNow + day - 1);
    expect(await link('label:l51=x')).toEqual(refused);
    clock.set(sampleNow + day);
    expect(await link('label:l51=x')).toMatchObject({ type: 'signed' });
  });

  it.each([
    'label:x=junk1',
    'label:constructor=x',
    'cluster:nowhere',
    'column:Kustomization/nothing',
    'object:a/apps/Deployment/x/nothing',
    'figure:converged/last-month/cluster:nowhere',
    'figure:converged/last-month/label:x=junk1',
  ])('to what is not there are not signed, and nothing is made or kept of it: %s', async (scope) => {
    const { link, links, looked } = desk({ type: 'keys', keys: [key] });
    expect(await link(scope)).toMatchObject({ refused: { type: 'not-found', what: expect.stringContaining(scope) } });
    expect([looked, links.read(sampleNow)]).toEqual([
      { figure: 0, fleet: 0 },
      { type: 'links', links: [], others: [] },
    ]);
  });

  it('are not made where they cannot be kept', async () => {
    const { link } = desk({ type: 'keys', keys: [key] }, 400, '/nowhere/links.db');
    expect(await link('fleet')).toEqual({ type: 'not-signed', why: 'not-kept' });
  });

  it.each([
    [{ type: 'not-configured' }, 'not-configured'],
    [{ type: 'unusable', why: 'exposed' }, 'exposed'],
    [{ type: 'keys', keys: [{ ...key, revoked: true }] }, 'all-revoked'],
  ] as const)('are not signed by %j', async (state, why) => {
    expect(await desk(state).link('fleet')).toEqual({ type: 'not-signed', why });
  });

  it('to nothing that is a scope are refused', async () => {
    expect(await desk().link('everything')).toEqual({
      refused: {
        type: 'bad-parameter',
        name: 'scope',
        message:
          'must be fleet, label:KEY=VALUE, cluster:NAME, column:KIND/NAME, object:CLUSTER/GROUP/KIND/NAMESPACE/NAME or figure:NAME/PERIOD/(fleet, label:..., cluster:...)',
      },
    });
  });
});
