import { describe, expect, it } from 'vitest';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { minute } from '#lib/domain/time/length.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleCluster, sampleNow } from '../testing/sample.ts';
import { partialTexts } from './partial.ts';

function textsOf(
  ahead: Readonly<Record<string, number | null>>,
  part: Partial<CurrentCluster> = {},
): readonly string[] {
  const clusters = Object.keys(ahead).map((name) => knownCluster(name, []));
  const recordOf = (name: string) => ({ ...sampleCluster(name), clockAhead: ahead[name] ?? null, ...part });
  return partialTexts(clusters, recordOf, sampleNow);
}

it('names a clock that is off by more than 5 s, and no other', () => {
  expect(textsOf({ a: 600_000, b: -6_000, c: 5_000, d: 0, e: null })).toEqual([
    "the clock of a is 10 min ahead of Plumbline's",
    "the clock of b is 6 s behind Plumbline's",
  ]);
});

it('counts many', () => {
  const off = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 60_000]));
  expect(textsOf(off)).toEqual(['the clocks of 6 clusters are off']);
});

it('names five clocks', () => {
  const off = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 60_000]));
  expect(textsOf(off)).toHaveLength(5);
});

describe('of clusters and kinds', () => {
  function texts(...clusters: readonly CurrentCluster[]): readonly string[] {
    const fleetCache = createFleetCache();
    fleetCache.apply(clusters.map((cluster) => ({ type: 'cluster', cluster })));
    return partialTexts(knownFleet(fleetCache, defaultPolicy).all(sampleNow), () => null, sampleNow);
  }

  function withFeed(name: string, kind: string, feed: Partial<CurrentCluster['feeds'][number]>): CurrentCluster {
    const { feeds } = sampleCluster(name);
    return sampleCluster(name, { feeds: feeds.map((each) => (each.kind === kind ? { ...each, ...feed } : each)) });
  }

  const of = (names: string, rest: Partial<CurrentCluster>): CurrentCluster[] =>
    names.split('').map((name) => sampleCluster(name, rest));

  it('of which more say who is called than is kept', () => {
    const alarming = { facts: [], cut: ['notification-alert', 'prometheus-rule'] } as const;
    const group = 'notification.toolkit.fluxcd.io';
    const { feeds } = sampleCluster('a');
    const rest = {
      alarming,
      feeds: [...feeds, ...feeds.slice(0, 1).map((feed) => ({ ...feed, group, kind: 'Alert' }))],
    };
    expect(texts(sampleCluster('a', rest))).toEqual(['Alert not read whole on a']);
    expect(texts(...of('abc', rest))).toEqual(['Alert not read whole on 3 clusters']);
  });

  it.each<[CurrentCluster['state'], string]>([
    ['connecting', 'a is being connected for 1 min'],
    ['unreachable', 'a unreachable for 1 min'],
    ['unauthorized', 'a refuses the credentials for 1 min'],
    ['misconfigured', 'a misconfigured for 1 min'],
  ])('%s: %s', (state, text) => {
    expect(texts(sampleCluster('a', { state, since: sampleNow - minute }))).toEqual([text]);
  });

  it.each<[string, readonly CurrentCluster[], readonly string[]]>([
    ['what is live, and what is only declared', of('ab', { state: 'declared' }), []],
    ['not for how many seconds', of('a', { state: 'unreachable', since: sampleNow - minute + 1 }), ['a unreachable']],
    [
      'five by name',
      of('abcde', { state: 'unreachable', since: sampleNow }),
      'abcde'.split('').map((a) => `${a} unreachable`),
    ],
    ['more by number', of('abcdef', { state: 'unreachable' }), ['6 clusters unreachable']],
    ['more that connect', of('abcdef', { state: 'connecting' }), ['6 clusters are being connected']],
  ])('%s', (_what, clusters, expected) => {
    expect(texts(...clusters)).toEqual(expected);
  });

  const forbidden = (reason: string | null, kind = 'HelmRelease') =>
    ['a', 'b'].map((name) => withFeed(name, kind, { state: 'forbidden', reason, objects: 0 }));

  it.each<[string, readonly CurrentCluster[], readonly string[]]>([
    [
      'a missing rule',
      forbidden('User "p" cannot watch resource "x"'),
      ['HelmRelease forbidden on 2 clusters (missing rule: watch)'],
    ],
    ['no reason', forbidden(null), ['HelmRelease forbidden on 2 clusters']],
    ['one cluster', forbidden(null).slice(1), ['HelmRelease forbidden on b']],
    ['80 letters', forbidden('x'.repeat(80)), [`HelmRelease forbidden on 2 clusters (${'x'.repeat(80)})`]],
    ['81 letters', forbidden('x'.repeat(81)), [`HelmRelease forbidden on 2 clusters (${'x'.repeat(79)}…)`]],
    [
      'two reasons',
      [...forbidden('no').slice(1), ...forbidden('never').slice(0, 1)],
      ['HelmRelease forbidden on 2 clusters'],
    ],
    ['what is being read', [withFeed('a', 'HelmRelease', { state: 'syncing' })], ['HelmRelease is being read on a']],
    [
      'kinds apart',
      [...forbidden(null).slice(1), ...forbidden(null, 'Kustomization').slice(0, 1)],
      ['Kustomization forbidden on a', 'HelmRelease forbidden on b'],
    ],
  ])('a kind: %s', (_what, clusters, expected) => {
    expect(texts(...clusters)).toEqual(expected);
  });
});
