import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '#server/runtime/clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import type { ClusterEvent, ResumePoint } from './cluster-event.ts';
import { type ClusterSession, startClusterSession } from './session.ts';
import {
  type Asked,
  fixedAccess,
  type ScriptedServer,
  startScriptedServer,
  type Stream,
} from './testing/scripted-server.ts';
import { until } from './testing/until.ts';
import type { ClusterTuning } from './tuning.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const verbs = ['get', 'list', 'watch'];
const group = (name: string, kind: string, plural: string, categories: readonly string[] = []): object => ({
  metadata: { name },
  versions: [
    {
      version: 'v1',
      freshness: 'Current',
      resources: [{ resource: plural, responseKind: { kind }, scope: 'Namespaced', verbs, categories }],
    },
  ],
});
const kustomize = group('kustomize.toolkit.fluxcd.io', 'Kustomization', 'kustomizations');
const helm = group('helm.toolkit.fluxcd.io', 'HelmRelease', 'helmreleases');
const bucket = group('s3.aws.upbound.io', 'Bucket', 'buckets', ['crossplane', 'managed']);
const queue = group('sqs.aws.upbound.io', 'Queue', 'queues', ['crossplane', 'managed']);
const definition = group('apiextensions.crossplane.io', 'CompositeResourceDefinition', 'compositeresourcedefinitions');
const kindOf: { [plural: string]: string } = {
  kustomizations: 'Kustomization',
  helmreleases: 'HelmRelease',
  buckets: 'Bucket',
  queues: 'Queue',
  compositeresourcedefinitions: 'CompositeResourceDefinition',
};

const tuning: Partial<ClusterTuning> = {
  backoffFirst: 20,
  discoveryEvery: 100,
  probeEvery: 100,
  probePause: 10,
  leasesEvery: 100,
  emptyWatchesAtMost: 0,
  namedWatchesAtMost: 0,
};

/** A small API server: one object per kind, except for queues. */
interface Api {
  server: ScriptedServer;
  readonly streams: Map<string, Stream[]>;
  readonly lists: string[];
  groups: object[];
  /** Answers instead; false leaves it to the API. */
  first: (asked: Asked) => boolean | void;
}

async function startApi(...groups: object[]): Promise<Api> {
  const api: Partial<Api> & Omit<Api, 'server'> = { streams: new Map(), lists: [], groups, first: () => false };
  const server = await startScriptedServer((asked) => {
    if (api.first(asked) !== false) return true;
    const { path, query } = asked;
    if (path === '/version') return false;
    if (path === '/apis') return asked.json(200, { kind: 'APIGroupDiscoveryList', items: api.groups });
    if (path.endsWith('/leases')) return asked.json(200, { kind: 'LeaseList', items: [] });
    if (path.endsWith('/deployments')) return asked.json(200, { kind: 'DeploymentList', items: [] });
    if (asked.method === 'POST')
      return asked.json(201, { status: { resourceRules: [{ verbs: ['*'], apiGroups: ['*'] }] } });
    const plural = path.slice(path.lastIndexOf('/') + 1);
    const [, , name = '', version = ''] = path.split('/');
    const kind = kindOf[plural] ?? 'Event';
    const apiVersion = plural === 'events' ? 'v1' : `${name}/${version}`;
    if (query.get('watch') === null) {
      api.lists.push(path);
      const items = plural === 'events' || plural === 'queues' ? [] : [{ metadata: { name: 'a' } }];
      return asked.json(200, { kind: `${kind}List`, apiVersion, metadata: { resourceVersion: '10' }, items });
    }
    const stream = asked.stream();
    api.streams.set(plural, [...(api.streams.get(plural) ?? []), stream]);
    if (query.get('sendInitialEvents') !== 'true') return true;
    stream.send({ type: 'ADDED', object: { apiVersion, kind, metadata: { name: 'a', resourceVersion: '3' } } });
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    stream.send({ type: 'BOOKMARK', object: { apiVersion, kind, metadata: { resourceVersion: '10', annotations } } });
    return true;
  });
  closers.push(server.stop);
  return Object.assign(api, { server });
}

function start(
  api: Pick<Api, 'server'>,
  options: {
    resume?: readonly ResumePoint[];
    tuning?: Partial<ClusterTuning>;
    log?: Log;
    clock?: Clock;
    onInStep?: (emitted: readonly ClusterEvent[]) => void;
  } = {},
): ClusterEvent[] {
  return open(api, options).emitted;
}

function open(
  api: Pick<Api, 'server'>,
  options: Parameters<typeof start>[1] = {},
): { readonly emitted: ClusterEvent[]; readonly session: ClusterSession } {
  const emitted: ClusterEvent[] = [];
  const session = startClusterSession({
    access: api.server.access,
    cluster: 'eu-west-3',
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    random: () => 0,
    resume: options.resume ?? [],
    tuning: { ...tuning, ...options.tuning },
    onInStep: () => options.onInStep?.([...emitted]),
    on: (event) => void emitted.push(event),
  });
  closers.push(session.stop);
  return { emitted, session };
}

/** Events told of one kind. */
function about(emitted: readonly ClusterEvent[], kind: string): string[] {
  return emitted.flatMap((event) => {
    if (!('kind' in event) || event.kind.kind !== kind) return [];
    return event.type === 'feed' ? event.feed.state : event.type;
  });
}

describe('a cluster session', () => {
  it('calls a refused token unauthorized, though the server closes the connection after it, and comes back with a new one', async () => {
    const api = await startApi(kustomize);
    let valid = false;
    api.first = (asked) => {
      if (valid) return false;
      asked.json(401, { kind: 'Status', code: 401 });
      queueMicrotask(() => api.server.goAway());
      return true;
    };
    const emitted = start(api);
    const faults = (): string[] => emitted.flatMap((event) => (event.type === 'disconnected' ? event.fault.type : []));
    await until('refused', () => faults().length > 0);
    expect(new Set(faults())).toEqual(new Set(['unauthorized']));
    valid = true;
    await until('live', () => about(emitted, 'Kustomization').includes('live'));
    expect(new Set(faults())).toEqual(new Set(['unauthorized']));
  });

  it.each([10, -10])(
    'measures a clock that is %d min ahead by the answers, before it tells of any object',
    async (minutes) => {
      const api = await startApi(kustomize);
      // Ours is set the other way: the server and its headers are as they are.
      const clock: Clock = { ...systemClock, now: () => Date.now() - minutes * 60_000 };
      const emitted = start(api, { clock });
      await until('live', () => about(emitted, 'Kustomization').includes('live'));
      const first = emitted.find((event) => event.type === 'clock');
      expect(first?.type === 'clock' && Math.abs(first.ahead - minutes * 60_000)).toBeLessThanOrEqual(1_000);
      expect(emitted.findIndex(({ type }) => type === 'clock')).toBeLessThan(
        emitted.findIndex(({ type }) => type === 'applied'),
      );
      expect(emitted.filter(({ type }) => type === 'clock')).toHaveLength(1);
    },
  );

  it('connects, finds kinds, syncs them, and follows what happens', async () => {
    const api = await startApi(kustomize, bucket, queue);
    const emitted = start(api);
    await until(
      'all known',
      () =>
        about(emitted, 'Kustomization').includes('live') &&
        about(emitted, 'Bucket').includes('live') &&
        about(emitted, 'Queue').includes('idle'),
    );
    // The bed answers with the clock of this machine.
    expect(emitted.find(({ type }) => type === 'clock')).toMatchObject({ ahead: 0 });
    expect(emitted.filter(({ type }) => type !== 'alive' && type !== 'clock')[0]).toMatchObject({
      type: 'connected',
      protocol: 'h2',
      version: 'v1.34.0',
    });
    expect(about(emitted, 'Kustomization')).toEqual(['syncing', 'sync-start', 'applied', 'sync-end', 'live']);
    expect(about(emitted, 'Queue')).toEqual(['idle']);
    expect(emitted.find(({ type }) => type === 'kinds')).toMatchObject({
      absent: expect.arrayContaining([{ group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' }]),
    });
    expect(emitted.filter(({ type }) => type === 'alive')).toHaveLength(1);
    await until('leases', () => emitted.some((event) => event.type === 'leases'));
    expect(api.server.asked.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    ]);
  });

  it('tells once that it is in step: when every kind that it follows is, or is refused', async () => {
    const api = await startApi(kustomize, helm);
    api.first = (asked) => asked.path.endsWith('/helmreleases') && asked.json(403, { kind: 'Status', code: 403 });
    const inStep: (readonly ClusterEvent[])[] = [];
    const emitted = start(api, { onInStep: (soFar) => inStep.push(soFar) });
    await until('told', () => inStep.length > 0);
    expect(about(inStep[0] ?? [], 'Kustomization').at(-1)).toBe('live');
    expect(about(inStep[0] ?? [], 'HelmRelease')).toContain('forbidden');
    api.streams.get('kustomizations')?.[0]?.send({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
    await until('listed anew', () => about(emitted, 'Kustomization').filter((what) => what === 'live').length === 2);
    expect(inStep).toHaveLength(1);
  });

  it('resumes without a single list', async () => {
    const api = await startApi(kustomize, bucket);
    const emitted = start(api, {
      resume: [
        { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', version: 'v1', resourceVersion: '70' },
        { group: 's3.aws.upbound.io', kind: 'Bucket', version: 'v1', resourceVersion: '71' },
        { group: '', kind: 'Event', version: 'v1', resourceVersion: '72' },
      ],
    });
    await until(
      'live',
      () =>
        about(emitted, 'Kustomization').includes('live') &&
        about(emitted, 'Bucket').includes('live') &&
        api.streams.get('events')?.length === 4,
    );
    expect(api.lists).toEqual([]);
    expect(emitted.filter(({ type }) => type === 'sync-start')).toEqual([]);
    expect(
      api.server.asked
        .filter(({ query }) => query.has('watch'))
        .map(({ query }) => Number(query.get('resourceVersion')))
        .toSorted((a, b) => a - b),
    ).toEqual([70, 71, 72, 72, 72, 72]);
  });

  it('does not resume objects that were stored from another version', async () => {
    const api = await startApi(kustomize);
    const emitted = start(api, {
      resume: [
        { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', version: 'v1beta2', resourceVersion: '70' },
      ],
    });
    await until('synced', () => about(emitted, 'Kustomization').includes('sync-end'));
  });

  it('follows kinds that appear and vanish', async () => {
    const api = await startApi(kustomize);
    const emitted = start(api);
    await until('live', () => about(emitted, 'Kustomization').includes('live'));
    api.groups = [helm];
    await until(
      'changed',
      () => about(emitted, 'HelmRelease').includes('live') && about(emitted, 'Kustomization').at(-1) === 'absent',
    );
    await until('the old watch is closed', () => api.streams.get('kustomizations')?.every((stream) => stream.closed()));
  });

  it.each([
    [403, 'forbidden'],
    [500, 'failed'],
  ])(
    'while discovery is refused (HTTP %i), every expected kind is %s; what is absent then is told',
    async (status, state) => {
      const api = await startApi(kustomize);
      api.first = (asked) => (asked.path === '/apis' ? asked.json(status, { message: 'no' }) : false);
      const emitted = start(api);
      await until('told', () => about(emitted, 'HelmRelease').includes(state));
      expect(emitted.some(({ type }) => type === 'kinds')).toBe(false);
      api.first = () => false;
      await until('known', () => about(emitted, 'Kustomization').includes('live'));
      expect(about(emitted, 'HelmRelease')).toEqual([state, 'absent']);
    },
  );

  it('watches a kind once an object of it appears', async () => {
    const api = await startApi(queue);
    const emitted = start(api);
    await until('idle', () => about(emitted, 'Queue').includes('idle'));
    api.first = (asked) =>
      asked.path.endsWith('/queues') && !asked.query.has('watch')
        ? asked.json(200, { kind: 'PartialObjectMetadataList', items: [{}] })
        : false;
    await until('live', () => about(emitted, 'Queue').includes('live'));
  });

  it('looks at what is served as soon as a definition is written', async () => {
    const api = await startApi(definition);
    const emitted = start(api, { tuning: { discoveryEvery: 600_000 } });
    await until('live', () => about(emitted, 'CompositeResourceDefinition').includes('live'));
    api.groups = [definition, kustomize];
    expect(about(emitted, 'Kustomization')).not.toContain('live');
    const metadata = { name: 'b', resourceVersion: '11' };
    const object = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition', metadata };
    api.streams.get('compositeresourcedefinitions')?.at(-1)?.send({ type: 'ADDED', object });
    await until('what it defines', () => about(emitted, 'Kustomization').includes('live'));
  });

  it('watches a kind without objects from where it was found empty, where there is room', async () => {
    const api = await startApi(queue);
    const emitted = start(api, { tuning: { emptyWatchesAtMost: 1 } });
    await until('live', () => about(emitted, 'Queue').includes('live'));
    expect(about(emitted, 'Queue')).toEqual(['idle', 'live']);
    const watches = api.server.asked.filter(({ path, query }) => path.endsWith('/queues') && query.has('watch'));
    expect(watches.map(({ query }) => [query.get('resourceVersion'), query.has('sendInitialEvents')])).toEqual([
      ['10', false],
    ]);
  });

  it('watches at once what something has named, and what is served anew', async () => {
    const api = await startApi(queue);
    const { emitted, session } = open(api, { tuning: { namedWatchesAtMost: 1, probeEvery: 600_000 } });
    await until('idle', () => about(emitted, 'Queue').includes('idle'));
    session.named([
      { group: 'sqs.aws.upbound.io', kind: 'Queue' },
      { group: 'never.example.org', kind: 'Served' },
    ]);
    await until('an object', () => about(emitted, 'Queue').includes('applied'));
    api.groups = [queue, bucket];
    await until('what is new', () => about(emitted, 'Bucket').includes('applied'));
    expect(about(emitted, 'Bucket')).not.toContain('idle');
  });

  it('tells a loss once, comes back by itself, and goes on without a list', async () => {
    const api = await startApi(kustomize);
    const emitted = start(api, { tuning: { brokenGrace: 1 } });
    await until('live', () => about(emitted, 'Kustomization').includes('live'));
    await until('events', () => api.streams.get('events')?.length === 4);
    const listed = api.lists.length;
    api.server.cut();
    await until(
      'back',
      () =>
        emitted.filter(({ type }) => type === 'connected').length === 2 &&
        api.streams.get('kustomizations')?.length === 2,
    );
    await until('live again', () => about(emitted, 'Kustomization').at(-1) === 'live');
    expect(emitted.filter(({ type }) => type === 'disconnected')).toHaveLength(1);
    expect(about(emitted, 'Kustomization').filter((summary) => summary === 'sync-start')).toHaveLength(1);
    expect(api.lists).toHaveLength(listed);
  });

  it('says that it is heard at most every 5 s', async () => {
    const api = await startApi(kustomize);
    let now = Date.now();
    const emitted = start(api, { clock: { ...systemClock, now: () => now } });
    const alive = (): number[] => emitted.flatMap((event) => (event.type === 'alive' ? event.at : []));
    const first = now;
    await until('live', () => about(emitted, 'Kustomization').includes('live'));
    for (const [passed, heard] of [
      [4_999, [first]],
      [5_000, [first, first + 5_000]],
    ] as const) {
      now = first + passed;
      const before = api.server.asked.length;
      await until('further answers', () => api.server.asked.length > before + 2);
      expect(alive()).toEqual(heard);
    }
  });

  it('one sick cluster does not delay another', async () => {
    const sick = { server: { ...(await startApi()).server, access: fixedAccess('https://127.0.0.1:1') } };
    const hung = await startApi(kustomize);
    hung.server.blackhole();
    const well = await startApi(kustomize);
    const ofSick = start(sick);
    const ofHung = start(hung, { tuning: { connectTimeout: 200 } });
    const ofWell = start(well);
    await until('live', () => about(ofWell, 'Kustomization').includes('live'));
    await until('told', () =>
      [ofSick, ofHung].every((emitted) =>
        emitted.some((event) => event.type === 'disconnected' && event.fault.type === 'unreachable'),
      ),
    );
    expect(ofSick.some(({ type }) => type === 'connected' || type === 'kinds')).toBe(false);
  });

  it('goes on, as all others do, where what hears it throws at every first event of a type', async () => {
    const errors: object[] = [];
    const log: Log = { ...silentLog, error: (data) => void errors.push(data), child: () => log };
    const heard = new Set<string>();
    const told: ClusterEvent[] = [];
    const spoilt = await startApi(kustomize);
    const session = startClusterSession({
      ...{ access: spoilt.server.access, cluster: 'eu-west-3', clock: systemClock, log, random: () => 0, resume: [] },
      tuning,
      on(event) {
        told.push(event);
        if (heard.has(event.type)) return;
        heard.add(event.type);
        throw new Error(`planted at ${event.type}`);
      },
    });
    closers.push(session.stop);
    const other = start(await startApi(kustomize));
    await until('live', () => about(told, 'Kustomization').at(-1) === 'live');
    await until('the other', () => about(other, 'Kustomization').at(-1) === 'live');
    expect([...heard]).toEqual(expect.arrayContaining(['connected', 'alive', 'kinds', 'feed', 'applied', 'sync-end']));
    const reasons = errors.map((each) => ('reason' in each ? each.reason : ''));
    expect(reasons).toEqual(expect.arrayContaining([...heard].map((type) => `planted at ${type}`)));
    spoilt.server.cut();
    await until('the loss', () => heard.has('disconnected'));
    await until(
      'live again',
      () => told.at(-1)?.type !== 'disconnected' && about(told, 'Kustomization').at(-1) === 'live',
    );
  });

  it('warns when the credentials could write', async () => {
    const warned: object[] = [];
    const log: Log = { ...silentLog, warn: (data) => void warned.push(data), child: () => log };
    const api = await startApi(kustomize);
    start(api, { log });
    await until('warned', () => warned.length === 1);
    expect(warned[0]).toMatchObject({ verbs: ['*'] });
  });

  it('ends everything when it is stopped, and says nothing after it', async () => {
    const api = await startApi(kustomize, bucket);
    const emitted = start(api);
    await until('live', () => about(emitted, 'Kustomization').includes('live'));
    await closers.pop()?.();
    const count = emitted.length;
    await until('no connection left', () => api.server.connections() === 0);
    expect(emitted).toHaveLength(count);
  });
});
