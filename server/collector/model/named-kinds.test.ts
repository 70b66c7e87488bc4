// A kind that has no objects is only looked at. Whoever names an object of it has it looked at once.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { parseForeign } from '#lib/foreign.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { startClusterModel, type ClusterModel } from './cluster-model.ts';
import { createUnpackedCache } from './objects/unpacked-cache.ts';
import { kinds } from './testing/objects.ts';
import { observedEvent } from '../reconcilers/testing.ts';

const { instance, kustomization } = kinds;
let clock: FakeClock;
let named: (readonly GroupKind[])[];
let model: ClusterModel;

beforeEach(() => {
  clock = fakeClock();
  named = [];
  model = startClusterModel({
    cluster: 'c1',
    labels: {},
    policy: defaultPolicy,
    clock,
    restored: null,
    keepMessages: true,
    unpackedCache: createUnpackedCache(undefined, 1),
    named: (kindsNamed) => void named.push(kindsNamed),
    write: () => undefined,
  });
  const at = clock.now();
  model.take({ type: 'connected', at, protocol: 'h2', version: 'v1.34.3' });
  model.take({ type: 'kinds', at, kinds: [kustomization, instance], absent: [] });
  model.take({ type: 'feed', at, kind: kustomization, feed: { state: 'live' } });
  model.take({ type: 'feed', at, kind: instance, feed: { state: 'idle' } });
});

afterEach(() => model.stop());

it.each<readonly [string, readonly string[], readonly object[]]>([
  [
    'names an object of such a kind',
    ['_db_rds.aws.upbound.io_Instance'],
    [[{ group: instance.group, kind: instance.kind }]],
  ],
  ['names none', [], []],
])('an inventory that %s', (_what, ids, expected) => {
  const object = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'app', namespace: 'flux-system', uid: 'u', resourceVersion: '1', generation: 1 },
    spec: { interval: '10m' },
    status: { inventory: { entries: ids.map((id) => ({ id, v: 'v1beta1' })) } },
  };
  const foreign = parseForeign(JSON.stringify(object)) ?? {};
  model.take({ type: 'applied', at: clock.now(), kind: kustomization, initial: false, object: foreign });
  expect(named).toMatchObject(expected);
  expect(named).toHaveLength(expected.length);
});

it('an Event about an object of such a kind, and not one of a kind that is watched', () => {
  const about = { group: instance.group, kind: instance.kind, namespace: '', name: 'db' };
  model.take({ type: 'event', at: clock.now(), event: observedEvent({ about }) });
  const watched = { ...about, group: kustomization.group, kind: kustomization.kind };
  model.take({ type: 'event', at: clock.now(), event: observedEvent({ about: watched }) });
  expect(named).toMatchObject([[{ group: instance.group, kind: instance.kind }]]);
});
