// Every number of a summary leads to exactly the objects that it counts, whatever the page is filtered by.
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { toldAlarms } from '../testing/told-alarms.ts';
import { describe, expect, it } from 'vitest';
import type { ClusterScope, WireClusterPage } from '#lib/api/cluster.ts';
import { FleetView } from '#lib/api/fleet.ts';
import type { WireSaid } from '#lib/api/object.ts';
import { scopeOf } from '#lib/api/scope.ts';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { AlarmState } from '#lib/domain/alarm/link.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { cluster } from '../endpoints/cluster.ts';
import { conflicts } from '../endpoints/conflicts.ts';
import { fleet } from '../endpoints/fleet.ts';
import { objects } from '../endpoints/objects.ts';
import type { KnownMoment } from './known-moment.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { topicSource } from '../stream/topic.ts';
import { answerOf, sampleMoment, samplePresent } from '../testing/moment.ts';
import { helmGroup, sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';

/** A seeded generator (mulberry32). */
function chance(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return <T>(of: readonly [T, ...T[]]): T => of[Math.trunc(next() * of.length)] ?? of[0];
}

const alarms: readonly [AlarmState, ...AlarmState[]] = [
  { state: 'unknown', why: 'none' },
  { state: 'unknown', why: 'not-read' },
  { state: 'sounding', since: sampleNow, by: 'own' },
  { state: 'silent', broken: 'rule' },
  { state: 'not-due' },
];

function randomFleet(seed: number): KnownMoment {
  const one = chance(seed);
  const fleetCache = createFleetCache();
  const made: KnownObject[] = [];
  for (let c = 0; c < 5; c++) {
    const cluster = `c${c}`;
    const labels = { environment: c % 2 === 0 ? 'production' : 'staging' };
    fleetCache.apply([
      {
        type: 'cluster',
        cluster: sampleCluster(cluster, { labels, state: one(['live', 'live', 'live', 'unreachable']) }),
      },
    ]);
    for (let n = 0; n < 40; n++) {
      const ref = {
        cluster,
        name: `${one(['checkout', 'web', 'mail'])}-${n}`,
        namespace: one(['apps', 'flux-system']),
      };
      const verdict = one<Verdict>(['converged', 'converged', ...verdicts]);
      const helm = one([true, false]);
      const declared = one([false, false, false, false, false, false, false, false, true]);
      const object = sampleObject(helm ? { ...ref, kind: 'HelmRelease', group: helmGroup } : ref, {
        verdict: declared ? 'unobserved' : verdict,
        alarm: verdict === 'converged' ? { state: 'not-due' } : one(alarms),
        reconciler: declared ? 'none' : helm ? 'helm' : 'flux',
        role: declared ? 'declared' : 'applier',
        drift: one(['none', 'not-measured']),
        exemptions: one([
          [],
          [],
          [{ kind: 'reconcile-disabled', field: 'x', meaning: 'y', by: null, at: null, reach: null }],
        ]),
        validUntil: declared ? null : sampleNow + 600_000,
      });
      fleetCache.apply([{ type: 'object', object }]);
      made.push(object);
    }
  }
  const maintenance = [{ clusters: [one(['c0', 'c9'])], until: sampleNow + 60_000, reason: 'Upgrade' }];
  return sampleMoment(fleetCache, { ...defaultPolicy, maintenance }, undefined, toldAlarms(made));
}

function numberOf({ text }: WireSaid): number {
  return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
}

async function totalOf(web: KnownMoment, href: string): Promise<number> {
  const filter = Object.fromEntries(new URL(href, 'http://x').searchParams);
  return (await answerOf(objects, web, filter)).total;
}

describe.each([
  {},
  { label: 'environment=production' },
  { cluster: 'c0,c1' },
  { reconciler: 'helm' },
  { namespace: 'apps' },
  { q: 'checkout' },
  { q: 'checkout', label: 'environment=staging', reconciler: 'flux' },
])('filtered by %j', (filter) => {
  it('each number of the summary is the total of the list that it leads to', async () => {
    let numbers = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const web = randomFleet(seed);
      const { parts } = (await answerOf(fleet, web, filter)).summary.guarantee;
      for (const said of [...parts.lead, ...parts.body]) {
        if (said.href === null) continue;
        numbers += 1;
        expect(`${seed} ${said.text}: ${await totalOf(web, said.href)}`).toBe(
          `${seed} ${said.text}: ${numberOf(said)}`,
        );
      }
    }
    expect(numbers).toBeGreaterThan(60);
  });

  it('counts, causes and rows are of the same objects', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const web = randomFleet(seed);
      const { summary, rows } = await answerOf(fleet, web, { ...filter, causes: 'all' });
      const list = await answerOf(objects, web, filter);
      expect(summary.counts).toEqual(list.counts);
      expect(summary.objects).toBe(list.total);
      const shown = rows.reduce((sum, row) => sum + Object.values(row.counts).reduce((a, b) => a + b, 0), 0);
      expect(shown).toBe(summary.objects);
      expect(summary.clusters.total).toBe(rows.length);
      expect(summary.causesObjects).toBe(summary.causes.reduce((sum, { objects }) => sum + objects, 0));
      expect(list.truth).toBe(summary.guarantee.truth);
    }
  });
});

function twoClusters(...more: readonly CurrentObject[]): KnownMoment {
  const fleetCache = createFleetCache();
  fleetCache.apply([
    { type: 'cluster', cluster: sampleCluster('eu-west-3') },
    { type: 'cluster', cluster: sampleCluster('stg-us', { labels: { environment: 'staging' } }) },
    { type: 'object', object: sampleObject({ name: 'web' }) },
    { type: 'object', object: sampleObject({ cluster: 'stg-us', name: 'web' }) },
    ...more.map((object) => ({ type: 'object' as const, object })),
  ]);
  return sampleMoment(fleetCache);
}

const unread = { alarm: { state: 'unknown', why: 'none' } } as const;
const bad = (name: string) => sampleDiverged({ cluster: 'stg-us', name }, unread);
const inProduction = { label: 'environment=production' };
const production = FleetView.parse(inProduction);

describe('a filtered page', () => {
  it('is about what is filtered, says so, and says what of the rest is worse', async () => {
    const { summary } = await answerOf(fleet, twoClusters(bad('a'), bad('b')), inProduction);
    expect(summary.guarantee).toMatchObject({ truth: 'holds', body: 'So it is, on the one cluster: 1 object.' });
    expect(summary.causes).toEqual([]);
    expect(summary.filter).toEqual({
      text: 'environment=production',
      outside: 'Outside this filter: 2 diverged on 1 cluster.',
    });
  });

  it('names nothing outside that is better than what is inside', async () => {
    const late = sampleObject({ cluster: 'stg-us', name: 'late' }, { ...unread, verdict: 'behind' });
    const { summary } = await answerOf(fleet, twoClusters(late, sampleDiverged({ name: 'x' }, unread)), inProduction);
    expect(summary.filter?.outside).toBe('Outside this filter nothing is worse.');
  });

  it('says that nothing matches', async () => {
    const summary = twoClusters(bad('a')).summary('first', scopeOf(FleetView.parse({ label: 'environment=nowhere' })));
    expect(summary.guarantee).toMatchObject({ truth: 'empty', body: 'Nothing matches this filter.' });
    expect(summary.filter?.outside).toBe('Outside this filter: 1 diverged on 1 cluster.');
  });

  it('hears from the stream what is filtered, and the whole fleet from another', async () => {
    const web = twoClusters(bad('a'));
    const texts = [production, FleetView.parse({})].map((view) =>
      topicSource({ type: 'fleet', view }, web)
        .whole()
        .flatMap((frame) =>
          frame.type === 'summary' ? `${frame.summary.guarantee.lead} ${frame.summary.guarantee.body}`.trim() : [],
        ),
    );
    expect(texts).toEqual([
      ['So it is, on the one cluster: 1 object.'],
      ['Not as in git on 1 of 2 clusters: 1 diverged of 3 objects.'],
    ]);
  });

  it('counts a summary once until something changes', async () => {
    const web = twoClusters(bad('a'));
    const scope = scopeOf(production);
    expect(web.summary('first', scope).guarantee.parts).toBe(web.summary('first', scope).guarantee.parts);
  });

  it('finds what stands in a column by its title, and counts these objects', async () => {
    const chart = sampleObject({ name: 'podinfo', kind: 'HelmChart', group: 'g' }, { role: 'source' });
    const provider = sampleObject({ name: 'aws', kind: 'Provider', group: 'g' }, { role: 'package' });
    const delivered = { deliveredBy: sampleObject({ name: 'web' }).ref, reconciler: 'helm' } as const;
    const release = sampleObject({ name: 'podinfo', kind: 'HelmRelease', group: helmGroup }, delivered);
    const web = twoClusters(chart, provider, release);
    const found = ['packages', 'Helm charts', 'web'].map(async (q) => {
      const { summary, columns } = await answerOf(fleet, web, { q });
      return [columns.map(({ title }) => title), summary.objects, (await answerOf(objects, web, { q })).total];
    });
    expect(await Promise.all(found)).toEqual([
      [['packages'], 1, 1],
      [['Helm charts'], 1, 1],
      [['web'], 3, 3],
    ]);
  });
});

it('conflicts are counted as their list has them: what two clusters tell of is one', async () => {
  const owners = ['eu-west-3', 'stg-us'].map((cluster) => {
    const { ref } = sampleObject({ cluster, name: 'web' });
    return { ref, name: 'web' };
  });
  const resource = { group: 'g', kind: 'Bucket', namespace: '', name: 'logs' };
  const one: Conflict = { kind: 'external-resource', resource, owners, why: 'both', since: sampleNow };
  const fleetCache = createFleetCache();
  for (const [name, conflictsTotal] of [
    ['eu-west-3', 1],
    ['stg-us', 4],
  ] as const)
    fleetCache.apply([{ type: 'cluster', cluster: sampleCluster(name, { conflicts: [one], conflictsTotal }) }]);
  const web = sampleMoment(fleetCache);
  const list = await answerOf(conflicts, samplePresent(web), {});
  expect(list).toMatchObject({ total: 1, notListed: 3 });
  expect(web.summary().conflicts).toBe(list.total + list.notListed);
});

describe('the page of a cluster', () => {
  function pageOf(web: KnownMoment, asked: Partial<ClusterScope>): Promise<WireClusterPage> {
    return answerOf(cluster, web, { name: 'stg-us', ...asked });
  }

  const helm = { cluster: 'stg-us', kind: 'HelmRelease', group: helmGroup };
  const mixed = () => twoClusters(bad('a'), sampleObject({ ...helm, name: 'shop' }, { reconciler: 'helm' }));

  it('is about what is filtered, says so, and says what of the rest is worse', async () => {
    expect(await pageOf(mixed(), { kind: 'HelmRelease' })).toMatchObject({
      truth: 'holds',
      sentence: 'So it is: 1 object.',
      said: [
        { text: 'So it is: ' },
        { text: '1 object', href: '/objects?cluster=stg-us&kind=HelmRelease' },
        { text: '. ' },
      ],
      filter: { text: 'kind HelmRelease', outside: 'Outside this filter: 1 diverged.' },
      counts: { diverged: 0, converged: 1 },
      offer: { kinds: ['HelmRelease', 'Kustomization'] },
      total: 1,
      objects: [{ name: 'shop' }],
    });
    expect(await pageOf(mixed(), {})).toMatchObject({ truth: 'unknown', filter: null, total: 3 });
  });

  it('says that nothing matches, and which name is none', async () => {
    const nothing = { truth: 'empty', sentence: 'Nothing matches this filter.', total: 0 };
    expect(await pageOf(mixed(), { q: 'nowhere' })).toMatchObject(nothing);
    const names = [{ parameter: 'kind', value: 'HelmRelese', nearest: ['HelmRelease'] }];
    const asked = cluster.described.query.parse({ name: 'stg-us', kind: 'HelmRelese' });
    expect(await cluster.ask(mixed(), asked)).toMatchObject({ refused: { type: 'not-there', names } });
  });

  it('each of its numbers is the total of the list that it leads to', async () => {
    let numbers = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const web = randomFleet(seed);
      for (const asked of [{}, { namespace: 'apps' }, { kind: 'HelmRelease', q: 'web' }]) {
        const page = await answerOf(cluster, web, { name: 'c1', ...asked });
        for (const said of page.said) {
          if (said.href === null) continue;
          numbers += 1;
          expect(`${seed} ${said.text}: ${await totalOf(web, said.href)}`).toBe(
            `${seed} ${said.text}: ${numberOf(said)}`,
          );
        }
        const list = await answerOf(objects, web, { ...asked, cluster: 'c1' });
        expect(page.counts).toEqual(list.counts);
      }
    }
    expect(numbers).toBeGreaterThan(60);
  });
});
