import { describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ClusterFault, WatchedKind } from '../../cluster-event.ts';
import { type Discovery, startDiscovery } from './discovery.ts';
import { kindsOf, readAggregated, readGroups, readResources, unreadOf } from './discovery-document.ts';
import { createDiscoveryRequest } from './discovery-request.ts';
import { type FakeTransport, fakeTransport, type PendingGet } from '../../testing/fake-transport.ts';
import { settled } from '../../testing/until.ts';
import { defaultTuning } from '../../tuning.ts';
import { createBoundary } from '../../boundary.ts';

const verbs = ['delete', 'get', 'list', 'patch', 'watch'];

function resource(kind: string, plural: string, more: object = {}): object {
  return { resource: plural, responseKind: { group: '', version: '', kind }, scope: 'Namespaced', verbs, ...more };
}

function group(name: string, ...versions: readonly object[]): object {
  return { metadata: { name }, versions };
}

function document(...items: readonly object[]): { [key: string]: unknown } {
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items };
}

const kustomize = group('kustomize.toolkit.fluxcd.io', {
  version: 'v1',
  freshness: 'Current',
  resources: [resource('Kustomization', 'kustomizations')],
});

interface Setup {
  readonly clock: FakeClock;
  readonly transport: FakeTransport;
  readonly discovery: Discovery;
  readonly kinds: (readonly WatchedKind[])[];
  readonly absent: (readonly GroupKind[])[];
  readonly faults: ClusterFault[];
  readonly logged: unknown[];
  get(): PendingGet;
}

async function start(random = 0.5): Promise<Setup> {
  const clock = fakeClock();
  const transport = fakeTransport();
  const kinds: (readonly WatchedKind[])[] = [];
  const absent: (readonly GroupKind[])[] = [];
  const faults: ClusterFault[] = [];
  const logged: unknown[] = [];
  const keep = (data: object, message: string): void => void logged.push({ ...data, message });
  const log: Log = { ...silentLog, info: keep, warn: keep };
  const discovery = startDiscovery({
    transport,
    clock,
    log,
    tuning: defaultTuning,
    boundary: createBoundary(log),
    random: () => random,
    onKinds(found, missing) {
      kinds.push(found);
      absent.push(missing);
    },
    onFault: (fault) => void faults.push(fault),
  });
  await settled();
  return {
    clock,
    transport,
    discovery,
    kinds,
    absent,
    faults,
    logged,
    get() {
      const get = transport.gets.at(-1);
      if (!get) throw new Error('nothing was asked');
      return get;
    },
  };
}

describe('the aggregated document', () => {
  it('takes named kinds and Crossplane categories, at the first served version', () => {
    const versions = readAggregated(
      document(
        kustomize,
        group(
          'apiextensions.crossplane.io',
          {
            version: 'v2',
            freshness: 'Current',
            resources: [resource('CompositeResourceDefinition', 'compositeresourcedefinitions', { scope: 'Cluster' })],
          },
          {
            version: 'v1',
            freshness: 'Current',
            resources: [resource('CompositeResourceDefinition', 'compositeresourcedefinitions', { scope: 'Cluster' })],
          },
        ),
        group('s3.aws.upbound.io', {
          version: 'v1beta1',
          freshness: 'Current',
          resources: [
            resource('Bucket', 'buckets', { scope: 'Cluster', categories: ['crossplane', 'managed', 'aws'] }),
            resource('Unmanaged', 'unmanageds'),
          ],
        }),
        group('apps', {
          version: 'v1',
          freshness: 'Current',
          resources: [resource('Deployment', 'deployments', { categories: ['all'] })],
        }),
      ),
    );
    expect(
      kindsOf(versions ?? [], []).map(({ group: name, kind, version, namespaced }) => [
        name,
        kind,
        version,
        namespaced,
      ]),
    ).toEqual([
      ['kustomize.toolkit.fluxcd.io', 'Kustomization', 'v1', true],
      ['apiextensions.crossplane.io', 'CompositeResourceDefinition', 'v2', false],
      ['s3.aws.upbound.io', 'Bucket', 'v1beta1', false],
    ]);
  });

  it('tells what of known groups is served and not read, once', () => {
    const alerts = group('fluxcd.controlplane.io', {
      version: 'v1',
      resources: [resource('FluxReport', 'fluxreports'), resource('Herald', 'heralds'), resource('Herald', 'heralds')],
    });
    expect(unreadOf(readAggregated(document(alerts, kustomize)) ?? [])).toEqual([
      { group: 'fluxcd.controlplane.io', kind: 'FluxReport', why: 'it only reports on others' },
      { group: 'fluxcd.controlplane.io', kind: 'Herald', why: null },
    ]);
  });

  it.each([
    ['cannot be watched', { verbs: ['get', 'list'] }],
    ['cannot be listed', { verbs: ['get', 'watch'] }],
  ])('leaves out what %s', (_, more) => {
    const versions = readAggregated(
      document(
        group('argoproj.io', { version: 'v1alpha1', resources: [resource('Application', 'applications', more)] }),
      ),
    );
    expect(kindsOf(versions ?? [], [])).toEqual([]);
  });

  it.each([
    [{}],
    [{ kind: 'APIGroupList', groups: [] }],
    [{ kind: 'APIGroupDiscoveryList' }],
    [document({}, { metadata: null, versions: [null, {}] })],
  ])('never throws on a shape it does not know: %j', (body) => {
    expect(() => readAggregated(body)).not.toThrow();
  });
});

describe('the older documents', () => {
  it.each<readonly [object, readonly string[]]>([
    [{ versions: [{ version: 'v2' }, { version: 'v1' }], preferredVersion: { version: 'v1' } }, ['v1', 'v2']],
    [{ versions: [{ version: 'v2' }, {}, { version: 'v1' }] }, ['v2', 'v1']],
  ])('the versions of a group that says %j', (said, versions) => {
    const found = readGroups({ kind: 'APIGroupList', groups: [{ name: 'a.org', ...said }, {}] });
    expect(found).toEqual([{ group: 'a.org', versions }]);
  });

  it('the kinds of a version, without subresources and what is not named', () => {
    const one = { kind: 'Kustomization', name: 'kustomizations', verbs, categories: ['all'] };
    const others = [
      { ...one, name: 'kustomizations/status' },
      { ...one, name: undefined },
      { name: 'x', verbs },
    ];
    const report = { kind: 'FluxReport', name: 'fluxreports', namespaced: true, verbs };
    const group = 'kustomize.toolkit.fluxcd.io';
    const kind = { group, version: 'v1', kind: 'Kustomization', resource: 'kustomizations', categories: ['all'] };
    const read = (namespaced: boolean) =>
      readResources({ resources: [{ ...one, namespaced }, ...others] }, group, 'v1');
    expect(read(true)).toEqual({ kinds: [{ ...kind, namespaced: true }], unread: [], misnamed: 0 });
    expect(read(false)).toEqual({ kinds: [{ ...kind, namespaced: false }], unread: [], misnamed: 0 });
    const operator = 'fluxcd.controlplane.io';
    expect(readResources({ resources: [report] }, operator, 'v1')).toEqual({
      kinds: [],
      misnamed: 0,
      unread: [{ group: operator, kind: 'FluxReport', why: 'it only reports on others' }],
    });
  });
});

describe('what is served', () => {
  const kind = { group: 'a.org', version: 'v1', kind: 'A', resource: 'as', namespaced: true, categories: [] };
  const version = (stale: boolean, ...kinds: WatchedKind[]) => ({
    group: 'a.org',
    version: 'v1',
    stale,
    kinds,
    unread: [],
    misnamed: 0,
  });

  it('keeps of a stale version what it served before, and of no other', () => {
    const others = [
      { ...kind, group: 'b.org' },
      { ...kind, kind: 'B', version: 'v2' },
    ];
    expect(kindsOf([version(true)], [kind, ...others])).toEqual([kind]);
    expect(kindsOf([version(false)], [kind, ...others])).toEqual([]);
  });

  it('names at most 200 kinds that are not read, in order', () => {
    const unread = Array.from({ length: 201 }, (_, n) => ({ group: 'a.org', kind: `K${1200 - n}`, why: null }));
    const told = unreadOf([{ ...version(false), unread }]).map((each) => each.kind);
    expect(told).toEqual(Array.from({ length: 200 }, (_, n) => `K${1000 + n}`));
  });
});

describe('a question of what is served', () => {
  const asking = () => {
    const transport = fakeTransport();
    const request = createDiscoveryRequest(transport, defaultTuning, new AbortController().signal);
    const ask = async (answer: (get: PendingGet) => void) => {
      const found = request.ask();
      await settled();
      transport.gets.slice(-1).forEach(answer);
      return found;
    };
    return { transport, request, ask };
  };

  it('asks for the newest form first, and with the tag of the answer before until that is forgotten', async () => {
    const { transport, request, ask } = asking();
    expect(await ask((get) => get.ok(document(), 'one'))).toEqual({ type: 'ok', versions: [], legacy: false });
    expect(await ask((get) => get.answer({ type: 'not-modified' }))).toEqual({ type: 'not-modified' });
    request.forget();
    await ask((get) => get.ok(document(group('a.org', { version: 'v1', freshness: 'Stale' })), 'two'));
    await ask((get) => get.ok(document()));
    expect(transport.gets.map(({ path, options }) => [path, options.accept, options.etag])).toEqual(
      [undefined, 'one', undefined, undefined].map((etag) => [
        '/apis',
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
        etag,
      ]),
    );
  });

  it('asks each version of the older form by itself; one that fails is stale', async () => {
    const { transport, request } = asking();
    const found = request.ask();
    await settled();
    const versions = ['v1', 'v2', 'v3', 'v4', 'v5'].map((each) => ({ version: each }));
    transport.gets[0]?.ok({ kind: 'APIGroupList', groups: [{ name: 'a.org', versions }] });
    await settled();
    expect(transport.gets).toHaveLength(5);
    for (const get of transport.gets.slice(1, 4)) get.ok({ resources: [] });
    transport.gets[4]?.status(503);
    await settled();
    transport.gets[5]?.ok({ resources: [] });
    expect(await found).toEqual({
      type: 'ok',
      legacy: true,
      versions: versions.map(({ version }, n) => ({
        group: 'a.org',
        version,
        stale: n === 3,
        kinds: [],
        unread: [],
        misnamed: 0,
      })),
    });
    expect(transport.gets.slice(1).map(({ path, options }) => [path, options.accept])).toEqual(
      versions.map(({ version }) => [`/apis/a.org/${version}`, 'application/json']),
    );
  });

  it.each([
    [{ type: 'too-large' } as const, 'the discovery document is too large'],
    [
      {
        type: 'ok',
        body: document(
          group('kustomize.toolkit.fluxcd.io', {
            version: 'v1',
            resources: Array.from({ length: 5_001 }, () => resource('Kustomization', 'kustomizations')),
          }),
        ),
        etag: null,
        bytes: 7,
      } as const,
      'it serves 5,001 kinds to read, too many for one cluster',
    ],
    [
      {
        type: 'ok',
        body: {
          kind: 'APIGroupList',
          groups: Array.from({ length: 2_001 }, () => ({ name: 'a', versions: [{ version: 'v1' }] })),
        },
        etag: null,
        bytes: 7,
      } as const,
      'it serves more than 2,000 versions of API groups',
    ],
    [{ type: 'ok', body: {}, etag: null, bytes: 7 } as const, '/apis is neither aggregated nor older discovery'],
  ])('answered with %s it fails', async (answer, message) => {
    const fault = { type: 'protocol', message };
    expect(await asking().ask((get) => get.answer(answer))).toEqual({ type: 'fault', fault, retryAfter: null });
  });
});

describe('discovery', () => {
  it('tells kinds and what is absent, once, and not again while nothing changes', async () => {
    const s = await start();
    expect(s.get().options.accept).toMatch(/^application\/json;g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList,/);
    s.get().ok(document(kustomize), '"1"');
    await settled();
    expect(s.kinds).toHaveLength(1);
    expect(s.absent[0]).toContainEqual({ group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' });
    expect(s.absent[0]).not.toContainEqual({ group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' });
    s.clock.advance(60_000);
    await settled();
    expect(s.get().options.etag).toBe('"1"');
    s.get().answer({ type: 'not-modified' });
    await settled();
    s.clock.advance(60_000);
    await settled();
    s.get().ok(document(kustomize), '"2"');
    await settled();
    expect(s.kinds).toHaveLength(1);
    await s.discovery.stop();
  });

  it('follows kinds that appear and vanish, soon after a 404', async () => {
    const s = await start();
    s.get().ok(document(kustomize), '"1"');
    await settled();
    s.discovery.again();
    s.discovery.again();
    s.clock.advance(1_000);
    await settled();
    expect(s.transport.gets).toHaveLength(2);
    expect(s.get().options.etag).toBeUndefined();
    s.get().ok(
      document(
        group('argoproj.io', {
          version: 'v1alpha1',
          freshness: 'Current',
          resources: [resource('Application', 'applications')],
        }),
      ),
    );
    await settled();
    // Missing once: a server that has just started may not know its CRDs yet.
    expect(s.kinds.at(-1)?.map(({ kind }) => kind)).toEqual(['Application', 'Kustomization']);
    s.clock.advance(5_000);
    await settled();
    s.get().ok(
      document(
        group('argoproj.io', {
          version: 'v1alpha1',
          freshness: 'Current',
          resources: [resource('Application', 'applications')],
        }),
      ),
    );
    await settled();
    expect(s.kinds.at(-1)?.map(({ kind }) => kind)).toEqual(['Application']);
    expect(s.absent.at(-1)).toContainEqual({ group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' });
    await s.discovery.stop();
  });

  it('a kind that is missing only once (a server that starts) stays', async () => {
    const s = await start();
    s.get().ok(document(kustomize), '"1"');
    await settled();
    s.clock.advance(60_000);
    await settled();
    s.get().ok(document(), '"2"');
    await settled();
    s.clock.advance(5_000);
    await settled();
    expect(s.get().options.etag).toBeUndefined();
    s.get().ok(document(kustomize), '"1"');
    await settled();
    expect(s.kinds).toHaveLength(1);
    await s.discovery.stop();
  });

  it('looks at once, and every few seconds for a while, after a definition was written', async () => {
    const s = await start();
    s.get().ok(document(kustomize), '"1"');
    await settled();
    s.discovery.soon();
    await settled();
    expect(s.transport.gets).toHaveLength(2);
    for (let second = 0; second < 60; second += 1) {
      s.get().answer({ type: 'not-modified' });
      await settled();
      s.clock.advance(1_000);
      await settled();
    }
    // Seven within 20 s, then one each 15 s.
    expect(s.transport.gets.length).toBeGreaterThanOrEqual(9);
    expect(s.transport.gets.length).toBeLessThanOrEqual(12);
    expect(s.get().options.etag).toBe('"1"');
    await s.discovery.stop();
  });

  it.each([
    [0, 12_000],
    [0.5, 15_000],
    [1, 18_000],
  ])('looks again after 15 s, give or take a fifth (%s)', async (random, wait) => {
    const s = await start(random);
    s.get().ok(document(kustomize));
    await settled();
    s.clock.advance(wait - 1);
    await settled();
    expect(s.transport.gets).toHaveLength(1);
    s.clock.advance(1);
    await settled();
    expect(s.transport.gets).toHaveLength(2);
    await s.discovery.stop();
  });

  it('keeps the kinds of a stale group', async () => {
    const s = await start();
    s.get().ok(document(kustomize), '"1"');
    await settled();
    s.clock.advance(60_000);
    await settled();
    s.get().ok(
      document(group('kustomize.toolkit.fluxcd.io', { version: 'v1', freshness: 'Stale', resources: [] })),
      '"2"',
    );
    await settled();
    expect(s.kinds).toHaveLength(1);
    s.clock.advance(60_000);
    await settled();
    expect(s.get().options.etag).toBeUndefined();
    await s.discovery.stop();
  });

  it('a failed discovery keeps what is known, and is tried again', async () => {
    const s = await start();
    s.get().status(503);
    await settled();
    expect(s.faults).toHaveLength(1);
    s.clock.advance(5_000);
    await settled();
    s.get().ok(document(kustomize));
    await settled();
    expect(s.kinds).toHaveLength(1);
    s.clock.advance(60_000);
    await settled();
    s.get().status(500);
    await settled();
    expect(s.kinds).toHaveLength(1);
    await s.discovery.stop();
  });

  it('says in the log why nothing is told, once, and once that it is again', async () => {
    const s = await start();
    for (const status of [400, 400, 400, 200, 200]) {
      if (status === 200) s.get().ok(document(kustomize));
      else s.get().status(status);
      await settled();
      s.clock.advance(20_000);
      await settled();
    }
    expect(s.logged).toEqual([
      { reason: 'HTTP 400', message: 'the cluster does not tell which kinds it serves' },
      { message: 'the cluster tells which kinds it serves again' },
    ]);
    await s.discovery.stop();
  });

  it('falls back to the older form, where a version that fails keeps its kinds', async () => {
    const s = await start();
    const groups = {
      kind: 'APIGroupList',
      groups: [
        {
          name: 'helm.toolkit.fluxcd.io',
          versions: [{ version: 'v2beta2' }, { version: 'v2' }],
          preferredVersion: { version: 'v2' },
        },
        { name: 'argoproj.io', versions: [{ version: 'v1alpha1' }], preferredVersion: { version: 'v1alpha1' } },
      ],
    };
    const list = (kind: string, name: string): { [key: string]: unknown } => ({
      kind: 'APIResourceList',
      resources: [
        { name, kind, namespaced: true, verbs },
        { name: `${name}/status`, kind, namespaced: true, verbs: ['get'] },
      ],
    });
    const answerAll = async (helm: boolean): Promise<void> => {
      s.get().ok(groups);
      await settled();
      for (const get of s.transport.gets.slice(-3)) {
        if (get.path.includes('argoproj')) get.ok(list('Application', 'applications'));
        else if (helm) get.ok(list('HelmRelease', 'helmreleases'));
        else get.status(500);
      }
      await settled();
    };
    await answerAll(true);
    expect(s.kinds[0]?.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
      'HelmRelease v2',
      'Application v1alpha1',
    ]);
    s.clock.advance(300_000);
    await settled();
    await answerAll(false);
    expect(s.kinds).toHaveLength(1);
    await s.discovery.stop();
  });
});

describe('how often it asks', () => {
  const asked = (s: Setup): number => s.transport.gets.filter(({ path }) => path === '/apis').length;
  const pass = async (s: Setup, ms: number): Promise<void> => {
    s.clock.advance(ms);
    await settled();
  };
  /** The questions in a time (ms) but for its last millisecond, and in that. */
  const within = async (s: Setup, ms: number): Promise<readonly number[]> => {
    const before = asked(s);
    await pass(s, ms - 1);
    const early = asked(s) - before;
    await pass(s, 1);
    return [early, asked(s) - before - early];
  };
  const atItsEnd = [0, 1];
  const answer = async (s: Setup, ...items: readonly object[]): Promise<void> => {
    s.get().ok(document(...items));
    await settled();
  };
  const refuse = async (s: Setup, retryAfter?: string): Promise<void> => {
    s.get().status(429, 'no', retryAfter);
    await settled();
  };

  it('each 15 s, also where it is refused once it knows', async () => {
    const s = await start();
    await answer(s, kustomize);
    expect(await within(s, 15_000)).toEqual(atItsEnd);
    await refuse(s);
    expect(await within(s, 15_000)).toEqual(atItsEnd);
    await s.discovery.stop();
  });

  it.each([
    [undefined, 5_000],
    ['2', 5_000],
    ['30', 30_000],
  ])('of a server that has not told yet, and asks to wait for %s s, after %d ms', async (retryAfter, wait) => {
    const s = await start();
    await refuse(s, retryAfter);
    expect(await within(s, wait)).toEqual(atItsEnd);
    await s.discovery.stop();
  });

  it('after 5 s where a kind is missing for the first time', async () => {
    const s = await start();
    await answer(s, kustomize);
    expect(await within(s, 15_000)).toEqual(atItsEnd);
    await answer(s);
    expect(await within(s, 5_000)).toEqual(atItsEnd);
    await s.discovery.stop();
  });

  it('each 3 s for 20 s after something was defined', async () => {
    const s = await start();
    await answer(s, kustomize);
    s.discovery.soon();
    await settled();
    expect(asked(s)).toBe(2);
    for (let at = 3_000; at <= 18_000; at += 3_000) {
      await answer(s, kustomize);
      expect(await within(s, 3_000)).toEqual(atItsEnd);
    }
    await pass(s, 1_999);
    await answer(s, kustomize);
    expect(await within(s, 3_000)).toEqual(atItsEnd);
    await answer(s, kustomize);
    expect(await within(s, 15_000)).toEqual(atItsEnd);
    await s.discovery.stop();
  });

  it('no longer each 3 s when the 20 s are just over', async () => {
    const s = await start();
    await answer(s, kustomize);
    s.discovery.soon();
    await settled();
    await pass(s, 20_000);
    await answer(s, kustomize);
    expect(await within(s, 15_000)).toEqual(atItsEnd);
    await s.discovery.stop();
  });

  it.each([
    [2_999, 2],
    [3_000, 3],
  ])('what is defined %d ms after something else leaves %d questions', async (ms, questions) => {
    const s = await start(1);
    await answer(s, kustomize);
    s.discovery.soon();
    await settled();
    await answer(s, kustomize);
    await pass(s, ms);
    s.discovery.soon();
    await settled();
    expect(asked(s)).toBe(questions);
    await s.discovery.stop();
  });

  it('of a server that knows the older form only, no sooner than usual', async () => {
    const s = await start();
    s.get().ok({ kind: 'APIGroupList', groups: [] });
    await settled();
    s.discovery.soon();
    await settled();
    expect(asked(s)).toBe(1);
    expect(await within(s, 300_000)).toEqual(atItsEnd);
    await s.discovery.stop();
  });

  it('once more at once where that was wanted while a question was under way', async () => {
    const s = await start();
    await answer(s, kustomize);
    await pass(s, 15_000);
    s.discovery.again();
    s.discovery.again();
    await pass(s, 1_000);
    expect(asked(s)).toBe(2);
    await answer(s, kustomize);
    expect(asked(s)).toBe(3);
    await answer(s, kustomize);
    expect(asked(s)).toBe(3);
    await s.discovery.stop();
  });

  it('says in the log why it fails, once, and that it works again; not that the cluster cannot be reached', async () => {
    const s = await start();
    const unreachable = async (): Promise<void> => {
      s.get().answer({ type: 'fault', fault: { type: 'unreachable', message: 'gone' }, retryAfter: null });
      await settled();
      await pass(s, 15_000);
    };
    await unreachable();
    await answer(s, kustomize);
    expect(s.logged).toEqual([]);
    for (let round = 0; round < 2; round += 1) {
      await pass(s, 15_000);
      await refuse(s);
    }
    await pass(s, 15_000);
    await unreachable();
    await answer(s, kustomize);
    expect(s.logged).toEqual([
      { reason: 'no', message: 'the cluster does not tell which kinds it serves' },
      { message: 'the cluster tells which kinds it serves again' },
    ]);
    await s.discovery.stop();
  });
});

it('asks in the older form only each five minutes', async () => {
  const { clock, transport, get } = await start();
  get().ok({ kind: 'APIGroupList', apiVersion: 'v1', groups: [] });
  await settled();
  expect(transport.gets).toHaveLength(1);
  clock.advance(299_999);
  await settled();
  expect(transport.gets).toHaveLength(1);
  clock.advance(1);
  await settled();
  expect(transport.gets).toHaveLength(2);
  expect(get().options).toMatchObject({ timeout: 15_000, most: 8_000_000 });
});
