import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams, type Upstreams } from '#lib/domain/record/upstreams.ts';
import { knownFleet } from '../../cache/known-fleet.ts';
import { createFleetCache } from '../../cache/fleet-cache.ts';
import { sampleCluster, sampleDetail, sampleNow, sampleObject, sampleRef, sourceGroup } from '../../testing/sample.ts';
import { clusterPage } from '../cluster-page.ts';
import { dependentsOf, relatedRefsOf, upstreamLines } from './dependencies.ts';
import type { WireContext } from '../wire-context.ts';

const context: WireContext = { policy: defaultPolicy, now: sampleNow, links: () => null };

function named(kind: string, name: string, rest: Partial<Omit<KnownObject, 'ref'>> = {}, cluster = 'eu-west-3') {
  const group =
    kind === 'Kustomization' ? sampleRef({ name }).group : kind === 'Instance' ? 'rds.aws.upbound.io' : sourceGroup;
  return sampleObject({ cluster, group, kind, name }, { source: null, ...rest });
}

function on(upstreams: Partial<Upstreams>): { readonly upstreams: Upstreams } {
  return { upstreams: { ...noUpstreams, ...upstreams } };
}

const control = named('GitRepository', 'control');
const lib = named('GitRepository', 'lib');
const generator = named('ArtifactGenerator', 'gen', { source: control.ref, ...on({ sources: [lib.ref] }) });
const artifact = named('ExternalArtifact', 'app', { source: generator.ref });
const base = named('Kustomization', 'base', { source: control.ref });
const apps = named('Kustomization', 'apps', {
  source: artifact.ref,
  deliveredBy: base.ref,
  ...on({ dependsOn: [sampleRef({ name: 'crds' })] }),
});
const claim = named('Database', 'orders', { deliveredBy: apps.ref });
const composite = named('XDatabase', 'orders-xr', on({ parent: claim.ref }));
const provider = named('ProviderRevision', 'provider-aws-rds');
const config = { ...provider.ref, kind: 'ProviderConfig', name: 'default' };
const managed = named(
  'Instance',
  'orders-db',
  on({ parent: composite.ref, provider: provider.ref, providerConfig: config }),
);
const all = [control, lib, generator, artifact, base, apps, claim, composite, provider, managed];

function find(ref: ObjectRef): KnownObject | null {
  return all.find((object) => refKey(object.ref) === refKey(ref)) ?? null;
}

describe('what an object depends on', () => {
  it('goes through generated artifacts to every repository behind them', () => {
    const lines = upstreamLines(apps, find, context).map(({ relation, ref }) => `${relation}: ${ref.kind} ${ref.name}`);
    expect(lines).toEqual([
      'source: ExternalArtifact app',
      'source of its source: ArtifactGenerator gen',
      'source behind that: GitRepository control',
      'source behind that: GitRepository lib',
      'depends on: Kustomization crds',
      'delivered by: Kustomization base',
    ]);
  });

  it('goes up from a managed resource to what delivers its claim', () => {
    const lines = upstreamLines(managed, find, context).map(
      ({ relation, ref }) => `${relation}: ${ref.kind} ${ref.name}`,
    );
    expect(lines).toEqual([
      'composed by: XDatabase orders-xr',
      'which is composed by: Database orders',
      'which is delivered by: Kustomization apps',
      'provider: ProviderRevision provider-aws-rds',
      'provider configuration: ProviderConfig default',
    ]);
  });
});

it('goes up four composites above the first, and says nothing of what delivers those beyond', () => {
  const nested = Array.from({ length: 7 }, (_, level) =>
    named('XDatabase', `level-${level}`, {
      deliveredBy: base.ref,
      ...on({
        parent: level === 6 ? null : sampleRef({ kind: 'XDatabase', group: sourceGroup, name: `level-${level + 1}` }),
      }),
    }),
  );
  const [lowest = managed] = nested;
  const among = (ref: ObjectRef): KnownObject | null => nested.find(({ ref: { name } }) => name === ref.name) ?? null;
  const lines = upstreamLines(lowest, among, context).map(({ relation, ref }) => `${relation}: ${ref.name}`);
  expect(lines.slice(1)).toEqual([
    'composed by: level-1',
    ...[2, 3, 4, 5].map((level) => `which is composed by: level-${level}`),
  ]);
});

function fleetOf(objects: readonly KnownObject[]) {
  const fleetCache = createFleetCache();
  const clusters = new Set(objects.map(({ ref }) => ref.cluster));
  fleetCache.apply([
    ...[...clusters].map((name) => ({ type: 'cluster' as const, cluster: sampleCluster(name) })),
    ...objects.map((object) => ({ type: 'object' as const, object })),
  ]);
  return knownFleet(fleetCache, defaultPolicy);
}

describe('what depends on an object', () => {
  it.each([
    ['lib', lib, 1],
    ['the composite', composite, 1],
    ['the provider', provider, 1],
    ['the delivery', apps, 1],
    ['the dependency', { ...base, ref: sampleRef({ name: 'crds' }) }, 1],
    ['the managed resource', managed, 0],
  ])('%s', (_name, object, total) => {
    expect(dependentsOf(object, fleetOf(all).all(sampleNow)).total).toBe(total);
  });

  it('is counted on other clusters too, where it reaches over', () => {
    const exemptions = [
      { kind: 'remote-cluster' as const, field: 'spec.kubeConfig', meaning: '', by: null, at: null, reach: null },
    ];
    const hub = named('Kustomization', 'edge', { exemptions }, 'hub');
    const far = named('Kustomization', 'far', { deliveredBy: hub.ref });
    const worse = named('Kustomization', 'worse', {
      verdict: 'unconfirmed',
      deliveredBy: hub.ref,
      rootCause: { type: 'object', ref: hub.ref },
    });
    const found = dependentsOf(hub, fleetOf([hub, far, worse]).all(sampleNow));
    expect([found.total, found.deviating.map(({ ref }) => ref.name)]).toEqual([2, ['worse']]);
  });

  it('is known by its fault where it depends on it over another', () => {
    const rootCause = { type: 'object', ref: control.ref } as const;
    const stale = named('Kustomization', 'elsewhere', { verdict: 'stale', rootCause }, 'us-east-1');
    const found = dependentsOf(control, fleetOf([control, stale]).all(sampleNow));
    expect(found.deviating.map(({ ref }) => ref.name)).toEqual(['elsewhere']);
  });
});

it('the edges of a cluster say the same, without reading a detail', () => {
  const known = fleetOf(all).cluster('eu-west-3', sampleNow);
  if (!known) throw new Error('no cluster');
  const edges = clusterPage(
    { known, kept: known, scope: wholeFleet, record: sampleCluster('eu-west-3') },
    context,
  ).edges.map(({ from, to, relation }) => {
    const [start, end] = [from, to].map((key) => key.split('/').at(-1));
    return `${start} ${relation} ${end}`;
  });
  expect(edges.toSorted()).toEqual(
    [
      'app source apps',
      'apps delivery orders',
      'base delivery apps',
      'control source base',
      'control source gen',
      'crds dependency apps',
      'default provider orders-db',
      'gen source app',
      'lib source gen',
      'orders composition orders-xr',
      'orders-xr composition orders-db',
      'provider-aws-rds provider orders-db',
    ].toSorted(),
  );
});

it('tells 40 of what an object depends on, the first of them', () => {
  const dependsOn = Array.from({ length: 45 }, (_, index) => sampleRef({ name: `base-${index}` }));
  const lines = upstreamLines(named('Kustomization', 'all', on({ dependsOn })), find, context);
  expect(lines.map(({ ref }) => ref.name)).toEqual(dependsOn.slice(0, 40).map(({ name }) => name));
});

describe('whatever may be why an object broke', () => {
  const related = (object: KnownObject, children: readonly ObjectRef[] | null = null): string[] => {
    const detail = children === null ? null : sampleDetail(object, { children });
    return relatedRefsOf(object, detail, find, context).map(({ relation, ref }) => `${relation}: ${ref.name}`);
  };

  it('is itself, what it depends on, its cause with what that depends on, and what it is made of', () => {
    const broken = named('Kustomization', 'shop', {
      source: control.ref,
      rootCause: { type: 'object', ref: apps.ref },
    });
    expect(related(broken, [sampleRef({ name: 'part' }), control.ref])).toEqual([
      'itself: shop',
      'source: control',
      'root cause: apps',
      'source of its root cause: app',
      'source of its source of its root cause: gen',
      'source behind that of its root cause: lib',
      'depends on of its root cause: crds',
      'delivered by of its root cause: base',
      'made of: part',
    ]);
  });

  it('is a cause of which nothing is known, and none that is no object', () => {
    const unknown = { type: 'object', ref: sampleRef({ name: 'away' }) } as const;
    expect(related(named('Kustomization', 'shop', { rootCause: unknown }))).toEqual([
      'itself: shop',
      'root cause: away',
    ]);
    const cluster = { type: 'cluster', cluster: 'eu-west-3' } as const;
    expect(related(named('Kustomization', 'shop', { rootCause: cluster }))).toEqual(['itself: shop']);
  });

  it('is no more than 20 of its parts, the first of them', () => {
    const children = Array.from({ length: 21 }, (_, n) => sampleRef({ name: `part-${n}` }));
    expect(related(named('XDatabase', 'db'), children)).toEqual([
      'itself: db',
      ...Array.from({ length: 20 }, (_, n) => `made of: part-${n}`),
    ]);
  });
});

it('a delivery is followed to its source', () => {
  const delivered = named('Kustomization', 'shop', { deliveredBy: base.ref });
  expect(upstreamLines(delivered, find, context).map(({ relation, ref }) => `${relation}: ${ref.name}`)).toEqual([
    'delivered by: base',
    'source of its delivery: control',
  ]);
});

it('sources are followed four times', () => {
  const chain = Array.from({ length: 8 }, (_, n) =>
    named('ArtifactGenerator', `s${n}`, {
      source: sampleRef({ group: sourceGroup, kind: 'ArtifactGenerator', name: `s${n + 1}` }),
    }),
  );
  const among = (ref: ObjectRef): KnownObject | null => chain.find((one) => one.ref.name === ref.name) ?? null;
  const [first = control] = chain;
  expect(upstreamLines(first, among, context).map(({ relation, ref }) => `${relation}: ${ref.name}`)).toEqual([
    'source: s1',
    'source of its source: s2',
    'source behind that: s3',
    'source behind that: s4',
    'source behind that: s5',
  ]);
});

it('sources that all name one another are each looked at once', () => {
  const refs = Array.from({ length: 30 }, (_, n) => named('GitRepository', `lib-${n}`).ref);
  const many = refs.map(({ name }) => named('GitRepository', name, on({ sources: [...refs, ...refs, ...refs] })));
  const byKey = new Map(many.map((one) => [refKey(one.ref), one]));
  let looked = 0;
  const find = (ref: ObjectRef) => {
    looked += 1;
    return byKey.get(refKey(ref)) ?? null;
  };
  const [first] = many;
  if (first === undefined) throw new Error('no source');
  expect(upstreamLines(first, find, context)).toHaveLength(29);
  expect(looked).toBeLessThan(30 * 5 * 90);
});
