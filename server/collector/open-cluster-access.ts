import { basename } from 'node:path';
import { defaultKubeconfigs } from '#server/config/kube-contexts.ts';
import type { ClusterEntry, DirectoryEntry, PlumblineConfig } from '#server/config/schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { type DirectoryChange, type KubeconfigAccess, openKubeconfig } from './clusters/kubeconfig/kubeconfig.ts';
import type { ClusterClaim } from './cluster-claims.ts';

/** The claim of a line of plumbline.yaml. Nothing is asked of the cluster yet; a kubeconfig that cannot be used is a value. */
export async function configuredClaim(
  entry: Extract<ClusterEntry, { type: 'cluster' }>,
  config: PlumblineConfig,
  clock: Clock,
): Promise<ClusterClaim> {
  const opened = await openClusterAccess(entry, config, clock);
  return { name: entry.name, by: 'plumbline.yaml', rank: -1, labels: entry.labels, ...wayInto(opened) };
}

/** The claim of a file of a directory, the `rank`th of plumbline.yaml; null where the change is none. */
export function directoryClaim(change: DirectoryChange, entry: DirectoryEntry, rank: number): ClusterClaim | null {
  switch (change.type) {
    case 'added':
    case 'changed':
      return { ...fileOf(change, entry, rank), ...wayInto({ type: 'access', access: change.access }) };
    case 'invalid':
      return { ...fileOf(change, entry, rank), ...wayInto({ type: 'invalid', message: change.message }) };
    case 'removed':
    case 'left-out':
      return null;
  }
}

/** A file of a directory in words, without where the directory lies on this machine. */
export function wordsOfFile({ file }: Pick<DirectoryChange, 'file'>, { directory }: DirectoryEntry): string {
  return `${basename(directory)}/${file}`;
}

function fileOf(change: DirectoryChange & { readonly name: string }, entry: DirectoryEntry, rank: number) {
  return { name: change.name, by: wordsOfFile(change, entry), rank, labels: entry.labels };
}

function wayInto(opened: OpenedAccess): Pick<ClusterClaim, 'accessResult' | 'endpoint' | 'cautions' | 'examine'> {
  if (opened.type === 'invalid') {
    const { message } = opened;
    return { accessResult: opened, endpoint: null, cautions: () => [], examine: () => Promise.resolve(message) };
  }
  const { endpoint, cautions, examine } = opened.access;
  const why = async (): Promise<string | null> => (await examine())?.fault.message ?? null;
  return { accessResult: opened, endpoint, cautions, examine: why };
}

/** A way into a cluster by a kubeconfig, or why there is none. */
type OpenedAccess =
  | { readonly type: 'access'; readonly access: KubeconfigAccess }
  | { readonly type: 'invalid'; readonly message: string };

/** Opens the way into a configured cluster. Nothing is asked of the cluster yet; a kubeconfig that cannot be used is a value. */
export async function openClusterAccess(
  entry: Extract<ClusterEntry, { type: 'cluster' }>,
  config: PlumblineConfig,
  clock: Clock,
): Promise<OpenedAccess> {
  const files = entry.kubeconfig === null ? defaultKubeconfigs(process.env) : [entry.kubeconfig];
  const opened = await openKubeconfig(files, entry.context, {
    clock,
    allowedExecPlugins: config.security.execPlugins,
    allowExec: entry.execPlugin === 'as-kubectl',
  });
  return opened.type === 'ok'
    ? { type: 'access', access: opened.access }
    : { type: 'invalid', message: opened.message };
}
