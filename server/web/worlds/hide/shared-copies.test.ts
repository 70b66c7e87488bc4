import { describe, expect, it } from 'vitest';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { sampleObject, sampleRef } from '../../testing/sample.ts';
import { sightOf, type Sight } from '../sight.ts';
import { objectWithin } from './object.ts';
import { sharedWithin } from './shared-copies.ts';

const clusters = ['eu-1', 'us-1'] as const;
const namespaces = ['apps', 'ops'] as const;
const refs: readonly ObjectRef[] = clusters.flatMap((cluster) =>
  namespaces.map((namespace) => sampleRef({ cluster, namespace, name: `on-${cluster}-in-${namespace}` })),
);

/** Sights of eu-1/apps and of each part of the rest. */
const sights: readonly Sight[] = [
  [{ clusters: ['eu-1'], namespaces: ['apps'] }],
  [{ clusters: ['eu-1'], namespaces: ['apps', 'ops'] }],
  [{ clusters: ['eu-1'], namespaces: null }],
  [{ clusters: null, namespaces: ['apps'] }],
  [{ clusters: null, namespaces: null }],
].map(sightOf);

function* objects(): Generator<KnownObject> {
  let n = 0;
  const named = (rest: Partial<Omit<KnownObject, 'ref'>>): KnownObject =>
    sampleObject({ cluster: 'eu-1', namespace: 'apps', name: `app-${(n += 1)}` }, { source: null, ...rest });
  yield named({});
  for (const ref of refs) {
    yield named({ source: ref });
    yield named({ deliveredBy: ref, verdict: 'suspended', role: 'claim' });
    yield named({ names: [ref], reason: 'Behind', verdict: 'behind' });
    yield named({ rootCause: { type: 'object', ref }, verdict: 'waiting' });
    yield named({ upstreams: { ...noUpstreams, parent: ref, provider: ref, dependsOn: [ref], sources: refs } });
  }
  yield named({ message: 'Kustomization ops/x is in the inventory but not on the cluster.', reason: 'Missing' });
}

describe('an object that many views hold', () => {
  it('is told as by itself, to each of them, in whatever order they ask', () => {
    for (const object of objects())
      for (const sight of [...sights, ...sights.toReversed()])
        expect(sharedWithin(object, sight)).toEqual(objectWithin(object, sight));
  });

  it('is one copy for all who see the same of what it names, and itself where it names nothing outside', () => {
    const [own, inOps] = [refs[0], refs[1]];
    if (own === undefined || inOps === undefined) throw new Error('no references');
    const object = sampleObject({ cluster: 'eu-1', namespace: 'apps', name: 'app' }, { source: inOps });
    const [apps, other] = [
      sightOf([{ clusters: ['eu-1'], namespaces: ['apps'] }]),
      sightOf([{ clusters: ['eu-1'], namespaces: ['apps', 'web'] }]),
    ];
    expect(sharedWithin(object, apps)).not.toBe(object);
    expect(sharedWithin(object, other)).toBe(sharedWithin(object, apps));
    const plain = { ...object, source: own };
    expect(sharedWithin(plain, apps)).toBe(plain);
  });

  it('is told right where it names more than fits', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      sampleRef({ cluster: 'us-1', namespace: 'ops', name: `far-${n}` }),
    );
    const object = sampleObject(
      { cluster: 'eu-1', namespace: 'apps', name: 'app' },
      { source: null, upstreams: { ...noUpstreams, dependsOn: many } },
    );
    for (const sight of sights) expect(sharedWithin(object, sight)).toEqual(objectWithin(object, sight));
  });
});
