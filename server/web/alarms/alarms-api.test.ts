import { describe, expect, it } from 'vitest';
import type { AlarmFinding, AlarmReach } from '#lib/domain/alarm/finding.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { unknownAlarms, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { noGit } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { alarms as alarmsEndpoint } from '../endpoints/alarms/alarms.ts';
import { objects as objectsEndpoint } from '../endpoints/objects.ts';
import { isRefused } from '../http/problem.ts';
import { coveredAlarms } from '../testing/covered-alarms.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { toldAlarms } from '../testing/told-alarms.ts';

const minute = 60_000;
const helm = { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' };
const silentWhere = { alarm: { state: 'silent', broken: 'rule' } } as const;
const called = { alarm: { state: 'sounding', since: sampleNow - minute, by: 'own' } } as const;
const objects: readonly KnownObject[] = [
  sampleObject({ cluster: 'a', name: 'fine' }),
  sampleDiverged({ cluster: 'a', name: 'silent' }, silentWhere),
  sampleDiverged({ cluster: 'a', name: 'called' }, called),
  sampleObject({ cluster: 'a', ...helm, name: 'bare' }),
  sampleObject({ cluster: 'b', name: 'fine' }),
  sampleObject({ cluster: 'b', name: 'also-fine' }),
  sampleDiverged({ cluster: 'c', name: 'fine' }, { alarm: { state: 'unknown', why: 'not-read' } }),
];

function reachOf({ ref }: Pick<KnownObject, 'ref'>): AlarmReach {
  if (ref.cluster === 'c') return { exported: null, ruled: null, routed: null };
  if (ref.kind === 'HelmRelease') return { exported: false, ruled: false, routed: false };
  return { exported: true, ruled: ref.name !== 'silent', routed: ref.cluster === 'b' };
}

const live = { state: 'live', since: sampleNow - 60 * minute, reason: null, readAt: sampleNow - 5_000 } as const;
const source: AlarmSource = {
  name: 'eu',
  attribution: { label: 'cluster', aliases: {}, clusters: ['a', 'b'] },
  programs: [
    { ...live, program: 'prometheus', url: 'http://prometheus:9090', validUntil: sampleNow + 55_000 },
    { ...live, program: 'alertmanager', url: 'http://alertmanager:9093', validUntil: sampleNow - 1 },
  ],
  cut: ['Of 60,000 alerts the first 50,000 were read.'],
};
const other: AlarmSource = { ...source, name: 'us', attribution: { ...source.attribution, clusters: [] }, cut: [] };

function finding(part: Partial<AlarmFinding>): AlarmFinding {
  const none = { at: null, objects: null, alert: null, rule: null };
  return {
    type: 'orphan',
    source: 'eu',
    title: 'Old',
    text: 'It names nothing.',
    mend: 'Remove it.',
    ...none,
    ...part,
  };
}

const findings = [
  finding({ title: 'New', source: 'us' }),
  finding({}),
  finding({ type: 'nobody-receives', title: 'null', objects: 2, list: { kind: 'HelmRelease' } }),
];

function moment(told?: KnownAlarms, held = objects) {
  const cache = createFleetCache();
  cache.apply(['a', 'b', 'c'].map((name) => ({ type: 'cluster', cluster: sampleCluster(name) })));
  cache.apply(held.map((object) => ({ type: 'object', object })));
  const covered = { reachOf, policy: defaultPolicy, sources: [source, other], findings };
  return sampleMoment(cache, defaultPolicy, noGit('None.'), told ?? coveredAlarms(toldAlarms(held), covered));
}

const ask = (
  params: Parameters<
    typeof answerOf<
      ReturnType<typeof moment>,
      typeof alarmsEndpoint.described.query,
      typeof alarmsEndpoint.described.answer
    >
  >[2] = {},
) => answerOf(alarmsEndpoint, moment(), params);

describe('the page of alarms', () => {
  it('adds kinds up, the worst first, and beneath each its clusters', async () => {
    const { kinds, totals, kindsTotal } = await ask();
    expect(kindsTotal).toBe(2);
    expect(totals).toEqual({
      objects: 7,
      away: 3,
      exported: { yes: 5, no: 1, unknown: 1 },
      ruled: { yes: 4, no: 2, unknown: 1 },
      routed: { yes: 2, no: 4, unknown: 1 },
    });
    expect(kinds.map(({ kind, objects: n, silent, clustersTotal }) => [kind, n, silent, clustersTotal])).toEqual([
      ['Kustomization', 6, 1, 3],
      ['HelmRelease', 1, 0, 1],
    ]);
    expect(kinds[0]?.clusters.map(({ cluster, routed, why }) => [cluster, routed, why])).toEqual([
      ['a', { yes: 0, no: 3, unknown: 0 }, null],
      ['c', { yes: 0, no: 0, unknown: 1 }, 'not-read'],
      ['b', { yes: 2, no: 0, unknown: 0 }, null],
    ]);
  });

  it('holds no more clusters of a kind and findings of a type than are asked for, and says how many there are', async () => {
    const { kinds, findings: groups } = await ask({ limit: 1 });
    expect(kinds[0]?.clusters).toHaveLength(1);
    expect(kinds[0]?.clustersTotal).toBe(3);
    expect(
      groups.map(({ type, total, lines, findings: of }) => [type, total, lines, of.map(({ title }) => title)]),
    ).toEqual([
      ['nobody-receives', 1, 1, ['null']],
      ['orphan', 2, 2, ['New']],
    ]);
  });

  it('tells findings that need the same mend once, with how many there are and what they say', async () => {
    const alike = Array.from({ length: 40 }, (_, n) => finding({ text: `It names c${n}.` }));
    const told = coveredAlarms(toldAlarms(objects), {
      reachOf,
      policy: defaultPolicy,
      sources: [source, other],
      findings: [...alike, finding({ source: 'us' }), finding({ mend: 'Another.' })],
    });
    const { findings: groups, findingsTotal } = await answerOf(alarmsEndpoint, moment(told), {});
    expect(findingsTotal).toBe(42);
    expect(groups.map(({ total, lines, findings: of }) => [total, lines, of.map((one) => one.alike)])).toEqual([
      [42, 3, [39, 0, 0]],
    ]);
    expect(groups[0]?.findings[0]).toMatchObject({ text: 'It names c0.', alike: 39 });
    expect(groups[0]?.findings[0]?.others).toEqual(alike.slice(1, 21).map(({ text }) => text));
  });

  it('lists what is silent, and leads a finding to its objects', async () => {
    const { silent, silentTotal, findings: groups } = await ask();
    expect([silent.map(({ title }) => title), silentTotal]).toEqual([['silent on a'], 1]);
    expect(groups[0]?.findings[0]?.href).toBe('/objects?kind=HelmRelease');
    expect(groups[1]?.findings[0]?.href).toBeNull();
  });

  it('says of what was read too long ago that it is not believed', async () => {
    const { sources } = await ask();
    expect(sources[0]?.programs.map(({ state, since }) => [state, since])).toEqual([
      ['live', new Date(sampleNow - 60 * minute).toISOString()],
      ['old', new Date(sampleNow - 1).toISOString()],
    ]);
    expect(sources[0]?.cut).toEqual(['Of 60,000 alerts the first 50,000 were read.']);
  });

  it.each([
    ['cluster', { cluster: 'b,c' }, 3, ['eu', 'us'], 3],
    ['a cluster that not every source speaks for', { cluster: 'c' }, 1, ['us'], 1],
    ['kind', { kind: 'HelmRelease' }, 1, ['eu', 'us'], 3],
    ['group', { group: helm.group }, 1, ['eu', 'us'], 3],
    ['source', { source: 'eu' }, 7, ['eu'], 2],
    ['finding', { finding: 'orphan' }, 7, ['eu', 'us'], 2],
  ] as const)('is filtered by %s', async (_what, params, count, sources, findingsTotal) => {
    const answer = await ask(params);
    expect(answer.totals.objects).toBe(count);
    expect(answer.sources.map(({ name }) => name)).toEqual(sources);
    expect(answer.findingsTotal).toBe(findingsTotal);
  });

  it.each([
    [{ source: 'nope' }, 'source'],
    [{ cluster: 'nope' }, 'cluster'],
    [{ kind: 'Nope' }, 'kind'],
  ] as const)('refuses names that are not there: %j', async (params, parameter) => {
    const query = alarmsEndpoint.described.query.parse(params);
    const answer = await alarmsEndpoint.ask(moment(), query);
    expect(isRefused(answer) && answer.refused).toMatchObject({ type: 'not-there', names: [{ parameter }] });
  });

  it.each(['none', 'not-kept'] as const)('of which nothing is known (%s) says why, and lists nothing', async (why) => {
    const answer = await answerOf(alarmsEndpoint, moment(unknownAlarms(why)), {});
    expect(answer).toMatchObject({ unknown: why, sources: [], kinds: [], findings: [], silent: [], silentTotal: 0 });
  });

  it('does not miss a source of a past moment', async () => {
    const then = moment(unknownAlarms('not-kept'));
    expect(await answerOf(alarmsEndpoint, then, { source: 'eu' })).toMatchObject({ unknown: 'not-kept' });
  });
});

it('names the kinds that say who is called and are not kept whole, with their clusters', async () => {
  const cache = createFleetCache();
  const { feeds } = sampleCluster('a');
  const alert = feeds.slice(0, 1).map((feed) => ({ ...feed, group: 'notification.toolkit.fluxcd.io', kind: 'Alert' }));
  const alarming = { facts: [], cut: ['notification-alert'] } as const;
  const clusters = ['a', 'b'].map((name) => sampleCluster(name, { feeds: [...feeds, ...alert], alarming }));
  cache.apply([...clusters, sampleCluster('c')].map((cluster) => ({ type: 'cluster', cluster })));
  const covered = coveredAlarms(toldAlarms([]), { reachOf, policy: defaultPolicy });
  const told = (params: { readonly cluster?: string }) =>
    answerOf(alarmsEndpoint, sampleMoment(cache, defaultPolicy, noGit('None.'), covered), params);
  expect((await told({})).cut).toEqual([{ kind: 'Alert', clusters: ['a', 'b'], clustersTotal: 2 }]);
  expect((await told({ cluster: 'b' })).cut).toEqual([{ kind: 'Alert', clusters: ['b'], clustersTotal: 1 }]);
  expect((await told({ cluster: 'c' })).cut).toEqual([]);
});

it('does not miss the Alerts of what is declared: it is on no cluster', async () => {
  const cache = createFleetCache();
  const declared = sampleCluster('not on a cluster', { state: 'declared', feeds: [] });
  cache.apply([sampleCluster('a'), declared].map((cluster) => ({ type: 'cluster', cluster })));
  const covered = coveredAlarms(toldAlarms([]), { reachOf, policy: defaultPolicy });
  const answer = await answerOf(alarmsEndpoint, sampleMoment(cache, defaultPolicy, noGit('None.'), covered), {});
  expect([answer.notifications.unread, answer.notifications.unreadTotal]).toEqual([['a'], 1]);
});

describe('silent objects', () => {
  const cause = { type: 'controller', cluster: 'a', namespace: 'flux-system', name: 'kustomize-controller' } as const;
  const stale = (name: string, broken: 'rule' | 'news', kind: Partial<typeof helm> = {}): KnownObject =>
    sampleDiverged(
      { cluster: 'a', name, ...kind },
      { verdict: 'stale', rootCause: cause, alarm: { state: 'silent', broken } },
    );
  const all = [
    ...objects,
    ...Array.from({ length: 12 }, (_, n) => stale(`app-${n}`, n < 9 ? 'news' : 'rule')),
    stale('release', 'news', helm),
  ];

  it('are one line a cause, with the broken link of most, and lead to the list of exactly these', async () => {
    const { silent, silentCauses, silentTotal } = await answerOf(alarmsEndpoint, moment(undefined, all), {});
    expect([silentCauses, silentTotal]).toEqual([2, 14]);
    expect(silent.map(({ title, objects: n, broken }) => [title, n, broken])).toEqual([
      ['silent on a', 1, { link: 'rule', objects: 1, silent: 1 }],
      ['kustomize-controller on a', 13, { link: 'news', objects: 10, silent: 13 }],
    ]);
    for (const { href, objects: n } of silent) expect(await listed(href)).toHaveLength(n);
  });

  it('keep the filter of the page in their lists', async () => {
    const { silent } = await answerOf(alarmsEndpoint, moment(undefined, all), { kind: 'HelmRelease' });
    expect(silent.map(({ objects: n }) => n)).toEqual([1]);
    expect(await listed(silent[0]?.href ?? '')).toEqual(['release']);
  });

  async function listed(href: string): Promise<readonly string[]> {
    const params = Object.fromEntries(new URL(href, 'http://plumbline').searchParams);
    const query = objectsEndpoint.described.query.parse(params);
    const list = await answerOf(objectsEndpoint, moment(undefined, all), query);
    return list.objects.map(({ name }) => name);
  }
});

describe('every number of the page', () => {
  const steps = ['exported', 'ruled', 'routed'] as const;
  const total = async (params: Parameters<typeof objectsEndpoint.described.query.parse>[0]) => {
    const { total: found } = await answerOf(objectsEndpoint, moment(), objectsEndpoint.described.query.parse(params));
    return found;
  };

  it.each(steps)('is that of the list that it leads to: %s', async (step) => {
    const { totals, kinds } = await ask();
    expect(await total({ reach: step })).toBe(totals[step].yes);
    expect(await total({ reach: `not-${step}` })).toBe(totals[step].no);
    expect(await total({ reach: `unknown-${step}` })).toBe(totals[step].unknown);
    for (const { group, kind, clusters } of kinds)
      for (const row of clusters)
        expect(await total({ cluster: row.cluster, group, kind, reach: `not-${step}` })).toBe(row[step].no);
  });

  it('of silent and away objects is that of their lists', async () => {
    const { kinds } = await ask();
    expect(await total({ kind: 'Kustomization', guarantee: 'broken' })).toBe(kinds[0]?.silent);
    expect(await total({ kind: 'Kustomization', verdict: 'diverged,stale' })).toBe(kinds[0]?.away);
    expect(await total({ alarm: 'sounding' })).toBe(1);
    expect(await total({ link: 'rule' })).toBe(1);
    expect(await total({ alarm: 'unknown,sounding' })).toBe(2);
  });
});

it('gives every kind on every cluster as CSV', async () => {
  const query = alarmsEndpoint.described.query.parse({ format: 'csv' });
  const file = await alarmsEndpoint.ofPast?.file(moment(), query, '');
  if (!file || isRefused(file)) throw new Error('there is no file');
  const lines: string[] = [];
  for await (const piece of file.lines) lines.push(...piece.trim().split('\r\n'));
  expect(file.name).toBe('alarms.csv');
  expect(lines).toEqual([
    'cluster,group,kind,objects,away,silent,exported,ruled,routed,rules,receivers,firedAt,unknown',
    'a,kustomize.toolkit.fluxcd.io,Kustomization,3,2,1,3,2,0,FluxReconciliationFailure,,,',
    'a,helm.toolkit.fluxcd.io,HelmRelease,1,0,0,0,0,0,,,,',
    'c,kustomize.toolkit.fluxcd.io,Kustomization,1,1,0,,,,,,,not-read',
    'b,kustomize.toolkit.fluxcd.io,Kustomization,2,0,0,2,2,2,FluxReconciliationFailure,oncall (pagerduty),,',
  ]);
});
