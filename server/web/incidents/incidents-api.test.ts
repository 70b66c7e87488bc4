import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WireIncidentList, WireIncidentPage, WireMemberships, type WireIncident } from '#lib/api/incident.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { startRecord } from '#test/contract/record-writing/record-writer.ts';
import { batchOf } from '#test/contract/store-records.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { helmGroup, kustomizeGroup, sampleCluster, sampleDetail, sampleNow, sampleObject } from '../testing/sample.ts';

const record = startRecord();
const store = memoryStore(record.recorded);
let web: RunningWeb;

const ago = (minutes: number): number => sampleNow - minutes * minute;
const controller: Cause = {
  type: 'controller',
  cluster: 'eu-west-3',
  namespace: 'flux-system',
  name: 'kustomize-controller',
};
const control: Cause = {
  type: 'object',
  ref: {
    cluster: 'eu-west-4',
    group: 'source.toolkit.fluxcd.io',
    kind: 'GitRepository',
    namespace: 'flux-system',
    name: 'control',
  },
};

type Verdict = CurrentObject['verdict'];
const living = new Map<string, CurrentObject>();

/** So many minutes ago an object is seen in a verdict, which is known at once and goes on where it is the same; `rootCause`: another's fault. */
function turn(minutes: number, name: string, verdict: Verdict, rootCause: Cause | null = null): void {
  const [cluster = '', app = ''] = name.split('/');
  const before = living.get(name) ?? null;
  const goesOn = before?.verdict === verdict;
  const begun = { time: ago(minutes), bound: 'exact', noticedAt: ago(minutes) } as const;
  const onset = goesOn ? before.onset : begun;
  const awaySince = verdict === 'converged' ? null : (before?.awaySince ?? onset);
  const said = verdict === 'converged' ? {} : { reason: `Is ${verdict}`, message: `${app} is ${verdict}` };
  const object = sampleObject({ cluster, name: app }, { verdict, onset, awaySince, rootCause, range: null, ...said });
  living.set(name, object);
  const { ref, uid, reason, message, commit } = object;
  const turned = { ref, uid, at: ago(minutes), bound: 'exact', noticedAt: ago(minutes) } as const;
  const transition = {
    ...turned,
    from: before?.verdict ?? null,
    to: verdict,
    reason,
    message,
    commit,
    attempted: null,
    rootCause,
  };
  const objects = [{ object, detail: sampleDetail(object) }];
  record.write(cluster, batchOf({ at: ago(minutes), objects, transitions: goesOn ? [] : [transition] }));
  store.object(object);
}

function cover(minutes: number, cluster: string, state: string): void {
  const change = { cluster, kind: null, at: ago(minutes), observed: state === 'live', state, reason: null };
  record.write(cluster, batchOf({ at: ago(minutes), coverage: [change] }));
}

beforeAll(async () => {
  web = await runningWeb(null, { keys: null, frameAncestors: [] }, store);
  for (const [name, environment] of [
    ['eu-west-3', 'production'],
    ['eu-west-4', 'production'],
    ['stg', 'staging'],
  ] as const) {
    const cluster = sampleCluster(name, { labels: { environment } });
    record.write(name, batchOf({ at: ago(900), cluster }));
    store.cluster(cluster);
    cover(900, name, 'live');
    for (const app of ['checkout', 'mail', 'web']) turn(800, `${name}/${app}`, 'converged');
  }
  // A controller dies, and comes back.
  for (const app of ['checkout', 'mail', 'web']) turn(400, `eu-west-3/${app}`, 'stale', controller);
  for (const [minutes, app] of [
    [350, 'checkout'],
    [340, 'mail'],
    [300, 'web'],
  ] as const)
    turn(minutes, `eu-west-3/${app}`, 'converged');
  // Two fail, each by itself as it seems; then both lie beneath a source.
  turn(200, 'eu-west-4/checkout', 'diverged');
  cover(195, 'eu-west-4', 'unobserved');
  cover(192, 'eu-west-4', 'live');
  turn(190, 'eu-west-4/web', 'unhealthy');
  turn(180, 'eu-west-4/checkout', 'diverged', control);
  turn(170, 'eu-west-4/web', 'unhealthy', control);
  // A cluster is lost, and seen again.
  cover(60, 'stg', 'unreachable');
  cover(50, 'stg', 'live');
  await web.advance(1000);
});
afterAll(() => web.stop());

const json = async (path: string): Promise<unknown> => (await web.get(`/api/v1/${path}`)).json();
const list = async (query = ''): Promise<WireIncidentList> => WireIncidentList.parse(await json(`incidents?${query}`));
const page = async (id: string, query = ''): Promise<WireIncidentPage> =>
  WireIncidentPage.parse(await json(`incidents/${id}?${query}`));
const inWords = ({ title, worst, ended, most }: WireIncident): string => `${title}: ${worst} ${most.objects} ${ended}`;
const at = (minutes: number): string => `at=${new Date(ago(minutes)).toISOString()}`;

const [dead, source, lost] = [
  'kustomize-controller on eu-west-3: stale 3 converged',
  'control on eu-west-4: diverged 2 null',
  'cluster stg lost: unobserved 3 seen',
];

describe('the incidents of a fleet', () => {
  it.each<[string, readonly string[]]>([
    ['', [lost, source, dead]],
    ['last=6h', [lost, source, dead]],
    ['from=2026-11-21T00:00:00Z', [lost, source]],
    ['to=2026-11-20T21:00:00Z', [dead]],
    ['verdict=stale,unobserved', [lost, dead]],
    ['cause=controller', [dead]],
    ['cause=cluster,object', [lost, source]],
    ['open=true', [source]],
    ['open=false', [lost, dead]],
    ['cluster=eu-west-3,stg', [lost, dead]],
    ['label=environment=production', [source, dead]],
    ['label=environment=production&cluster=stg,eu-west-3', [dead]],
    ['label=environment=staging&cluster=eu-west-3', []],
    ['name=mail', [dead]],
    ['kind=Kustomization&name=checkout', [source, dead]],
    [`kind=Kustomization&group=${kustomizeGroup}`, [source, dead]],
    ['objects=3', [lost, dead]],
    ['objects=4', []],
    ['minutes=100', [source, dead]],
    ['minutes=101', [source]],
    ['order=largest&objects=3', [lost, dead]],
    ['order=longest', [source, dead, lost]],
    ['order=worst', [source, dead, lost]],
  ])('asked with "%s" are %j', async (query, found) => {
    const { rows } = await list(query);
    expect(rows.map(inWords)).toEqual(found);
  });

  it('are counted over all of the scope, whatever else is filtered', async () => {
    const all = { opened: 3, openAtStart: 0, closed: 2, closedFromBefore: 0, gone: 0, open: 1, large: 0 };
    expect((await list('verdict=drifted')).figures).toMatchObject({ ...all, medianToNotice: 0 });
    expect((await list('label=environment=staging')).figures).toMatchObject({
      opened: 1,
      medianToConverge: 10 * minute,
    });
    expect((await list('last=6h')).figures).toMatchObject({
      openAtStart: 1,
      opened: 2,
      closed: 2,
      closedFromBefore: 1,
    });
  });

  it.each<[number, readonly string[]]>([
    [401, []],
    [400, ['kustomize-controller on eu-west-3: stale 3 null']],
    [320, ['kustomize-controller on eu-west-3: stale 3 null']],
    [185, ['web on eu-west-4: unhealthy 1 null', 'checkout on eu-west-4: diverged 1 null', dead]],
    [175, ['web on eu-west-4: unhealthy 1 null', 'control on eu-west-4: diverged 1 null', dead]],
    [55, ['cluster stg lost: unobserved 3 null', source, dead]],
  ])('as known %i minutes ago tell nothing of later', async (minutes, found) => {
    expect((await list(at(minutes))).rows.map(inWords)).toEqual(found);
  });

  it('come page by page', async () => {
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect([...first.rows, ...second.rows].map(inWords)).toEqual([lost, source, dead]);
    expect(second.nextCursor).toBeNull();
  });

  it('are all in the file, now and as known then', async () => {
    const answer = await web.get('/api/v1/incidents?format=csv');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="incidents.csv"');
    const titles = (text: string): string[] =>
      text.split('\r\n').flatMap((line) => (line === '' ? [] : [line.split(',')[1] ?? '']));
    const all = ['title', 'cluster stg lost', 'control on eu-west-4', 'kustomize-controller on eu-west-3'];
    expect(titles(await answer.text())).toEqual(all);
    const then = await (await web.get(`/api/v1/incidents?format=csv&${at(185)}`)).text();
    expect(titles(then)).toEqual([
      'title',
      'web on eu-west-4',
      'checkout on eu-west-4',
      'kustomize-controller on eu-west-3',
    ]);
  });
});

describe('one incident', () => {
  it('has its members, those that are in it first, and its steps', async () => {
    const [, , row] = (await list()).rows;
    const { incident, members, steps, blind } = await page(row?.id ?? '');
    expect(incident).toEqual(row);
    expect(incident).toMatchObject({
      openedAt: new Date(ago(400)).toISOString(),
      closedAt: new Date(ago(300)).toISOString(),
      links: { cause: '/clusters/eu-west-3' },
    });
    expect(members.map(({ ref, own, cause }) => `${ref?.name} ${own} ${cause?.title}`).toSorted()).toEqual(
      ['checkout', 'mail', 'web'].map((name) => `${name} false kustomize-controller on eu-west-3`),
    );
    expect(steps.at(0)).toMatchObject({ type: 'opened', objects: 1 });
    expect(steps.slice(-3).map(({ type, objects }) => [type, objects])).toEqual([
      ['shrunk', 2],
      ['shrunk', 1],
      ['closed', 0],
    ]);
    expect(blind).toEqual([]);
  });

  it('says for what it was taken, and when nobody looked', async () => {
    const [, row] = (await list()).rows;
    const { incident, blind } = await page(row?.id ?? '');
    expect(incident.takenFor).toEqual([{ title: 'checkout on eu-west-4', until: new Date(ago(180)).toISOString() }]);
    const times = { from: new Date(ago(195)).toISOString(), to: new Date(ago(192)).toISOString() };
    expect(blind).toEqual([{ cluster: 'eu-west-4', ...times, reason: 'unobserved' }]);
  });

  it('that became part of another leads there, and was its own before', async () => {
    const younger = (await list(at(185))).rows[0];
    const older = (await list()).rows[1];
    const { incident, mergedFrom } = await page(younger?.id ?? '');
    expect([incident.id, mergedFrom]).toEqual([older?.id, { id: younger?.id, at: new Date(ago(170)).toISOString() }]);
    const then = await page(younger?.id ?? '', at(171));
    expect([then.incident.id, then.mergedFrom, then.incident.title]).toEqual([younger?.id, null, 'web on eu-west-4']);
  });

  it('of a lost cluster has that as its member', async () => {
    const [row] = (await list()).rows;
    const { members } = await page(row?.id ?? '');
    expect(members).toMatchObject([
      { ref: null, cluster: 'stg', objects: 3, own: true, links: { self: '/clusters/stg' } },
    ]);
  });

  it('has a file of its members', async () => {
    const [, , row] = (await list()).rows;
    const answer = await web.get(`/api/v1/incidents/${row?.id}?format=csv`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="incident-${row?.id}.csv"`);
    expect((await answer.text()).split('\r\n')).toHaveLength(5);
  });

  it('that is not there, or was not yet, is refused', async () => {
    const [row] = (await list()).rows;
    for (const path of ['incidents/nowhere', 'incidents/nowhere?format=csv', `incidents/${row?.id}?${at(61)}`]) {
      const answer = await web.get(`/api/v1/${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
      expect(await answer.json()).toMatchObject({ type: '/problems/not-found', title: 'Not found' });
    }
  });
});

describe('the incidents that an object was part of', () => {
  const of = (cluster: string, name: string): string =>
    `memberships?cluster=${cluster}&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=${name}`;
  const told = async (path: string): Promise<readonly unknown[]> =>
    WireMemberships.parse(await json(path)).rows.map(({ member, incident }) => [
      incident.title,
      incident.id === member.incident,
      member.to === null,
    ]);

  it('are told with its time in each, as known now and then', async () => {
    expect(await told(of('eu-west-3', 'checkout'))).toEqual([['kustomize-controller on eu-west-3', true, false]]);
    expect(await told(of('eu-west-4', 'web'))).toEqual([['control on eu-west-4', true, true]]);
    expect(await told(`${of('eu-west-4', 'web')}&${at(185)}`)).toEqual([['web on eu-west-4', true, true]]);
    expect(await told(of('stg', 'mail'))).toEqual([]);
  });

  it('are refused of an object that was never there', async () => {
    const answer = await web.get(`/api/v1/${of('eu-west-3', 'chekout')}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      detail: 'There is no Kustomization flux-system/chekout on eu-west-3.',
      nearest: [{ name: 'checkout' }],
    });
  });
});

it.each([
  ['incidents?verdict=bad', 400, { parameter: 'verdict' }],
  ['incidents?cause=weather', 400, { parameter: 'cause' }],
  ['incidents?open=perhaps', 400, { parameter: 'open' }],
  ['incidents?objects=-1', 400, { parameter: 'objects' }],
  ['incidents?minutes=x', 400, { parameter: 'minutes' }],
  ['incidents?order=oldest', 400, { parameter: 'order' }],
  ['incidents?label=production', 400, { parameter: 'label' }],
  ['incidents?limit=1001', 400, { parameter: 'limit' }],
  ['incidents?cursor=x', 400, { parameter: 'cursor' }],
  ['incidents?from=2027-11-21T01:00:00Z', 400, { parameter: 'from' }],
  ['incidents?format=xml', 400, { parameter: 'format' }],
  ['incidents?verdit=stale', 400, { parameter: 'verdit' }],
  ['incidents?at=2027-11-21T01:00:00Z', 400, { parameter: 'at' }],
  ['incidents?cluster=eu-west', 404, { notThere: [{ parameter: 'cluster', nearest: ['eu-west-3', 'eu-west-4'] }] }],
  ['incidents?label=environment=prod', 404, { notThere: [{ parameter: 'label' }] }],
  ['incidents?kind=Kustomizatoin', 404, { notThere: [{ parameter: 'kind', nearest: ['Kustomization'] }] }],
  [`incidents?kind=Kustomization&group=${helmGroup}x`, 404, { notThere: [{ parameter: 'group' }] }],
  ['incidents?format=csv&name=chekout', 404, { notThere: [{ parameter: 'name', nearest: ['checkout'] }] }],
  ['incidents/x?cluster=eu-west-3', 400, { parameter: 'cluster' }],
  ['memberships?cluster=eu-west-3', 400, { parameter: 'kind' }],
])('%s is refused: %i %j', async (path, status, problem) => {
  const answer = await web.get(`/api/v1/${path}`);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject(problem);
});

it('while stored history is being made into incidents everything says up to when', async () => {
  store.made(ago(185));
  const { rows, figures, made, to } = await list();
  expect(rows.map(inWords)).toEqual([
    'web on eu-west-4: unhealthy 1 null',
    'checkout on eu-west-4: diverged 1 null',
    dead,
  ]);
  const upTo = new Date(ago(185)).toISOString();
  expect([figures?.opened, made, to]).toEqual([3, { upTo }, upTo]);
  expect((await page(rows[0]?.id ?? '')).made).toEqual({ upTo });
  expect((await web.get('/api/v1/incidents?format=csv')).status).toBe(503);
  store.made(0);
  expect(await list()).toMatchObject({ rows: [], figures: null, made: { upTo: null } });
  expect((await web.get(`/api/v1/incidents/${rows[0]?.id}`)).status).toBe(404);
  store.made(null);
  expect((await list()).made).toBeNull();
});
