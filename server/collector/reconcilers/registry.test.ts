import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clusterRole } from './cluster-role.ts';
import { adapters, controllerNamespaces, namedKinds } from './registry.ts';

describe('the register', () => {
  it('names every folder that holds an adapter, once', async () => {
    const entries = await readdir(import.meta.dirname, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(adapters.map((adapter) => adapter.reconciler).toSorted()).toEqual(folders.toSorted());
  });

  it('knows one owner for each kind and each category', () => {
    const kinds = adapters.flatMap((adapter) => adapter.kinds.map(({ group, kind }) => `${group}/${kind}`));
    const categories = adapters.flatMap((adapter) => adapter.categories ?? []);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(new Set(categories).size).toBe(categories.length);
  });

  it('asks for Leases only where a controller holds one', () => {
    expect(controllerNamespaces).toContain('flux-system');
    expect(controllerNamespaces).not.toContain('argocd');
  });
});

describe('the ClusterRole', () => {
  it('is deployed as the adapters name it; `plumbline rbac` writes it anew', async () => {
    const deployed = join(import.meta.dirname, '..', '..', '..', 'deploy', 'rbac', 'clusterrole.yaml');
    expect(await readFile(deployed, 'utf8')).toBe(clusterRole());
  });

  it('grants every kind that is watched by name', () => {
    for (const { resource } of namedKinds) expect(clusterRole()).toContain(resource);
  });
});
