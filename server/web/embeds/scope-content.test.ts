import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { toldAlarms } from '../testing/told-alarms.ts';
import { describe, expect, it } from 'vitest';
import type { EmbedContent } from '#lib/draw/embed/embed-content.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { createFleetCache, type FleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { kustomizeGroup, sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { columnParts } from './column-parts.ts';
import { scopeContent } from './scope-content.ts';

const sounding = { state: 'sounding', since: 0, by: 'own' } as const;
const unknown = { state: 'unknown', why: 'none' } as const;

const broken: readonly KnownObject[] = [
  sampleDiverged({ cluster: 'a', name: 'silent' }),
  sampleDiverged({ cluster: 'a', name: 'bare', namespace: '' }, { alarm: sounding, reason: 'it said: no' }),
  sampleDiverged({ cluster: 'a', name: 'unasked' }, { alarm: unknown }),
  ...['p1', 'p2', 'p3', 'p4'].map((name) =>
    sampleObject({ cluster: 'a', name }, { verdict: 'suspended', was: 'converged' }),
  ),
  sampleObject({ cluster: 'a', name: 'fine' }),
];

const webs = ['h', 'd', 'e', 'g', 'f'].map((cluster) =>
  sampleDiverged({ cluster, name: 'web' }, { verdict: 'unhealthy', alarm: sounding }),
);

/** A fleet of cluster a, one that connects, one that is lost, and five with one object that drifts or waits. */
const fleetCache = createFleetCache();
fleetCache.apply([
  { type: 'cluster', cluster: sampleCluster('a', { labels: { tier: 'one' } }) },
  { type: 'cluster', cluster: sampleCluster('b', { state: 'connecting', since: sampleNow - minute, feeds: [] }) },
  {
    type: 'cluster',
    cluster: sampleCluster('c', { state: 'unreachable', since: sampleNow - 3 * hour, reason: 'no route' }),
  },
  ...broken.map((object) => ({ type: 'object' as const, object })),
  ...webs.flatMap((object) => [
    { type: 'cluster' as const, cluster: sampleCluster(object.ref.cluster) },
    { type: 'object' as const, object },
  ]),
]);
const source = sourceOf(fleetCache, toldAlarms([...broken, ...webs]));

function sourceOf(cache: FleetCache, alarms: KnownAlarms) {
  const known = knownFleet(cache, defaultPolicy, alarms);
  return { fleetCache: cache, fleet: known, columns: columnParts(cache), alarms, policy: defaultPolicy };
}

function contentOf(text: string): EmbedContent {
  const scope = parseScope(text);
  if (scope === null || scope.type === 'figure') throw new Error(`${text} is no scope of the present`);
  return scopeContent(scope, source, sampleNow);
}

it.each<[string, EmbedContent]>([
  [
    'fleet',
    {
      counts: [
        ['diverged', 3],
        ['unhealthy', 5],
        ['suspended', 4],
        ['converged', 1],
      ],
      standing: 'In order or alarmed: 7; nobody is being called: 1; switched off: 4; not known: 1',
      lines: [
        {
          verdict: 'diverged',
          silent: true,
          title: 'a',
          note: '3 diverged, 4 suspended, 1 silent',
          href: '/clusters/a',
        },
        { verdict: 'unhealthy', silent: false, title: 'd', note: '1 unhealthy', href: '/clusters/d' },
        { verdict: 'unhealthy', silent: false, title: 'e', note: '1 unhealthy', href: '/clusters/e' },
        { verdict: 'unhealthy', silent: false, title: 'f', note: '1 unhealthy', href: '/clusters/f' },
        { verdict: 'unhealthy', silent: false, title: 'g', note: '1 unhealthy', href: '/clusters/g' },
        { verdict: 'unhealthy', silent: false, title: 'h', note: '1 unhealthy', href: '/clusters/h' },
      ],
      table: null,
      more: '2 more clusters not in order.',
      title: 'Fleet',
      href: '/',
      sign: { type: 'truth', truth: 'broken' },
      lead: '2 of 8 clusters are not seen. Not so on 1 of 8 clusters:',
      sentence:
        'nobody is being called for 1 diverged. Not as in git on 1 of 8 clusters: 1 diverged of 13 objects. Alarms are sounding, or not yet due, for 1 diverged, 5 unhealthy.',
      badge: { sign: { type: 'verdict', verdict: 'diverged' }, words: '1 silent', silent: true },
    },
  ],
  [
    'cluster:a',
    {
      counts: [
        ['diverged', 3],
        ['suspended', 4],
        ['converged', 1],
      ],
      standing: 'In order or alarmed: 2; nobody is being called: 1; switched off: 4; not known: 1',
      lines: [
        {
          verdict: 'diverged',
          silent: true,
          title: 'Kustomization flux-system/silent',
          note: 'diverged since 21 Nov 01:00 UTC, BuildFailed, nobody is being called: no rule reads it',
          href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/silent',
        },
        {
          verdict: 'diverged',
          silent: false,
          title: 'Kustomization bare',
          note: 'diverged since 21 Nov 01:00 UTC, somebody was called',
          href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/-/bare',
        },
        {
          verdict: 'diverged',
          silent: false,
          title: 'Kustomization flux-system/unasked',
          note: 'diverged since 21 Nov 01:00 UTC, BuildFailed',
          href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/unasked',
        },
        {
          verdict: 'suspended',
          silent: false,
          title: 'Kustomization flux-system/p1',
          note: 'suspended since 21 Nov 01:00 UTC, ReconciliationSucceeded',
          href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/p1',
        },
        {
          verdict: 'suspended',
          silent: false,
          title: 'Kustomization flux-system/p2',
          note: 'suspended since 21 Nov 01:00 UTC, ReconciliationSucceeded',
          href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/p2',
        },
        {
          verdict: 'suspended',
          silent: false,
          title: 'Kustomization flux-system/p3',
          note: 'suspended since 21 Nov 01:00 UTC, ReconciliationSucceeded',
          href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/p3',
        },
      ],
      table: null,
      more: '1 more object not converged.',
      title: 'a',
      href: '/clusters/a',
      sign: { type: 'truth', truth: 'broken' },
      lead: '',
      sentence:
        'Not so: nobody is being called for 1 diverged. Not as in git: 1 diverged of 8 objects. Alarms are sounding, or not yet due, for 1 diverged. Paging status unknown for some: no alert source is configured.',
      badge: { sign: { type: 'verdict', verdict: 'diverged' }, words: '1 silent', silent: true },
    },
  ],
  [
    'cluster:d',
    {
      counts: [['unhealthy', 1]],
      standing: 'In order or alarmed: 1',
      lines: [
        {
          verdict: 'unhealthy',
          silent: false,
          title: 'Kustomization flux-system/web',
          note: 'unhealthy since 21 Nov 01:00 UTC, BuildFailed, somebody was called',
          href: '/clusters/d/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/web',
        },
      ],
      table: null,
      more: '',
      title: 'd',
      href: '/clusters/d',
      sign: { type: 'truth', truth: 'holds' },
      lead: '',
      sentence: 'So it is: 1 object. Alarms are sounding, or not yet due, for 1 unhealthy.',
      badge: { sign: { type: 'verdict', verdict: 'unhealthy' }, words: '1 unhealthy', silent: false },
    },
  ],
  [
    'cluster:b',
    {
      counts: [],
      standing: '',
      lines: [],
      table: null,
      more: '',
      title: 'b',
      href: '/clusters/b',
      sign: { type: 'truth', truth: 'unknown' },
      lead: '',
      sentence: 'That cannot be said yet: the cluster is being connected.',
      badge: { sign: { type: 'truth', truth: 'unknown' }, words: 'not seen', silent: false },
    },
  ],
  [
    'object:a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/silent',
    {
      counts: [],
      standing: 'Kustomization in flux-system',
      lines: [],
      table: null,
      more: '',
      title: 'silent on a',
      href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/silent',
      sign: { type: 'verdict', verdict: 'diverged' },
      lead: 'Diverged',
      sentence:
        'since 21 Nov 01:00 UTC (BuildFailed), and nobody is being called: no rule reads it. The reconciler cannot make it so. Running, last applied 2d81a0c.',
      badge: { sign: { type: 'verdict', verdict: 'diverged' }, words: 'diverged, silent', silent: true },
    },
  ],
  [
    'object:a/kustomize.toolkit.fluxcd.io/Kustomization//bare',
    {
      counts: [],
      standing: 'Kustomization',
      lines: [],
      table: null,
      more: '',
      title: 'bare on a',
      href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/-/bare',
      sign: { type: 'verdict', verdict: 'diverged' },
      lead: 'Diverged',
      sentence:
        'since 21 Nov 01:00 UTC, and somebody was called. The reconciler cannot make it so. Running, last applied 2d81a0c.',
      badge: { sign: { type: 'verdict', verdict: 'diverged' }, words: 'diverged', silent: false },
    },
  ],
])('%s is whole', (scope, content) => {
  expect(contentOf(scope)).toEqual(content);
});

it.each([
  ['label:tier=two', 'tier=two', '/?label=tier%3Dtwo', 'No cluster has the label tier=two.', 'no cluster'],
  ['cluster:nope', 'nope', '/', 'There is no cluster nope.', 'not there'],
  ['column:web', 'web', '/objects?q=web', 'No cluster has anything in the column web.', 'not there'],
  ['object:a/x.io/Kind/ns/nope', 'nope on a', '/clusters/a', 'There is no Kind ns/nope on a.', 'not there'],
  ['object:a//Secret//nope', 'nope on a', '/clusters/a', 'There is no Secret nope on a.', 'not there'],
])('%s has nothing to show', (scope, title, href, sentence, words) => {
  const sign = { type: 'truth', truth: 'empty' };
  const nothing = { counts: [], standing: '', lines: [], table: null, more: '', lead: '' };
  expect(contentOf(scope)).toEqual({
    ...nothing,
    title,
    href,
    sentence,
    sign,
    badge: { sign, words, silent: false },
  });
});

it('a column names the clusters that are not in order, by name where they are alike', () => {
  const { lines, table, standing, badge } = contentOf('column:Kustomization/web');
  expect([standing, badge.words, table]).toEqual(['In order or alarmed: 5', '2 of 7 not seen, 5 unhealthy', null]);
  expect(lines.map(({ title }) => title)).toEqual(['d', 'e', 'f', 'g', 'h', 'c']);
});

it('a label shows its clusters as a table', () => {
  const { table, lines, title } = contentOf('label:tier=one');
  expect([title, lines, table?.columns]).toEqual([
    'tier=one',
    [],
    ['bare', 'fine', 'p1', 'p2', 'p3', 'p4', 'silent', 'unasked'],
  ]);
  expect(table?.rows.map(({ title: name, href, cells }) => [name, href, cells[1], cells[6]])).toEqual([
    [
      'a',
      '/clusters/a',
      {
        verdict: 'converged',
        silent: false,
        note: '',
        href: `/clusters/a/${kustomizeGroup}/Kustomization/flux-system/fine`,
      },
      {
        verdict: 'diverged',
        silent: true,
        note: 'since 21 Nov 01:00 UTC, nobody is being called',
        href: `/clusters/a/${kustomizeGroup}/Kustomization/flux-system/silent`,
      },
    ],
  ]);
});

describe('of many', () => {
  function sourceOfMany(clusters: number, each: number, state: 'live' | 'unreachable' | 'connecting' = 'live') {
    const many = createFleetCache();
    for (let at = 0; at < clusters; at += 1) {
      const cluster = `c${String(at).padStart(2, '0')}`;
      many.apply([{ type: 'cluster', cluster: sampleCluster(cluster, { state, since: sampleNow - hour }) }]);
      for (let n = 0; n < each; n += 1)
        many.apply([{ type: 'object', object: sampleDiverged({ cluster, name: `o${n}` }, { alarm: sounding }) }]);
    }
    return sourceOf(many, { ...unknownAlarms('none'), alarmOf: () => sounding });
  }

  it.each([
    [6, 6, ''],
    [7, 6, '1 more cluster not in order.'],
    [8, 6, '2 more clusters not in order.'],
  ])('%i clusters that are not in order, %i are shown', (clusters, shown, more) => {
    const content = scopeContent({ type: 'fleet' }, sourceOfMany(clusters, 1), sampleNow);
    expect([content.lines.length, content.more]).toEqual([shown, more]);
  });

  it.each([
    [6, 6, ''],
    [7, 6, '1 more object not converged.'],
  ])('%i objects that are not converged, %i are shown', (objects, shown, more) => {
    const content = scopeContent({ type: 'cluster', cluster: 'c00' }, sourceOfMany(1, objects), sampleNow);
    expect([content.lines.length, content.more]).toEqual([shown, more]);
  });

  it.each([
    [30, 1, 30, ''],
    [31, 1, 30, '1 more cluster, 1 of them not in order.'],
    [32, 0, 30, '2 more clusters, all in order.'],
  ])('%i clusters of a label with %i deviations each, %i are rows', (clusters, deviations, shown, more) => {
    const scope = { type: 'label', key: 'environment', value: 'production' } as const;
    const content = scopeContent(scope, sourceOfMany(clusters, deviations, 'live'), sampleNow);
    expect([content.table?.rows.length, content.more]).toEqual([shown, more]);
  });

  it.each([
    [24, 24, ''],
    [25, 24, '1 more column.'],
    [26, 24, '2 more columns.'],
  ])('of %i columns, the last of which deviates alone, %i are shown with it', (columns, shown, more) => {
    const wide = createFleetCache();
    wide.apply([{ type: 'cluster', cluster: sampleCluster('c00') }]);
    for (let at = 1; at <= columns; at += 1) {
      const ref = { cluster: 'c00', name: `o${String(at).padStart(2, '0')}` };
      const object = at === columns ? sampleDiverged(ref, { alarm: sounding }) : sampleObject(ref);
      wide.apply([{ type: 'object', object }]);
    }
    const scope = { type: 'label', key: 'environment', value: 'production' } as const;
    const { table, more: said } = scopeContent(
      scope,
      sourceOf(wide, { ...unknownAlarms('none'), alarmOf: () => sounding }),
      sampleNow,
    );
    expect([table?.columns.length, table?.rows[0]?.cells.length, said]).toEqual([shown, shown, more]);
    expect(table?.rows[0]?.cells.some((cell) => cell?.verdict === 'diverged')).toBe(true);
  });

  it.each([
    ['unreachable', 'not seen since 21 Nov 01:00 UTC'],
    ['connecting', 'being connected'],
  ] as const)('clusters of which nothing is known, one that is %s', (state, note) => {
    expect(scopeContent({ type: 'fleet' }, sourceOfMany(1, 0, state), sampleNow).lines).toEqual([
      { verdict: 'unobserved', silent: false, title: 'c00', note, href: '/clusters/c00' },
    ]);
  });
});
