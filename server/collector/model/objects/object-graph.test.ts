import { beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { managed, noon, observed, source, tracked } from '#lib/domain/testing/observed.ts';
import { createFeedTracker, type FeedTracker } from '../feeds/feed-tracker.ts';
import { newEntry } from './packed-entry.ts';
import type { Entry } from './entry.ts';
import { createControllerIndex } from '../controllers/controller-index.ts';
import { createRemoteApplierIndex } from '../remote/remote-applier-index.ts';
import { createObjectGraph, keyIn, type ObjectGraph } from './object-graph.ts';

let feeds: FeedTracker;
let graph: ObjectGraph;

function kindOf(ref: ObjectRef, resource: string) {
  return { group: ref.group, kind: ref.kind, version: 'v1', resource, namespaced: true, categories: [] };
}

beforeEach(() => {
  feeds = createFeedTracker('c1', {}, noon, null);
  graph = createObjectGraph(feeds, createControllerIndex('c1', null), createRemoteApplierIndex());
  const kinds = [
    kindOf(observed().ref, 'kustomizations'),
    kindOf(source().ref, 'gitrepositories'),
    kindOf(managed().ref, 'instances'),
  ];
  feeds.take({ type: 'connected', at: noon, protocol: 'h2', version: null });
  feeds.take({ type: 'kinds', at: noon, kinds, absent: [] });
  for (const kind of kinds) feeds.take({ type: 'feed', at: noon, kind, feed: { state: 'live' } });
});

function keep(observation: Observation): Entry {
  const entry = newEntry(observation.ref, tracked(observation, noon), true);
  graph.keep(entry);
  graph.relink(entry);
  return entry;
}

function named(name: string, part: Partial<Observation> = {}): Observation {
  return observed({ ref: { ...observed().ref, name }, uid: name, ...part });
}

describe('who depends on whom', () => {
  it('source, delivery and dependencies, also before they are there', () => {
    const crds = named('crds').ref;
    const checkout = keep(named('checkout', { source: source().ref, dependsOn: [crds] }));
    expect([...graph.dependentsOf(keyIn('c1', source().ref))]).toEqual([checkout.key]);
    expect([...graph.dependentsOf(keyIn('c1', crds))]).toEqual([checkout.key]);
    const instance = keep(managed({ deliveredBy: checkout.ref }));
    expect([...graph.dependentsOf(checkout.key)]).toEqual([instance.key]);
  });

  it('what is depended on no longer is left', () => {
    const checkout = keep(named('checkout', { source: source().ref }));
    checkout.change({ track: tracked(named('checkout', { source: null }), noon) });
    graph.relink(checkout);
    expect([...graph.dependentsOf(keyIn('c1', source().ref))]).toEqual([]);
    keep(named('web', { dependsOn: [checkout.ref] }));
    const web = graph.drop(keyIn('c1', named('web').ref));
    expect([web?.entry.ref.name, [...graph.dependentsOf(checkout.key)]]).toEqual(['web', []]);
  });

  it('an inventory depends on what is of a watched kind, and not on what lives on another cluster', () => {
    const inventory = ['_orders_rds.aws.upbound.io_Instance', 'checkout_api_apps_Deployment'];
    expect(keep(named('crossplane', { inventory })).inventory).toEqual(['c1/rds.aws.upbound.io/Instance//orders']);
    expect(keep(named('elsewhere', { inventory, remote: true })).inventory).toEqual([]);
  });

  it('a managed resource depends on the package revision that runs its kind, once discovery has named it', () => {
    const instance = keep(managed());
    expect(graph.providerOf(instance)).toBeNull();
    graph.nameResource(managed().ref, 'instances');
    const revision = keep(
      managed({
        ref: { ...managed().ref, group: 'pkg.crossplane.io', kind: 'ProviderRevision', name: 'aws-rds-1' },
        role: 'package',
        provides: ['instances.rds.aws.upbound.io'],
      }),
    );
    expect([graph.providerOf(instance), [...graph.dependentsOf(revision.key)]]).toEqual([revision.key, [instance.key]]);
    graph.drop(revision.key);
    expect(graph.providerOf(instance)).toBeNull();
  });
});

describe('order', () => {
  it('judges what is depended on first', () => {
    const web = keep(named('web', { dependsOn: [named('checkout').ref] }));
    const checkout = keep(named('checkout', { dependsOn: [named('crds').ref], source: source().ref }));
    const crds = keep(named('crds', { source: source().ref }));
    const repository = keep(source());
    const order = graph.inOrder(new Set([web.key, checkout.key, crds.key, repository.key])).flat();
    const place = (entry: Entry): number => order.indexOf(entry.key);
    expect(order).toHaveLength(4);
    expect(place(repository)).toBeLessThan(place(crds));
    expect(place(crds)).toBeLessThan(place(checkout));
    expect(place(checkout)).toBeLessThan(place(web));
  });

  it('takes objects that depend on each other in a circle together', () => {
    const a = keep(named('a', { dependsOn: [named('b').ref] }));
    const b = keep(named('b', { dependsOn: [a.ref] }));
    expect(graph.inOrder(new Set([a.key])).map((circle) => circle.toSorted())).toEqual([[a.key, b.key]]);
  });
});

it('counts the objects of each kind on its feed', () => {
  keep(named('a'));
  keep(named('b'));
  graph.drop(keyIn('c1', named('a').ref));
  expect(
    feeds
      .current(noon, { controllers: [], conflicts: [], conflictsTotal: 0, clockAhead: null })
      .feeds.find((feed) => feed.kind === 'Kustomization')?.objects,
  ).toBe(1);
  expect(graph.ofKind(observed().ref)).toEqual([keyIn('c1', named('b').ref)]);
});
