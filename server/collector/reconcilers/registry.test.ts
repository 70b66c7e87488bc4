import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconcilerOfGroup } from '#lib/domain/observation/reconciler-of-group.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { clusterRole } from './cluster-role.ts';
import {
  adapters,
  controllerNamespaces,
  controllerOfLease,
  isNamedController,
  leaseOfController,
  namedKinds,
  watchedByName,
  observe,
  whyUnjudged,
} from './registry.ts';
import { observed, watchedKind } from './testing.ts';

describe('the register', () => {
  it('names every folder that holds an adapter, once', async () => {
    const entries = await readdir(import.meta.dirname, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(adapters.map((adapter) => adapter.reconciler).toSorted()).toEqual(folders.toSorted());
  });

  it('knows one owner for each kind and each category', () => {
    const kinds = adapters.flatMap((adapter) => adapter.kinds.map(kindKey));
    const categories = adapters.flatMap((adapter) => adapter.categories ?? []);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(new Set(categories).size).toBe(categories.length);
  });

  it('has the owner that the API group of its kinds tells, where that tells one', () => {
    const ownersOf = (kinds: readonly { readonly group: string }[]) => [
      ...new Set(kinds.map(({ group }) => reconcilerOfGroup(group))),
    ];
    for (const { reconciler, kinds } of adapters) expect([[reconciler], [null]]).toContainEqual(ownersOf(kinds));
    expect(ownersOf([{ group: 's3.aws.upbound.io' }, { group: 'acme.example.org' }])).toEqual(['crossplane', null]);
  });

  it('asks for Leases only where a controller holds one', () => {
    expect(controllerNamespaces).toContain('flux-system');
    expect(controllerNamespaces).not.toContain('argocd');
  });
});

describe('a Lease and its controller', () => {
  it.each([
    ['tofu-controller', '1953de50.contrib.fluxcd.io', 'tofu-controller'],
    ['kustomize-controller', 'kustomize-controller-leader-election', null],
    ['argocd-application-controller', 'argocd-app-controller-shard-cm', 'argocd-application-controller'],
  ])('%s holds %s', (controller, lease, byLease) => {
    expect(isNamedController(controller)).toBe(true);
    expect(leaseOfController(controller)).toBe(lease);
    expect(controllerOfLease(lease)).toBe(byLease);
  });

  it('of a name that no adapter knows is called after it', () => {
    expect(isNamedController('somebody')).toBe(false);
    expect(leaseOfController('somebody')).toBe('somebody-leader-election');
    expect(controllerOfLease('somebody')).toBeNull();
  });
});

describe('an observation', () => {
  const object = { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' };

  it('has what the metadata do not tell', () => {
    expect(observed(object, [], 7)).toMatchObject({
      ref: { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: '', name: '' },
      uid: '',
      resourceVersion: '',
      createdAt: 7,
      deletedAt: null,
      generation: 0,
    });
    const metadata = { name: 'x', deletionTimestamp: '2026-11-21T08:00:00Z', generation: 4 };
    expect(observed({ ...object, metadata })).toMatchObject({
      ref: { name: 'x' },
      deletedAt: Date.parse('2026-11-21T08:00:00Z'),
      generation: 4,
    });
  });

  it('of what makes an adapter fail says so', () => {
    const failing = {
      ...object,
      metadata: { name: 'x' },
      get spec() {
        throw new Error('x'.repeat(300));
      },
    };
    const kind = watchedKind(object);
    expect(observe(kind, failing, { cluster: 'test', receivedAt: 0, before: null })).toMatchObject({
      ref: { name: 'x' },
      reconciler: 'flux',
      role: 'applier',
      summary: { said: 'unrecognised', why: `it could not be read: ${'x'.repeat(255)}…` },
    });
  });
});

describe('kinds that are not read', () => {
  const of = (group: string, kind: string, ...categories: readonly string[]): string | null | undefined =>
    whyUnjudged({ group, kind, categories });

  it.each([
    ['a known one says why', of('fluxcd.controlplane.io', 'FluxReport'), 'it only reports on others'],
    ['what says who is called is read', of('notification.toolkit.fluxcd.io', 'Alert'), undefined],
    ['one of a known group that is not known says so', of('image.toolkit.fluxcd.io', 'ImageOracle'), null],
    ['a judged one is none', of('image.toolkit.fluxcd.io', 'ImagePolicy'), undefined],
    ['nor is a managed resource', of('s3.aws.upbound.io', 'Bucket', 'crossplane', 'managed'), undefined],
    ['nor what is of nobody known', of('apps', 'StatefulSet'), undefined],
    ['nor a ProviderConfig of somebody else', of('example.org', 'ProviderConfig'), undefined],
  ])('%s', (_name, found, why) => expect(found).toBe(why));

  it('a ProviderConfig of any provider is known by its category', () => {
    expect(of('aws.upbound.io', 'ProviderConfig', 'crossplane', 'provider', 'aws')).toContain('no loop of its own');
  });

  it('have few reasons', () => {
    const reasons = adapters.flatMap(({ unjudged = [] }) => unjudged.map(({ why }) => why));
    expect([...new Set(reasons)].join('\n')).toMatchInlineSnapshot(`
      "it has no loop of its own
      it makes Applications, which are judged
      it only holds values
      each carries a whole schema; one that is inactive serves no kind
      it only activates definitions
      it only holds up a deletion
      it is the package manager's own note
      it runs once, and keeps nothing as declared
      it makes Operations, which run once
      it has no loop of its own; what it breaks is shown on the resources that use it
      it only counts users of a ProviderConfig
      it only reports on others
      it is what a Stack runs
      it serves a Stack, which is judged
      it is one run of a Stack, which is judged"
    `);
  });

  it('are none of those that are', () => {
    const named = new Set(namedKinds.map(kindKey));
    const both = adapters.flatMap(({ unjudged = [] }) => unjudged.filter((kind) => named.has(kindKey(kind))));
    expect(both).toEqual([]);
  });
});

describe('the ClusterRole', () => {
  it('is deployed as the adapters name it; `plumbline rbac` writes it anew', async () => {
    const deployed = join(import.meta.dirname, '..', '..', '..', 'deploy', 'rbac', 'clusterrole.yaml');
    expect(await readFile(deployed, 'utf8')).toBe(clusterRole());
  });

  it('grants every kind that is watched by name', () => {
    for (const { resource } of watchedByName) expect(clusterRole()).toContain(resource);
  });
});
