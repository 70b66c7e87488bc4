import { defaultKubeconfigs } from '#server/config/kube-contexts.ts';
import type { ClusterEntry, PlumblineConfig } from '#server/config/schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { openKubeconfig } from './clusters/kubeconfig/kubeconfig.ts';
import type { ClusterAccessResult } from './cluster-runner.ts';

/** Opens the way into a configured cluster. Nothing is asked of the cluster yet; a kubeconfig that cannot be used is a value. */
export async function openClusterAccess(
  entry: Extract<ClusterEntry, { type: 'cluster' }>,
  config: PlumblineConfig,
  clock: Clock,
): Promise<ClusterAccessResult> {
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
