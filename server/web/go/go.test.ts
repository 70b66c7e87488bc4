import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireGo } from '#lib/api/pager/go.ts';
import { minute } from '#lib/domain/time/length.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import {
  goodCommit,
  helmGroup,
  sampleCluster,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleRef,
  sampleSource,
} from '../testing/sample.ts';

let web: RunningWeb;

const checkout = sampleRef({ name: 'checkout' });
const removed = sampleRef({ name: 'legacy' });
const newcomer = sampleRef({ name: 'newcomer' });
const ago = (minutes: number): number => sampleNow - minutes * minute;
const text = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const { group: _unnamed, ...named } = checkout;

function turned(minutes: number, ref: ObjectRef, from: Verdict | null, to: Verdict | null): void {
  const at = ago(minutes);
  const rest = { reason: 'x', message: 'x', commit: goodCommit, attempted: null, rootCause: null } as const;
  web.store.transition({ ref, uid: `uid-${ref.name}`, at, bound: 'exact', noticedAt: at, from, to, ...rest });
}

beforeEach(async () => {
  web = await runningWeb();
  for (const name of ['eu-west-3', 'us-east-1']) {
    web.store.cluster(sampleCluster(name));
    web.store.covered({ cluster: name, kind: null, at: ago(120), observed: true, state: 'live', reason: null });
    web.store.object(sampleSource(name));
    web.store.object(sampleObject({ cluster: name, name: 'payments' }));
  }
  web.store.cluster(sampleCluster('ap-south-1', { state: 'unreachable', since: ago(40), reason: 'no route to host' }));
  web.store.object(sampleDiverged({ name: 'checkout' }));
  web.store.object(sampleObject(newcomer));
  turned(110, checkout, null, 'converged');
  turned(60, checkout, 'converged', 'diverged');
  turned(100, removed, null, 'converged');
  turned(20, removed, 'converged', null);
  turned(10, newcomer, null, 'converged');
  await web.advance(1000);
});
afterEach(() => web.stop());

async function go(params: Readonly<Record<string, string>>): Promise<WireGo> {
  const answer = await web.get(`/api/v1/go?${new URLSearchParams(params).toString()}`);
  expect(answer.status).toBe(200);
  return WireGo.parse(await answer.json());
}

describe('one object by all that was named', () => {
  it('is where the link leads', async () => {
    const found = await go(named);
    expect(found).toMatchObject({ outcome: 'exact', target: objectPath(checkout), at: null, timeNote: null, total: 1 });
    expect(found.sentence).toBe('The labels name Kustomization flux-system/checkout on eu-west-3.');
  });

  it.each([
    ['seconds', String(ago(90) / 1000)],
    ['seconds with decimals', `${ago(90) / 1000}.0`],
    ['ms', String(ago(90))],
    ['RFC 3339', text(ago(90))],
  ])('at the time of the page, in %s', async (_unit, at) => {
    const found = await go({ ...named, at });
    expect(found).toMatchObject({
      outcome: 'exact',
      at: text(ago(90)),
      target: `${objectPath(checkout)}?at=${text(ago(90))}`,
    });
    expect(found.objects[0]?.verdict).toBe('converged');
    expect(await go({ ...named, startsAt: at })).toEqual(found);
  });

  it('that has been removed since is found where it was', async () => {
    const found = await go({ ...named, name: removed.name, at: text(ago(50)) });
    expect(found).toMatchObject({ outcome: 'exact', target: `${objectPath(removed)}?at=${text(ago(50))}` });
  });

  it('within a minute of now it is that of now: clocks of pagers are not ours', async () => {
    for (const at of [sampleNow - 30_000, sampleNow + 45_000])
      expect(await go({ ...named, at: String(at) })).toMatchObject({
        at: null,
        timeNote: null,
        target: objectPath(checkout),
      });
  });

  it.each([
    ['tomorrow', '"tomorrow" cannot be read as a time: this is of now.'],
    [text(ago(-60)), '21 Nov 03:00:00 UTC is not in the past: this is of now.'],
    ['9999999999999999999', '"9999999999999999999" cannot be read as a time: this is of now.'],
    [
      '2020-01-01T00:00:00Z',
      'The record begins at 21 Nov 00:00:00 UTC: nothing is known of 1 Jan 2020 00:00:00 UTC. This is of now.',
    ],
    [
      '0001-01-01T00:00:00Z',
      'The record begins at 21 Nov 00:00:00 UTC: nothing is known of 1 Jan 1 00:00:00 UTC. This is of now.',
    ],
  ])('a time that is none is said, and nobody is led on: %s', async (at, timeNote) => {
    expect(await go({ ...named, at })).toMatchObject({ outcome: 'exact', at: null, timeNote, target: null, total: 1 });
  });

  it('nobody is led on past what was not read', async () => {
    const found = await go({ ...named, labels: 'name=other' });
    expect(found).toMatchObject({
      outcome: 'exact',
      target: null,
      unread: ['The label name was given with two values; the first is read.'],
    });
  });
});

it('by a guess: what it is, and what was assumed', async () => {
  const found = await go({ ...named, namespace: 'monitoring' });
  expect(found).toMatchObject({ outcome: 'inferred', target: null, total: 1 });
  expect(found.sentence).toBe('The labels may mean Kustomization flux-system/checkout on eu-west-3.');
  expect(found.assumed).toEqual([
    'The label namespace is monitoring, where there is none; it may be the namespace of the exporter, and is left out.',
  ]);
  expect(found.objects.map(({ name }) => name)).toEqual(['checkout']);
});

it('several: worst first, and where all of them are listed', async () => {
  const found = await go({ kind: 'kustomizations', cluster: 'eu-west-3' });
  expect(found).toMatchObject({ outcome: 'several', total: 3, target: null });
  expect(found.objects.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    'checkout diverged',
    'newcomer converged',
    'payments converged',
  ]);
  expect(found.ways[0]?.text).toBe('All 3 objects as a list');
  const list = await web.get(`/api/v1${found.ways[0]?.href ?? ''}`);
  expect(await list.json()).toMatchObject({ total: 3 });
});

it('of more than are listed it says how many there are', async () => {
  for (let n = 0; n < 70; n += 1) web.store.object(sampleObject({ cluster: 'us-east-1', name: `team-${n}` }));
  await web.advance(1000);
  const found = await go({ kind: 'kustomization', cluster: 'us-east-1' });
  expect([found.total, found.objects.length]).toEqual([71, 50]);
  const everywhere = await go({ kind: 'kustomization' });
  const names = everywhere.objects.map(({ cluster, name }) => `${cluster} ${name}`);
  expect([everywhere.total, names.length, names[0]]).toEqual([74, 50, 'eu-west-3 checkout']);
  expect(names.slice(1)).toEqual(names.slice(1).toSorted());
});

describe('none: what is known of each part', () => {
  it('a name that is not there', async () => {
    const found = await go({ ...named, name: 'chekout' });
    expect(found).toMatchObject({ outcome: 'none', total: 0, target: null });
    expect(found.sentence).toBe('No Kustomization flux-system/chekout is known on eu-west-3.');
    expect(found.known).toEqual([
      'Cluster eu-west-3 is seen: 4 objects known there.',
      'Kustomization is watched there: 3 objects.',
      'In namespace flux-system there: 4 objects known.',
    ]);
    expect(found.nearest.map(({ name }) => name)).toContain('checkout');
    expect(found.ways.map(({ href }) => href)).toEqual([
      '/clusters/eu-west-3',
      '/objects?cluster=eu-west-3&kind=Kustomization',
      '/objects?q=chekout',
      '/incidents?cluster=eu-west-3',
      '/',
    ]);
  });

  it.each<[string, Record<string, string>, string, RegExp]>([
    ['a cluster that is not configured', { cluster: 'eu-west-9' }, 'known', /^No cluster eu-west-9 is configured\.$/],
    [
      'a cluster that is lost',
      { cluster: 'ap-south-1' },
      'known',
      /^Cluster ap-south-1 has not been seen for 40 min, so what is there now is not known: no route to host\.$/,
    ],
    [
      'a kind that nobody has',
      { kind: 'Kustomisation' },
      'known',
      /^No kind Kustomisation is watched there\. Nearest: Kustomization/,
    ],
    [
      'a namespace that is empty',
      { exported_namespace: 'nope' },
      'known',
      /^Nothing is known in namespace nope there\.$/,
    ],
  ])('%s', async (_what, other, _field, said) => {
    const found = await go({ ...named, ...other });
    expect(found.outcome).toBe('none');
    expect(found.known.filter((sentence) => said.test(sentence))).toHaveLength(1);
  });

  it('a cluster that is misspelled: the object on the one that is near, else that one', async () => {
    const there = await go({ ...named, cluster: 'us-east-2', name: 'payments' });
    expect(there.nearest[0]).toEqual(sampleRef({ cluster: 'us-east-1', name: 'payments' }));
    const cluster = await go({ cluster: 'us-east-2' });
    expect(cluster.nearest[0]).toMatchObject({ cluster: 'us-east-1', name: '' });
    expect((await go({ ...named, cluster: 'us-east-2', at: text(ago(90)) })).known).toEqual([
      'No cluster us-east-2 was known then.',
    ]);
  });

  it('a row of what is declared is no cluster that was searched', async () => {
    web.store.cluster(sampleCluster('not on a cluster', { state: 'declared', feeds: [] }));
    await web.advance(1000);
    const { known } = await go({ kind: 'Kustomization', name: 'nope' });
    expect(known[0]).toBe('No cluster was named: all 3 were searched.');
  });

  it('of a cluster that is not seen nothing is said of its kinds', async () => {
    expect((await go({ ...named, cluster: 'ap-south-1' })).known).toHaveLength(1);
  });

  it('incidents are those of the cluster, or of all where that is not known', async () => {
    expect((await go({ ...named, name: 'chekout' })).incidentsOn).toBe('eu-west-3');
    expect((await go({ ...named, cluster: 'eu-west-9' })).incidentsOn).toBeNull();
  });

  it('a kind that may not be read', async () => {
    const { feeds } = sampleCluster('eu-west-3');
    const reason = 'User "x" cannot list resource "helmreleases"';
    web.store.cluster(
      sampleCluster('eu-west-3', {
        feeds: feeds.map((feed) => (feed.kind === 'HelmRelease' ? { ...feed, state: 'forbidden', reason } : feed)),
      }),
    );
    await web.advance(1000);
    const found = await go({ cluster: 'eu-west-3', kind: 'helmrelease', name: 'web', group: helmGroup });
    expect(found.known).toContain(`HelmRelease cannot be read there, so this one may be there unseen. ${reason}`);
  });

  it('an object that was removed: until when it was there, and in which state', async () => {
    const found = await go({ ...named, name: removed.name });
    expect(found.outcome).toBe('none');
    expect(found.recorded).toMatchObject([{ ref: removed, last: { to: null, from: 'converged' } }]);
  });

  it('an object that came later: that it is there now', async () => {
    const found = await go({ ...named, name: newcomer.name, at: text(ago(30)) });
    expect(found).toMatchObject({ outcome: 'none', at: text(ago(30)), thereNow: [newcomer] });
    expect(found.sentence).toBe('No Kustomization flux-system/newcomer was known then on eu-west-3.');
  });

  it('a fingerprint that nobody knows: where it was looked for', async () => {
    const found = await go({ fingerprint: '3b15fd163d36582e', at: String(ago(5)) });
    expect(found.sentence).toBe('No alert with this fingerprint is known.');
    expect(found.foundBy).toEqual([
      'Fingerprint 3b15fd163d36582e is not known: no alarm source is configured, so the link must carry the labels themselves.',
    ]);
    expect(found.given).toEqual([{ name: 'fingerprint', value: '3b15fd163d36582e' }]);
  });

  it('nothing at all', async () => {
    expect(await go({})).toMatchObject({ outcome: 'none', sentence: 'No labels were given.', given: [], known: [] });
  });
});

describe('whatever comes', () => {
  it.each<[string, Record<string, string>]>([
    ['marks of HTML', { ...named, name: '<script>alert(1)</script>' }],
    ['what steers a terminal', { ...named, name: 'ab\u0000c\u001B[31m' }],
    ['a path', { ...named, name: '../../x', cluster: '//evil.example' }],
    ['an address', { ...named, kind: 'https://evil.example/' }],
    ['halves of letters', { labels: '{a="\uD800"}' }],
    ['names of what every object of JavaScript has', { ['__proto__']: 'x', constructor: 'y', toString: 'z' }],
    ['a time beyond all calendars', { ...named, at: '99999999999' }],
    ['commas in the name of the cluster', { ...named, cluster: 'eu-west-3,us-east-1' }],
    ['many labels', Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`l${n}`, 'v']))],
  ])('is answered, cleaned and kept at home: %s', async (_what, params) => {
    const found = await go(params);
    expect(found.target === null || found.target.startsWith('/clusters/')).toBe(true);
    for (const { href } of found.ways) expect(href).toMatch(/^\/(?!\/)/);
    expect(JSON.stringify(found)).not.toMatch(/\\u00[01]|\\ud800/);
    expect(found.given.length).toBeLessThanOrEqual(64);
  });

  it('a store that cannot be read is no reason to say nothing', async () => {
    web.store.fail('the disk is gone');
    await web.advance(1000);
    const found = await go({ ...named, name: 'chekout', at: text(ago(50)) });
    expect(found).toMatchObject({ outcome: 'none', at: null });
    expect(found.timeNote).toMatch(/^The record cannot be read now/);
    expect(found.given).toHaveLength(4);
  });

  it('letters that turn the direction of text are refused at the door, as in every address', async () => {
    expect((await web.get('/api/v1/go?name=a%E2%80%AEb')).status).toBe(400);
  });

  it('a parameter that is given twice is refused, as everywhere in the API', async () => {
    expect((await web.get('/api/v1/go?kind=a&kind=b')).status).toBe(400);
  });
});
