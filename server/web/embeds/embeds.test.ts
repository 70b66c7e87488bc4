import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { day } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { unreadable } from '../http/problem.ts';
import { sampleCluster, sampleNow } from '../testing/sample.ts';
import { embeds } from './embeds.ts';
import type { RingState } from './key-file.ts';
import { signedLink } from './signed-link.ts';

/** Embeds of one cluster, which count how often a figure and the fleet were looked at. */
function desk(state: RingState = { type: 'not-configured' }) {
  const clock = fakeClock(sampleNow);
  const fleetCache = createFleetCache();
  fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('a', { validUntil: sampleNow + day }) }]);
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
    policy: defaultPolicy,
    ring: { current: () => Promise.resolve(state) },
    reports: {
      report() {
        looked.figure += 1;
        return Promise.resolve(unreadable);
      },
    },
    frameAncestors: ['https://a.example'],
    ready: () => true,
    simulated: false,
    clock,
  });
  return { clock, fleetCache, looked, link: (scope: string) => made.link({ scope, theme: 'auto', days: '30' }) };
}

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
    for (let at = 0; at < scopes; at += 1) await link(`label:environment=e${at}`);
    await link('label:environment=e0');
    expect(looked).toEqual({ fleet: times, figure: 0 });
  });
});

describe('links', () => {
  const key = { id: 'abcd', secret: Buffer.alloc(32, 7), created: '', revoked: false };

  it('are signed for both forms, with what they show and who may frame it', async () => {
    const order = { scope: { type: 'cluster', cluster: 'a' }, theme: 'auto', expires: sampleNow + 30 * day } as const;
    expect(await desk({ type: 'keys', keys: [key] }).link('cluster:a')).toEqual({
      type: 'signed',
      scope: 'cluster:a',
      title: 'a',
      page: '/clusters/a',
      embed: signedLink({ ...order, form: 'embed' }, key),
      badge: signedLink({ ...order, form: 'badge' }, key),
      expires: '2026-12-21T02:00:00.000Z',
      key: 'abcd',
      frameAncestors: ['https://a.example'],
    });
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
