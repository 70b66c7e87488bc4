import { beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
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
  graph = createObjectGraph(
    feeds,
    createControllerIndex('c1', null),
    createRemoteApplierIndex(() => true),
  );
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

function drop(key: RefKey): Entry | null {
  const entry = graph.takeOut(key);
  if (entry) graph.untie(entry);
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
    const web = drop(keyIn('c1', named('web').ref));
    expect([web?.ref.name, [...graph.dependentsOf(checkout.key)]]).toEqual(['web', []]);
  });

  it('an inventory depends on what is of a watched kind, and not on what lives on another cluster', () => {
    const inventory = ['_orders_rds.aws.upbound.io_Instance', 'checkout_api_apps_Deployment'];
    expect(keep(named('crossplane', { inventory })).inventory).toEqual(['c1/rds.aws.upbound.io/Instance//orders']);
    expect(keep(named('elsewhere', { inventory, remote: true })).inventory).toEqual([]);
  });

  it('each of several leaves for itself', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => keep(named(name, { source: source().ref })));
    const repository = keyIn('c1', source().ref);
    for (const [gone, left] of [
      [a, [b, c]],
      [b, [c]],
      [c, []],
    ] as const) {
      drop(gone?.key ?? repository);
      expect([...graph.dependentsOf(repository)]).toEqual(left.map((entry) => entry?.key));
    }
  });

  describe('an inventory', () => {
    const ids = (...names: readonly string[]) => names.map((name) => `_${name}_rds.aws.upbound.io_Instance`);
    const applier = (...names: readonly string[]) => named('apps', { inventory: ids(...names) });
    const delivered = (name: string, deliveredBy: ObjectRef | null = applier().ref) =>
      keep(managed({ ref: { ...managed().ref, name }, uid: name, deliveredBy }));

    it('concerns those that it lists now or lists no more, and that are marked as its own', () => {
      const apps = keep(applier('old', 'kept', 'foreign'));
      const [old, kept, added] = ['old', 'kept', 'added'].map((name) => delivered(name));
      const foreign = delivered('foreign', null);
      const relisted = (...names: readonly string[]) => {
        apps.change({ track: tracked(applier(...names), noon) });
        return graph.relink(apps).slice(1);
      };
      expect(relisted('kept', 'added', 'foreign')).toEqual([old?.key, added?.key]);
      expect(relisted('kept', 'added', 'foreign')).toEqual([]);
      expect(relisted('kept', 'old')).toEqual([added?.key, old?.key]);
      expect(graph.lists(apps.key, foreign.key)).toBe(false);
      expect(graph.lists(apps.key, kept?.key ?? apps.key)).toBe(true);
      expect([...graph.concernedBy(old?.key ?? apps.key)]).toEqual([apps.key]);
      drop(apps.key);
      expect(graph.lists(apps.key, kept?.key ?? apps.key)).toBe(false);
    });

    it('of what lives elsewhere reaches over, while there is any', () => {
      const reaches = (part: Partial<Observation>): boolean => {
        const { key } = keep(named('apps', part));
        return graph.reachingOver.has(key);
      };
      expect(reaches({ remote: true, inventory: ids('a') })).toBe(true);
      expect(reaches({ remote: true })).toBe(false);
      expect(reaches({ inventory: ids('a') })).toBe(false);
      const { key } = keep(named('apps', { remote: true, inventory: ids('a') }));
      drop(key);
      expect(graph.reachingOver.has(key)).toBe(false);
    });

    it('remembers since when its objects are missing only while it names them, and while all kinds are seen', () => {
      const apps = keep(named('apps', { inventory: ids('old'), dependsOn: [named('crds').ref] }));
      const [old, crds] = [keyIn('c1', { ...managed().ref, name: 'old' }), keyIn('c1', named('crds').ref)];
      const missing = () => [...(apps.missingSince?.keys() ?? [])];
      apps.missingSince = new Map([old, crds].map((key) => [key, noon]));
      graph.relink(apps);
      expect(missing()).toEqual([old, crds]);
      apps.change({ track: tracked(named('apps'), noon) });
      const kind = kindOf(managed().ref, 'instances');
      feeds.take({
        type: 'feed',
        at: noon,
        kind,
        feed: { state: 'failed', fault: { type: 'unreachable', message: 'cut' } },
      });
      graph.relink(apps);
      expect(missing()).toEqual([old, crds]);
      feeds.take({ type: 'feed', at: noon, kind, feed: { state: 'live' } });
      graph.relink(apps);
      expect(missing()).toEqual([]);
    });
  });

  it('forgets what is missing of too much that nobody names, though not all kinds are seen', () => {
    feeds.take({ type: 'feed', at: noon, kind: kindOf(source().ref, 'gitrepositories'), feed: { state: 'syncing' } });
    const apps = keep(named('apps', { dependsOn: [named('crds').ref] }));
    const crds = keyIn('c1', named('crds').ref);
    const gone = Array.from({ length: 1_500 }, (_, number) => keyIn('c1', named(`gone-${number}`).ref));
    feeds.take({
      type: 'feed',
      at: noon,
      kind: kindOf(source().ref, 'gitrepositories'),
      feed: { state: 'failed', fault: { type: 'unreachable', message: 'cut' } },
    });
    apps.missingSince = new Map([crds, ...gone].map((key) => [key, noon]));
    graph.relink(apps);
    expect([apps.missingSince.size, apps.missingSince.has(crds), apps.missingSince.has(gone.at(-1) ?? crds)]).toEqual([
      ...[1_001, true, true],
    ]);
  });

  it('a kind concerns its objects, what depends on one, and who lists or is made of one', () => {
    const checkout = keep(named('checkout', { source: source().ref }));
    const apps = keep(named('apps', { inventory: ['flux-system_control_source.toolkit.fluxcd.io_GitRepository'] }));
    const composite = keep(named('composite', { children: [{ ...source().ref, name: 'part' }] }));
    keep(named('other', { source: { ...source().ref, kind: 'Bucket' } }));
    const repository = keep(source());
    expect([...graph.concernedByKind(source().ref)].toSorted()).toEqual(
      [checkout, apps, composite, repository].map(({ key }) => key).toSorted(),
    );
  });

  it('a managed resource depends on the package revision that runs its kind, once discovery has named it', () => {
    const instance = keep(managed());
    expect(graph.providerOf(instance)).toBeNull();
    graph.nameResources([kindOf(managed().ref, 'instances')]);
    const revision = keep(
      managed({
        ref: { ...managed().ref, group: 'pkg.crossplane.io', kind: 'ProviderRevision', name: 'aws-rds-1' },
        role: 'package',
        provides: ['instances.rds.aws.upbound.io'],
      }),
    );
    expect([graph.rejoinManaged(), graph.rejoinManaged()]).toEqual([[instance.key], []]);
    expect([graph.providerOf(instance), [...graph.dependentsOf(revision.key)]]).toEqual([revision.key, [instance.key]]);
    drop(revision.key);
    expect([graph.providerOf(instance), graph.rejoinManaged()]).toEqual([null, [instance.key]]);
  });

  it('as many package revisions as there may be are taken in, and change, in time that grows with their number', () => {
    graph.nameResources([kindOf(managed().ref, 'instances')]);
    const instance = keep(managed());
    const began = process.cpuUsage().user;
    for (const round of ['a', 'b'])
      for (let number = 0; number < 10_000; number += 1)
        keep(
          managed({
            ref: { ...managed().ref, group: 'pkg.crossplane.io', kind: 'ProviderRevision', name: `r-${number}` },
            role: 'package',
            provides: [
              'instances.rds.aws.upbound.io',
              ...Array.from({ length: 20 }, (_, kind) => `k${kind}.${round}${number}`),
            ],
          }),
        );
    expect(graph.rejoinManaged()).toEqual([instance.key]);
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(5);
  });
});

describe('order', () => {
  it('judges what is depended on first', () => {
    const web = keep(named('web', { dependsOn: [named('checkout').ref] }));
    const checkout = keep(named('checkout', { dependsOn: [named('crds').ref], source: source().ref }));
    const crds = keep(named('crds', { source: source().ref }));
    const repository = keep(source());
    const order = graph
      .order()(new Set([web.key, checkout.key, crds.key, repository.key]))
      .flat();
    const place = (entry: Entry): number => order.indexOf(entry.key);
    expect(order).toHaveLength(4);
    expect(place(repository)).toBeLessThan(place(crds));
    expect(place(crds)).toBeLessThan(place(checkout));
    expect(place(checkout)).toBeLessThan(place(web));
  });

  it('takes objects that depend on each other in a circle together', () => {
    const a = keep(named('a', { dependsOn: [named('b').ref] }));
    const b = keep(named('b', { dependsOn: [a.ref] }));
    expect(
      graph
        .order()(new Set([a.key]))
        .map((circle) => circle.toSorted()),
    ).toEqual([[a.key, b.key]]);
  });
});

it('counts the objects of each kind on its feed', () => {
  keep(named('a'));
  keep(named('b'));
  drop(keyIn('c1', named('a').ref));
  expect(
    feeds
      .current(noon, {
        controllers: [],
        conflicts: [],
        conflictsTotal: 0,
        alarming: null,
        clockAhead: null,
        cautions: [],
      })
      .feeds.find((feed) => feed.kind === 'Kustomization')?.objects,
  ).toBe(1);
  expect(graph.ofKind(observed().ref)).toEqual([keyIn('c1', named('b').ref)]);
});
