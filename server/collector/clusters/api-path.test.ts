import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import { apiPath, isGroupName, isLabelName, resourcePath } from './api-path.ts';
import { createBoundary } from './boundary.ts';
import type { WatchedKind } from './cluster-event.ts';
import { fakeTransport } from './testing/fake-transport.ts';
import { settled } from './testing/until.ts';
import { defaultTuning } from './tuning.ts';
import { startDiscovery } from './watch/discovery/discovery.ts';

it('encodes every part of a path, and never throws', () => {
  expect(apiPath('apis', 'a b/c', '\ud800')).toBe('/apis/a%20b%2Fc/%EF%BF%BD');
  const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
  expect(resourcePath(leases)).toBe('/apis/coordination.k8s.io/v1/leases');
  expect(resourcePath({ ...leases, group: '' }, 'a?b')).toBe('/api/v1/namespaces/a%3Fb/leases');
});

it.each([
  ['kustomize.toolkit.fluxcd.io', true],
  ['s3.aws.m.upbound.io', true],
  ['apps', true],
  ['', false],
  ['..', false],
  ['a b.org', false],
  ['A.org', false],
  ['a.org/v1', false],
  [`${'a.'.repeat(130)}org`, false],
])('the group %j: %s', (group, isOne) => expect(isGroupName(group)).toBe(isOne));

it.each([
  ['v1beta1', true],
  ['kustomizations', true],
  ['', false],
  ['1v', false],
  ['a b', false],
  ['a\n', false],
  ['a?b', false],
  ['ünits', false],
  ['a'.repeat(64), false],
])('the version or resource %j: %s', (name, isOne) => expect(isLabelName(name)).toBe(isOne));

describe('what no API server is named like', () => {
  const served = (group: string, version: string, ...plurals: readonly string[]): object => ({
    metadata: { name: group },
    versions: [
      {
        version,
        resources: plurals.map((resource) => ({
          resource,
          responseKind: { kind: 'Bucket' },
          scope: 'Namespaced',
          verbs: ['list', 'watch'],
          categories: ['managed'],
        })),
      },
    ],
  });

  function discovering() {
    const clock = fakeClock();
    const transport = fakeTransport();
    const kinds: (readonly WatchedKind[])[] = [];
    const warned: object[] = [];
    const log: Log = { ...silentLog, warn: (data) => void warned.push(data) };
    const discovery = startDiscovery({
      ...{ transport, clock, log, random: () => 0.5, tuning: defaultTuning, boundary: createBoundary(log) },
      onKinds: (found) => void kinds.push(found),
      onFault: () => undefined,
    });
    const answer = async (body: { readonly [key: string]: unknown }): Promise<void> => {
      transport.gets.at(-1)?.ok(body);
      await settled();
      clock.advance(60_000);
      await settled();
    };
    return { transport, kinds, warned, answer, stop: discovery.stop };
  }

  it('is left out, and told once', async () => {
    const { kinds, warned, answer, stop } = discovering();
    const items = [
      served('a.org', 'v1', 'buck ets', 'a?b', 'buckets'),
      served('a b.org', 'v1', 'buckets'),
      served('b.org', 'v 1', 'buckets'),
    ];
    await answer({ kind: 'APIGroupDiscoveryList', items });
    await answer({ kind: 'APIGroupDiscoveryList', items });
    expect(kinds).toEqual([[expect.objectContaining({ group: 'a.org', resource: 'buckets' })]]);
    expect(warned).toEqual([{ count: 4 }]);
    await stop();
  });

  it('is not asked for in the older form', async () => {
    const { transport, answer, stop } = discovering();
    await answer({ kind: 'APIGroupList', groups: [{ name: 'a b.org', versions: [{ version: 'v1' }] }] });
    expect(new Set(transport.gets.map(({ path }) => path))).toEqual(new Set(['/apis']));
    await stop();
  });
});
