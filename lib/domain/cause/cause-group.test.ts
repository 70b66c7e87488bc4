import type { KnownObject } from '../alarm/known-object.ts';
import type { AlarmLink } from '../alarm/link.ts';
import { describe, expect, it } from 'vitest';
import { gatherCauses, worseAlarm } from './cause-gathering.ts';
import { causesWithObjects, groupCauses } from './cause-group.ts';
import { orderCauses } from './cause-order.ts';
import type { CommitRange } from '../record/commit-range.ts';
import { noon, observed, recorded, revisionA, revisionB } from '../testing/observed.ts';
import { minute } from '../time/length.ts';

const { ref } = observed();
const named = (name: string) => ({ ...ref, name });
const revisionC = `main@sha1:${'c'.repeat(40)}`;
const brokenAt = (firstBad: string): CommitRange => ({ lastGood: revisionA, firstBad, seenBetween: 0, watched: true });
const since = (minutes: number) => ({ time: noon - minutes * minute, bound: 'exact' as const, noticedAt: noon });

it('of two alarms the worse is told, silence before what is not known', () => {
  const worstFirst = ['silent', 'unknown', 'pending', 'not-due', 'sounding'] as const;
  for (const [rank, worse] of worstFirst.entries())
    for (const other of worstFirst.slice(rank))
      expect([worseAlarm(worse, other), worseAlarm(other, worse)]).toEqual([worse, worse]);
});

it.each([
  ['diverged', 1],
  ['drifted', 1],
  ['unhealthy', 1],
  ['stale', 1],
  ['unobserved', 1],
  ['behind', 1],
  ['waiting', 1],
  ['suspended', 0],
  ['progressing', 0],
  ['unconfirmed', 0],
  ['converged', 0],
] as const)('what is %s alone makes %i lines', (verdict, lines) => {
  expect(groupCauses([recorded({ verdict })])).toHaveLength(lines);
  expect(groupCauses([recorded({ verdict, role: 'declared' })])).toEqual([]);
});

it.each([
  [{ type: 'cluster', cluster: 'c1' }, 30],
  [{ type: 'feed', cluster: 'c1', group: 'g', kind: 'K' }, 30],
  [{ type: 'controller', cluster: 'c1', namespace: 'n', name: 'x' }, 60],
] as const)('what is lost since %j is lost when that is, not when it went away itself', (rootCause, minutes) => {
  const object = recorded({ verdict: 'unobserved', rootCause, onset: since(30), awaySince: since(60) });
  expect(groupCauses([object])).toMatchObject([{ since: since(minutes), verdict: 'unobserved' }]);
});

it.each(['SourceMissing', 'PartMissing', 'DeliveryNotSeen', 'ArtifactFailed'])(
  'that its cause is not there is told by the reason %s',
  (reason) => {
    const rootCause = { type: 'object', ref: named('base') } as const;
    const beneath = recorded({ verdict: 'stale', reason, rootCause });
    const other = recorded({ ref: named('other'), verdict: 'stale', reason: 'Other', rootCause });
    for (const objects of [
      [beneath, other],
      [other, beneath],
    ])
      expect(groupCauses(objects)).toMatchObject([{ text: 'is not there, 2 objects beneath stale' }]);
  },
);

it('what was never seen of a cluster is told whole', () => {
  expect(groupCauses([], [{ name: 'c9', since: noon, bound: 'at-least' }])).toEqual([
    {
      key: 'cluster:c9',
      cause: { type: 'cluster', cluster: 'c9' },
      title: 'c9',
      verdict: 'unobserved',
      text: 'not observed: nothing of it has been seen',
      commits: [],
      objects: 0,
      clusters: 1,
      since: { time: noon, bound: 'at-least', noticedAt: noon },
      alarm: 'unknown',
      broken: null,
    },
  ]);
});

describe('the broken link of a cause', () => {
  const rootCause = {
    type: 'controller',
    cluster: 'c1',
    namespace: 'flux-system',
    name: 'kustomize-controller',
  } as const;
  const silentBy = (name: string, broken: AlarmLink, part: Partial<KnownObject> = {}): KnownObject =>
    recorded({ ref: named(name), verdict: 'stale', rootCause, alarm: { state: 'silent', broken }, ...part });

  it('is the one of most of its objects that are silent, with how many', () => {
    const sounding = recorded({
      ref: named('d'),
      verdict: 'stale',
      rootCause,
      alarm: { state: 'sounding', since: noon, by: 'own' },
    });
    const objects = [silentBy('a', 'rule'), silentBy('b', 'news'), silentBy('c', 'news'), sounding];
    expect(groupCauses(objects)).toMatchObject([{ alarm: 'silent', broken: { link: 'news', objects: 2, silent: 3 } }]);
  });

  it('is the first of the chain where several are as frequent', () => {
    const objects = [silentBy('a', 'news'), silentBy('b', 'rule')];
    for (const order of [objects, objects.toReversed()])
      expect(groupCauses(order)).toMatchObject([{ broken: { link: 'rule', objects: 1, silent: 2 } }]);
  });

  it('is its own where it is an object, whatever it is of those beneath', () => {
    const self = silentBy('base', 'receiver', { rootCause: null, verdict: 'diverged' });
    const beneath = { rootCause: { type: 'object', ref: named('base') } } as const;
    const objects = [self, silentBy('a', 'rule', beneath), silentBy('b', 'rule', beneath)];
    expect(groupCauses(objects)).toMatchObject([{ broken: { link: 'receiver', objects: 1, silent: 1 } }]);
  });

  it('is none where somebody is called, or that is not known', () => {
    const known = recorded({ verdict: 'diverged', alarm: { state: 'unknown', why: 'none' } });
    expect(groupCauses([known])).toMatchObject([{ alarm: 'unknown', broken: null }]);
  });
});

it('every object is beneath one cause, whether that makes a line or not', () => {
  const waits = recorded({ ref: named('a'), verdict: 'progressing' });
  const stale = recorded({
    ref: named('b'),
    verdict: 'stale',
    rootCause: { type: 'controller', cluster: 'c1', namespace: 'n', name: 'x' },
  });
  const also = { ...stale, ref: named('c') };
  expect(groupCauses([waits])).toEqual([]);
  expect(
    causesWithObjects([waits, stale, also]).map(({ group, objects }) => [
      group.title,
      group.objects,
      objects.map(({ ref: of }) => of.name),
    ]),
  ).toEqual([
    ['a on c1', 1, ['a']],
    ['x on c1', 2, ['b', 'c']],
  ]);
});

describe('causes with their blast radius', () => {
  it('fifteen hourglasses are one line', () => {
    const rootCause = {
      type: 'controller',
      cluster: 'c1',
      namespace: 'flux-system',
      name: 'kustomize-controller',
    } as const;
    const objects = Array.from({ length: 15 }, (_, index) =>
      recorded({ ref: named(`app-${index}`), verdict: 'stale', rootCause, onset: since(index) }),
    );
    const [line, ...others] = groupCauses(objects);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ verdict: 'stale', objects: 15, clusters: 1, text: 'stopped: 15 objects stale' });
    expect(line?.since.time).toBe(noon - 14 * minute);
  });

  it('an object that fails and what waits for it are one line, under the object', () => {
    const failing = recorded({
      ref: named('checkout'),
      verdict: 'diverged',
      reason: 'BuildFailed',
      onset: since(47),
      // A later commit is tried by now: it is not the one at which it broke.
      revision: { applied: revisionA, attempted: revisionC, offered: revisionC },
      range: brokenAt(revisionB),
    });
    const waiting = recorded({
      ref: named('web'),
      verdict: 'waiting',
      rootCause: { type: 'object', ref: named('checkout') },
      onset: since(46),
    });
    expect(groupCauses([waiting, failing])).toMatchObject([
      {
        verdict: 'diverged',
        objects: 2,
        text: 'build fails (worked at aaaaaaa, first failed at bbbbbbb), 1 object waits for it',
        commits: ['a'.repeat(40), 'b'.repeat(40)],
      },
    ]);
  });

  it('names the whole commit of what is behind, and none where its words name none', () => {
    const revision = { applied: revisionA, attempted: revisionA, offered: revisionC };
    const behind = recorded({ ref: named('search'), verdict: 'behind', reason: 'Behind', revision, onset: since(19) });
    expect(groupCauses([behind])).toMatchObject([{ commits: ['a'.repeat(40)] }]);
    const drifted = recorded({ ref: named('mail'), verdict: 'drifted', reason: 'DriftDetected', onset: since(19) });
    expect(groupCauses([drifted])).toMatchObject([{ commits: [] }]);
  });

  it('a provider without pods and the managed resources that it runs are one line, under the provider', () => {
    const provider = { ...ref, group: 'pkg.crossplane.io', kind: 'ProviderRevision', namespace: '', name: 'aws-rds-1' };
    const rootCause = { type: 'object', ref: provider } as const;
    const managed = ['orders', 'ledger'].map((name) =>
      recorded({ ref: named(name), verdict: 'stale', reason: 'ProviderNotRunning', rootCause, onset: since(2) }),
    );
    const revision = { ref: provider, verdict: 'unhealthy', reason: 'RuntimeNotRunning', onset: since(2) } as const;
    expect(groupCauses([...managed, recorded(revision)])).toMatchObject([
      { verdict: 'unhealthy', objects: 3, text: 'has no pod that runs, 2 objects beneath stale' },
    ]);
  });

  it('puts silent before called, then worse, then wider', () => {
    const causes = groupCauses([
      recorded({ ref: named('a'), verdict: 'diverged', alarm: { state: 'sounding', since: 0, by: 'own' } }),
      recorded({ ref: named('b'), verdict: 'drifted', alarm: { state: 'silent', broken: 'rule' } }),
      recorded({ ref: named('c'), verdict: 'unhealthy', alarm: { state: 'sounding', since: 0, by: 'own' } }),
    ]);
    const { lines } = orderCauses(causes, noon);
    expect(lines.map((line) => line.key.split('/').at(-1))).toEqual(['b', 'a', 'c']);
  });

  it('parts that nobody can confirm make no line, nor does what they are part of', () => {
    const part = recorded({ ref: named('part'), verdict: 'unconfirmed', reason: 'NoHeartbeat' });
    const whole = recorded({
      ref: named('whole'),
      verdict: 'unconfirmed',
      reason: 'PartNotConverged',
      rootCause: { type: 'object', ref: named('part') },
    });
    expect(groupCauses([part, whole])).toEqual([]);
  });

  it('what waits for an object in order says so, and what waits for one that is gone says that', () => {
    const rootCause = { type: 'object', ref: named('base') } as const;
    expect(groupCauses([recorded({ verdict: 'waiting', rootCause })])).toMatchObject([
      { text: '1 object waits for it' },
    ]);
    expect(groupCauses([recorded({ verdict: 'stale', reason: 'SourceMissing', rootCause })])).toMatchObject([
      { text: 'is not there, 1 object beneath stale' },
    ]);
  });

  it('says of a cloud error where it failed and its code', () => {
    const message =
      'update failed: async update failed: failed to update the resource: [{0 operation error IAM: api error AccessDenied: User: arn:aws:sts::1 is not authorized}]';
    expect(groupCauses([recorded({ verdict: 'diverged', reason: 'ReconcileError', message })])).toMatchObject([
      { text: 'update failed: AccessDenied' },
    ]);
  });

  it('what is in order, suspended or without proof of its own makes no line', () => {
    expect(groupCauses([recorded(), recorded({ verdict: 'suspended' }), recorded({ verdict: 'unconfirmed' })])).toEqual(
      [],
    );
  });
});

describe('what fails alike is one cause', () => {
  const on = (cluster: string, name = 'checkout') => ({ ...ref, cluster, name });
  const failing = (cluster: string, part: Partial<KnownObject> = {}, name = 'checkout'): KnownObject =>
    recorded({
      ref: on(cluster, name),
      verdict: 'diverged',
      reason: 'BuildFailed',
      repository: 'https://git.example.org/acme/control.git',
      revision: { applied: revisionA, attempted: revisionB, offered: revisionB },
      range: brokenAt(revisionB),
      onset: since(10),
      ...part,
    });

  it('the same commit on three clusters: one line, with all that waits for it', () => {
    const waits = recorded({
      ref: on('c2', 'web'),
      verdict: 'waiting',
      rootCause: { type: 'object', ref: on('c2') },
    });
    const lines = groupCauses([failing('c1'), failing('c2', { onset: since(47) }), waits, failing('c3')]);
    expect(lines).toMatchObject([
      {
        title: 'checkout on 3 clusters',
        text: 'build fails (worked at aaaaaaa, first failed at bbbbbbb), 1 object waits for it',
        objects: 4,
        clusters: 3,
        cause: { type: 'object', ref: on('c2') },
        since: since(47),
      },
    ]);
  });

  it.each<readonly [string, Partial<KnownObject>]>([
    ['with another error', { message: 'no such host' }],
    ['of another repository', { repository: 'https://git.example.org/acme/other.git' }],
    ['for another reason', { reason: 'HealthCheckFailed', verdict: 'unhealthy' }],
    ['because of something else', { rootCause: { type: 'object', ref: on('c2', 'base') } }],
  ])('%s it is another cause', (_name, part) => {
    expect(groupCauses([failing('c1'), failing('c2', part)])).toHaveLength(2);
  });

  it('other names at the same commit are other causes, unless they say the very same', () => {
    const message = 'accumulating resources: accumulation err: base/limits.yaml: no such file';
    const two = [failing('c1'), failing('c1', {}, 'payments')];
    expect(
      groupCauses(two)
        .map((line) => line.title)
        .toSorted(),
    ).toEqual(['checkout on c1', 'payments on c1']);
    expect(groupCauses(two.map((one) => ({ ...one, message })))).toMatchObject([
      { title: 'checkout and payments on c1', objects: 2, clusters: 1 },
    ]);
    const many = ['a', 'b', 'c', 'd'].map((name, n) => failing(`c${n}`, { message }, name));
    expect(groupCauses(many)).toMatchObject([{ title: 'a, b and 2 more on 4 clusters' }]);
  });

  it('what has one likeness with each of two lines makes them one', () => {
    const message = 'no such file';
    const lines = groupCauses([
      failing('c1', { message, range: null }),
      failing('c2', { message }, 'payments'),
      failing('c3', { message }),
    ]);
    expect(lines).toMatchObject([{ title: 'checkout and payments on 3 clusters', objects: 3 }]);
  });

  it('a chain of them is gathered in time, from whichever end it joins', () => {
    // Each begins after the same commit as the one before, or ends with the same.
    const link = (n: number): KnownObject => {
      const [lastGood, firstBad] = [`main@sha1:a${Math.ceil(n / 2)}`, `main@sha1:b${Math.floor(n / 2)}`];
      const range = { lastGood, firstBad, seenBetween: 0, watched: true };
      return failing('c1', { message: 'no such file', range }, `a${n}`);
    };
    // Each second one first; each of the others then joins one to all that were joined so far.
    const chain = (count: number): KnownObject[] => [
      ...Array.from({ length: count }, (_, n) => link(2 * n)),
      ...Array.from({ length: count - 1 }, (_, n) => link(2 * (count - n) - 3)),
    ];
    const costOf = (count: number): number => {
      const objects = chain(count);
      const began = process.threadCpuUsage();
      expect(gatherCauses(objects)).toHaveLength(1);
      return process.threadCpuUsage(began).user;
    };
    costOf(200);
    expect(costOf(5_000) / Math.max(1, costOf(1_250))).toBeLessThan(10);
  });

  it('a chart of one version, a repository that nobody can fetch', () => {
    const release = (cluster: string) =>
      failing(cluster, {
        ref: { ...on(cluster), kind: 'HelmRelease' },
        reason: 'UpgradeFailed',
        repository: null,
        revision: { applied: '6.4.0', attempted: '6.5.0', offered: '6.5.0' },
        range: { lastGood: '6.4.0', firstBad: '6.5.0', seenBetween: 0, watched: true },
      });
    const source = (cluster: string) =>
      failing(cluster, { ref: on(cluster, 'control'), role: 'source', reason: 'GitOperationFailed', range: null });
    for (const [objects, title, text] of [
      [
        [release('c1'), release('c2')],
        'checkout on 2 clusters',
        'upgrade fails (worked at 6.4.0, first failed at 6.5.0)',
      ],
      [[source('c1'), source('c2')], 'control on 2 clusters', 'cannot fetch'],
    ] as const)
      expect(groupCauses(objects)).toMatchObject([{ title, text, clusters: 2 }]);
  });

  it('what is behind is told by what it runs, which does not move on with what is offered', () => {
    const behind = (
      cluster: string,
      revision: Partial<KnownObject['revision']>,
      role: KnownObject['role'] = 'applier',
    ) =>
      failing(cluster, {
        role,
        verdict: 'behind',
        reason: 'Behind',
        range: null,
        revision: { applied: revisionA, attempted: null, offered: revisionB, ...revision },
      });
    const line = (...objects: readonly KnownObject[]) => groupCauses(objects).map(({ text }) => text);
    const runs = ['runs aaaaaaa, not what its source offers'];
    expect(line(behind('c1', {}))).toEqual(runs);
    expect(line(behind('c1', { offered: revisionC }))).toEqual(runs);
    expect(line(behind('c1', {}, 'source'))).toEqual(['was made from aaaaaaa, not what its source offers']);
    const nameless = ['has not taken up what its source offers'];
    expect(line(behind('c1', { applied: null }))).toEqual(nameless);
    // Each is late by itself, though one commit is offered to both.
    expect(line(behind('c1', {}), behind('c2', {}))).toEqual([...runs, ...runs]);
  });

  it('is called by the one that is away longest, of two that are so as long by the first cluster', () => {
    const clusterOf = (...objects: readonly KnownObject[]) =>
      groupCauses(objects).map(({ cause, since: { time } }) => [cause, time]);
    const object = (cluster: string) => ({ type: 'object', ref: on(cluster) });
    expect(clusterOf(failing('c2'), failing('c1'))).toEqual([[object('c1'), since(10).time]]);
    expect(clusterOf(failing('c1'), failing('c2', { onset: since(5), awaySince: since(11) }))).toEqual([
      [object('c2'), since(11).time],
    ]);
  });

  it('its alarm and its verdict are those of the objects that fail, not of what waits', () => {
    const waits = recorded({
      ref: on('c1', 'web'),
      verdict: 'waiting',
      rootCause: { type: 'object', ref: on('c1') },
      alarm: { state: 'silent', broken: 'rule' },
    });
    const sounding = { alarm: { state: 'sounding', since: 0, by: 'own' } } as const;
    expect(groupCauses([waits, failing('c1', sounding)])).toMatchObject([{ alarm: 'sounding', verdict: 'diverged' }]);
    expect(groupCauses([waits])).toMatchObject([{ alarm: 'silent', verdict: 'waiting' }]);
  });

  it('is silent where one of them is', () => {
    const silent = { alarm: { state: 'silent', broken: 'rule' } } as const;
    const sounding = { alarm: { state: 'sounding', since: 0, by: 'own' } } as const;
    expect(groupCauses([failing('c1', sounding), failing('c2', silent)])).toMatchObject([{ alarm: 'silent' }]);
  });
});

describe('one fault, many objects', () => {
  it('a dead provider is one line with all that it runs', () => {
    const provider = {
      ...ref,
      group: 'pkg.crossplane.io',
      kind: 'ProviderRevision',
      namespace: '',
      name: 'provider-aws-rds-1',
    };
    const dead = recorded({ ref: provider, role: 'package', verdict: 'unhealthy', reason: 'UnhealthyPackageRevision' });
    const resources = Array.from({ length: 40 }, (_, n) =>
      recorded({
        ref: { ...ref, kind: 'Instance', name: `db-${n}` },
        role: 'managed',
        verdict: 'stale',
        reason: 'ProviderNotRunning',
        rootCause: { type: 'object', ref: provider },
      }),
    );
    expect(groupCauses([...resources, dead])).toMatchObject([
      {
        title: 'provider-aws-rds-1 on c1',
        text: 'unhealthy: UnhealthyPackageRevision, 40 objects beneath stale',
        objects: 41,
        verdict: 'unhealthy',
      },
    ]);
  });

  it('a source that was deleted is one line, though every applier says so itself', () => {
    const rootCause = { type: 'object', ref: { ...ref, kind: 'GitRepository', name: 'control' } } as const;
    const cut = ['a', 'b'].map((name) =>
      recorded({ ref: named(name), verdict: 'diverged', reason: 'ArtifactFailed', rootCause }),
    );
    expect(groupCauses(cut)).toMatchObject([
      { title: 'control on c1', text: 'is not there, 2 objects beneath diverged', objects: 2 },
    ]);
  });

  it('a cluster that was never seen has a line of its own, though no object tells of it', () => {
    const fails = recorded({ verdict: 'diverged', reason: 'BuildFailed' });
    const late = recorded({ ref: { ...ref, name: 'late' }, verdict: 'behind', reason: 'Behind' });
    const causes = groupCauses([late, fails], [{ name: 'c9', since: noon - 38 * minute, bound: 'at-least' }]);
    const { lines } = orderCauses(causes, noon + minute);
    expect(lines.map(({ verdict }) => verdict)).toEqual(['diverged', 'unobserved', 'behind']);
    expect(lines[1]).toMatchObject({
      title: 'c9',
      text: 'not observed: nothing of it has been seen',
      commits: [],
      cause: { type: 'cluster', cluster: 'c9' },
      objects: 0,
      since: { time: noon - 38 * minute, bound: 'at-least' },
    });
  });
});

it('two causes that a third makes one take along what is like either of them later', () => {
  const failing = (name: string, lastGood: string, firstBad: string) =>
    recorded({
      ref: named(name),
      verdict: 'diverged',
      reason: 'BuildFailed',
      message: 'build failed: no such file',
      repository: 'https://git.example/fleet',
      range: { lastGood, firstBad, seenBetween: 0, watched: true },
    });
  const apart = [failing('a', revisionA, revisionB), failing('b', revisionC, `main@sha1:${'d'.repeat(40)}`)];
  expect(groupCauses(apart).map(({ objects }) => objects)).toEqual([1, 1]);
  const between = failing('c', revisionC, revisionB);
  const like = [
    failing('d', revisionC, `main@sha1:${'e'.repeat(40)}`),
    failing('e', revisionA, `main@sha1:${'f'.repeat(40)}`),
  ];
  for (const order of [like, like.toReversed()])
    expect(groupCauses([...apart, between, ...order]).map(({ objects, title }) => [objects, title])).toEqual([
      [5, 'a, b and 3 more on c1'],
    ]);
});
