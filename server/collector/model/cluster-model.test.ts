// The living model of one cluster on a fake clock: what it takes in, when it judges, what it hands to the record.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { objectAt, parseForeign, type ForeignObject } from '#lib/foreign.ts';
import { hour } from '#lib/domain/time/length.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { ClusterFault, FeedState, WatchedKind } from '../clusters/cluster-event.ts';
import { createUnpackedCache } from './objects/unpacked-cache.ts';
import { createWritten } from './changes/written.ts';
import { startClusterModel, type ClusterModel } from './cluster-model.ts';
import { lossGrace } from './feeds/cluster-visibility.ts';

const kind: WatchedKind = {
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  version: 'v1',
  resource: 'kustomizations',
  namespaced: true,
  categories: [],
};
const revision = `main@sha1:${'a'.repeat(40)}`;
const lost: ClusterFault = { type: 'unreachable', message: 'no route' };

let clock: FakeClock;
let before: StoredClusterState | null;
let batches: WriteBatch[];
let model: ClusterModel;
let version: number;

function start(restored: StoredClusterState | null = null): ClusterModel {
  before = restored;
  return startClusterModel({
    cluster: 'c1',
    labels: {},
    policy: defaultPolicy,
    clock,
    restored,
    keepMessages: true,
    unpackedCache: createUnpackedCache(undefined, 1),
    write: (batch) => void batches.push(batch),
  });
}

beforeEach(() => {
  clock = fakeClock();
  batches = [];
  version = 100;
  model = start();
});

afterEach(() => model.stop());

type Says = 'good' | 'busy' | 'bad';

/** A Kustomization as the API server would send it; each write has a resourceVersion of its own. */
function kustomization(name: string, says: Says = 'good', passedAt = clock.now()): ForeignObject {
  const at = new Date(passedAt).toISOString();
  const status = { good: 'True', busy: 'Unknown', bad: 'False' }[says];
  const reason = { good: 'ReconciliationSucceeded', busy: 'Progressing', bad: 'BuildFailed' }[says];
  const ready = { type: 'Ready', status, reason, message: reason, lastTransitionTime: at, observedGeneration: 1 };
  const reconciling =
    says === 'good'
      ? []
      : [
          {
            type: 'Reconciling',
            status: 'True',
            reason: says === 'bad' ? 'ProgressingWithRetry' : 'Progressing',
            message: 'x',
            lastTransitionTime: at,
            observedGeneration: 1,
          },
        ];
  const history = [
    {
      digest: 'sha256:1',
      firstReconciled: '2026-11-20T00:00:00Z',
      lastReconciled: at,
      lastReconciledDuration: '100ms',
      lastReconciledStatus: 'ReconciliationSucceeded',
      totalReconciliations: version,
      metadata: { revision },
    },
  ];
  const object = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: {
      name,
      namespace: 'flux-system',
      uid: `uid-${name}`,
      resourceVersion: String(++version),
      generation: 1,
      creationTimestamp: '2026-11-20T00:00:00Z',
    },
    spec: { interval: '10m', path: './app', prune: true, sourceRef: { kind: 'Bucket', name: 'none' } },
    status: {
      conditions: [...reconciling, ready],
      observedGeneration: 1,
      lastAppliedRevision: revision,
      lastAttemptedRevision: revision,
      history,
    },
  };
  // Its source is of a kind that this cluster does not watch; the tests are about the object alone.
  return parseForeign(JSON.stringify(object)) ?? {};
}

function connect(): void {
  model.take({ type: 'connected', at: clock.now(), protocol: 'h2', version: 'v1.34.3' });
}

function feed(state: FeedState, of: WatchedKind = kind): void {
  model.take({ type: 'feed', at: clock.now(), kind: of, feed: state });
}

const source: WatchedKind = {
  ...kind,
  group: 'source.toolkit.fluxcd.io',
  kind: 'Bucket',
  resource: 'buckets',
};

function artifact(): ForeignObject {
  const at = new Date(clock.now()).toISOString();
  return (
    parseForeign(
      JSON.stringify({
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'Bucket',
        metadata: {
          name: 'none',
          namespace: 'flux-system',
          uid: 'uid-source',
          resourceVersion: String(++version),
          generation: 1,
          creationTimestamp: '2026-11-20T00:00:00Z',
        },
        spec: {},
        status: {
          artifact: { revision, digest: 'sha256:1', lastUpdateTime: at },
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'Succeeded',
              message: 'ok',
              lastTransitionTime: at,
              observedGeneration: 1,
            },
          ],
        },
      }),
    ) ?? {}
  );
}

function renew(): void {
  const at = clock.now();
  const lease = (name: string) => ({
    namespace: 'flux-system',
    name: `${name}-leader-election`,
    holder: 'pod',
    durationSeconds: 35,
    renewTime: at - 500,
    transitions: 0,
  });
  model.take({
    type: 'leases',
    at,
    namespace: 'flux-system',
    leases: ['kustomize-controller', 'source-controller'].map(lease),
  });
  model.take({ type: 'alive', at });
}

function list(of: WatchedKind, ...objects: readonly ForeignObject[]): void {
  const at = clock.now();
  model.take({ type: 'sync-start', at, kind: of });
  for (const object of objects) model.take({ type: 'applied', at, kind: of, initial: true, object });
  model.take({ type: 'sync-end', at, kind: of, resourceVersion: String(version) });
  model.take({ type: 'feed', at, kind: of, feed: { state: 'live' } });
}

function write(object: ForeignObject): void {
  model.take({ type: 'applied', at: clock.now(), kind, initial: false, object });
}

/** Lets time pass with its leases looked at each 10 s. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 10_000) {
    clock.advance(Math.min(10_000, left));
    renew();
  }
  clock.advance(50);
}

function open(...objects: readonly ForeignObject[]): void {
  connect();
  model.take({ type: 'kinds', at: clock.now(), kinds: [kind, source], absent: [] });
  renew();
  list(source, artifact());
  list(kind, ...objects);
  pass(6_000);
}

function verdicts(): Record<string, Verdict> {
  return Object.fromEntries(
    stored()
      .objects.filter(({ object }) => object.ref.kind === 'Kustomization')
      .map(({ object }) => [object.ref.name, object.verdict]),
  );
}

function changes(name?: string): readonly string[] {
  return batches
    .flatMap((batch) => batch.transitions)
    .filter((one) => one.ref.kind === 'Kustomization' && (name === undefined || one.ref.name === name))
    .map((one) => `${one.ref.name} ${one.from} -> ${one.to}`);
}

/** State that the store would give back: every record as it was written last. */
function stored(): StoredClusterState {
  const written = createWritten(before);
  for (const batch of batches) written.take(batch);
  // Through JSON, as the store keeps it.
  return structuredClone(written.state());
}

function record(name: string): CurrentObject | undefined {
  return stored().objects.find(({ object }) => object.ref.name === name)?.object;
}

describe('the initial list', () => {
  it('is judged once it is whole and the leases were looked at twice, and vouched for from then on', () => {
    connect();
    model.take({ type: 'kinds', at: clock.now(), kinds: [kind, source], absent: [] });
    renew();
    list(source, artifact());
    list(kind, kustomization('a'), kustomization('b', 'bad'));
    clock.advance(1_000);
    expect([stored().objects, model.inStep(), model.cluster().state, changes()]).toEqual([[], false, 'connecting', []]);
    pass(6_000);
    expect([verdicts(), model.inStep(), model.cluster().state]).toEqual([
      { a: 'converged', b: 'diverged' },
      true,
      'live',
    ]);
    expect(changes()).toEqual(['a null -> converged', 'b null -> diverged']);
  });

  it('is judged though a kind never comes to its end, after a while', () => {
    connect();
    model.take({ type: 'kinds', at: clock.now(), kinds: [kind, source], absent: [] });
    feed({ state: 'syncing' }, source);
    renew();
    list(kind, kustomization('a'));
    pass(15_000);
    expect(model.inStep()).toBe(false);
    pass(10_000);
    expect(verdicts()).toEqual({ a: 'unobserved' });
  });

  it('of a cluster that was never reached says nothing of any object', () => {
    model.take({ type: 'disconnected', at: clock.now(), fault: lost });
    clock.advance(300_000);
    expect([stored().objects, model.cluster().state, changes()]).toEqual([[], 'unreachable', []]);
  });
});

describe('what goes', () => {
  it('what a relist does not name is deleted at its end, not before', () => {
    open(kustomization('a'), kustomization('b'));
    const at = clock.now();
    model.take({ type: 'sync-start', at, kind });
    model.take({ type: 'applied', at, kind, initial: true, object: kustomization('a') });
    clock.advance(200);
    expect(Object.keys(verdicts())).toEqual(['a', 'b']);
    model.take({ type: 'sync-end', at: clock.now(), kind, resourceVersion: '900' });
    clock.advance(200);
    expect([Object.keys(verdicts()), changes('b')]).toEqual([['a'], ['b null -> converged', 'b converged -> null']]);
    expect(batches.flatMap((batch) => batch.removed).map(({ ref }) => ref.name)).toEqual(['b']);
  });

  it('a relist that breaks off deletes nothing', () => {
    open(kustomization('a'), kustomization('b'));
    model.take({ type: 'sync-start', at: clock.now(), kind });
    model.take({ type: 'applied', at: clock.now(), kind, initial: true, object: kustomization('a') });
    list(kind, kustomization('a'), kustomization('b'));
    clock.advance(200);
    expect([Object.keys(verdicts()), changes()]).toEqual([
      ['a', 'b'],
      ['a null -> converged', 'b null -> converged'],
    ]);
  });

  it('a kind that vanishes takes its objects with it; one that is forbidden does not', () => {
    open(kustomization('a'));
    feed({ state: 'forbidden', fault: { type: 'forbidden', message: 'RBAC' } });
    clock.advance(200);
    expect(Object.keys(verdicts())).toEqual(['a']);
    feed({ state: 'absent' });
    clock.advance(200);
    expect([verdicts(), changes().at(-1)]).toEqual([{}, 'a converged -> null']);
  });

  it('an object of the same name with another uid is another object, and not away before it was heard out', () => {
    open(kustomization('a'));
    const text = JSON.stringify(kustomization('a')).replace('uid-a', 'uid-other');
    write(parseForeign(text) ?? {});
    clock.advance(500);
    expect(changes('a')).toEqual(['a null -> converged', 'a converged -> null', 'a null -> converged']);
  });
});

describe('a quiet pass', () => {
  it('leaves no change and no overlay, however many writes it is', () => {
    open(kustomization('a'));
    const before = batches.flatMap((batch) => batch.objects).length;
    write(kustomization('a', 'busy'));
    clock.advance(40);
    write(kustomization('a', 'busy'));
    clock.advance(40);
    write(kustomization('a'));
    clock.advance(500);
    expect([changes('a'), batches.flatMap((batch) => batch.objects).length]).toEqual([['a null -> converged'], before]);
  });

  it('is shown as under way only when it takes longer than 3 s', () => {
    open(kustomization('a'));
    write(kustomization('a', 'busy'));
    clock.advance(2_900);
    expect(record('a')?.reconciling).toBe(false);
    clock.advance(200);
    expect([record('a')?.reconciling, record('a')?.verdict]).toEqual([true, 'converged']);
    write(kustomization('a'));
    clock.advance(200);
    expect([record('a')?.reconciling, changes('a')]).toEqual([false, ['a null -> converged']]);
  });

  it('tells what it tries while it is shown as under way, and not before', () => {
    open(kustomization('a'));
    const trying = kustomization('a', 'busy');
    write({ ...trying, status: { ...objectAt(trying, 'status'), lastAttemptedRevision: 'main@sha1:next' } });
    clock.advance(2_900);
    expect(record('a')?.revision).toMatchObject({ applied: revision, attempted: revision });
    clock.advance(200);
    expect(record('a')?.revision).toMatchObject({ applied: revision, attempted: 'main@sha1:next' });
  });

  it('that fails is recorded at the write that first showed it', () => {
    open(kustomization('a'));
    const at = clock.now();
    write(kustomization('a', 'bad'));
    clock.advance(500);
    expect(batches.flatMap((batch) => batch.transitions).at(-1)).toMatchObject({
      from: 'converged',
      to: 'diverged',
      at,
      bound: 'exact',
    });
  });
});

describe('an outage', () => {
  it('shorter than its grace leaves nothing', () => {
    open(kustomization('a'));
    model.take({ type: 'disconnected', at: clock.now(), fault: lost });
    clock.advance(lossGrace - 100);
    connect();
    pass(10_000);
    expect([
      model.cluster().state,
      changes(),
      batches.flatMap((batch) => batch.coverage).filter((one) => !one.observed),
    ]).toEqual(['live', ['a null -> converged'], []]);
  });

  it('of an hour accuses no object and no controller, and vouches for nothing until all is seen again', () => {
    open(kustomization('a'));
    feed({ state: 'failed', fault: lost });
    model.take({ type: 'disconnected', at: clock.now(), fault: lost });
    clock.advance(hour);
    expect([model.cluster().state, changes()]).toEqual(['unreachable', ['a null -> converged']]);
    connect();
    renew();
    clock.advance(2_000);
    expect(model.cluster().state).toBe('connecting');
    // The watch is taken up where it was: every write of the pass is told.
    feed({ state: 'live' });
    write(kustomization('a', 'busy'));
    write(kustomization('a', 'bad'));
    clock.advance(4_000);
    renew();
    clock.advance(1_000);
    expect([model.cluster().state, changes('a')]).toEqual(['live', ['a null -> converged', 'a converged -> diverged']]);
  });
});

describe('a restart', () => {
  function again(): void {
    model.stop();
    const state = stored();
    batches = [];
    clock.advance(60_000);
    model = start(state);
  }

  it('goes on with onset, time away and resume points, and records nothing that did not change', () => {
    open(kustomization('a'), kustomization('b'));
    write(kustomization('b', 'bad'));
    pass(30_000);
    const before = record('b');
    model.take({ type: 'bookmark', at: clock.now(), kind, resourceVersion: '950' });
    clock.advance(10_000);
    expect(stored().resume).toContainEqual({
      group: kind.group,
      kind: 'Kustomization',
      version: 'v1',
      resourceVersion: '950',
    });
    again();
    connect();
    model.take({ type: 'kinds', at: clock.now(), kinds: [kind, source], absent: [] });
    feed({ state: 'live' });
    feed({ state: 'live' }, source);
    renew();
    clock.advance(100);
    expect([model.cluster().state, model.inStep()]).toEqual(['connecting', false]);
    pass(6_000);
    expect([verdicts(), changes()]).toEqual([{ a: 'converged', b: 'diverged' }, []]);
    expect([record('b')?.onset, record('b')?.awaySince]).toEqual([before?.onset, before?.awaySince]);
  });

  it('onto a cluster that is out of reach says nothing of any object', () => {
    open(kustomization('a'));
    again();
    model.take({ type: 'disconnected', at: clock.now(), fault: lost });
    clock.advance(600_000);
    expect([changes(), batches.flatMap((batch) => batch.objects), model.cluster().state]).toEqual([
      [],
      [],
      'unreachable',
    ]);
  });

  it('in a pass that was under way goes on with what stood before it', () => {
    open(kustomization('a'));
    write(kustomization('a', 'busy'));
    clock.advance(200);
    again();
    connect();
    model.take({ type: 'kinds', at: clock.now(), kinds: [kind, source], absent: [] });
    feed({ state: 'live' });
    feed({ state: 'live' }, source);
    renew();
    pass(6_000);
    write(kustomization('a'));
    clock.advance(500);
    expect([verdicts(), changes()]).toEqual([{ a: 'converged' }, []]);
  });
});

it('after its end it takes and writes nothing more', () => {
  open(kustomization('a'));
  model.stop();
  const written = batches.length;
  write(kustomization('a', 'bad'));
  clock.advance(60_000);
  expect(batches.length).toBe(written);
});
