import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isForeignObject, objectAt, textAt } from '#lib/foreign.ts';
import type { ApiServer } from './api-server.ts';
import type { Manifest } from './kube-client.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Applies every CRD of a folder. */
export async function installCrds(cluster: ApiServer, folder: string): Promise<void> {
  for (const file of (await readdir(folder)).toSorted()) {
    if (file.endsWith('.yaml')) await applyFile(cluster, join(folder, file));
  }
}

/** Gives the user `plumbline` the ClusterRole that is shipped, and the groups of the bed's own provider beside it. */
export async function installReadOnlyRole(cluster: ApiServer): Promise<void> {
  await applyFile(cluster, join(root, 'deploy/rbac/clusterrole.yaml'));
  await applyFile(cluster, join(root, 'deploy/rbac/clusterrolebinding.yaml'));
  await applyFile(cluster, join(import.meta.dirname, '../fixtures/rbac-test-groups.yaml'));
}

/** Makes a namespace. */
export async function installNamespace(cluster: ApiServer, name: string): Promise<void> {
  await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function applyFile(cluster: ApiServer, file: string): Promise<void> {
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const manifest = asManifest(document.toJS());
    if (manifest !== null) await cluster.admin.apply(manifest);
  }
}

function asManifest(value: unknown): Manifest | null {
  if (!isForeignObject(value)) return null;
  const apiVersion = textAt(value, 'apiVersion');
  const kind = textAt(value, 'kind');
  const metadata = objectAt(value, 'metadata');
  const name = textAt(metadata, 'name');
  const namespace = textAt(metadata, 'namespace');
  if (apiVersion === null || kind === null || name === null) return null;
  return { ...value, apiVersion, kind, metadata: { ...metadata, name, ...(namespace === null ? {} : { namespace }) } };
}
