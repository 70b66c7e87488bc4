import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { SimulatedSource } from '../monitoring/demo-monitoring.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** A kubeconfig that was written. */
export interface WrittenKubeconfig {
  readonly name: string;
  readonly path: string;
}

/** Writes `<cluster>.yaml` into a directory: the fleet's CA, the cluster's address and its present token. */
export function writeKubeconfig(directory: string, cluster: SimulatedCluster, ca: string): WrittenKubeconfig {
  const { name } = cluster;
  const path = join(directory, `${name}.yaml`);
  const server = { 'certificate-authority-data': Buffer.from(ca).toString('base64'), server: cluster.server.url };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: server }],
    users: [{ name: 'plumbline', user: { token: cluster.token() } }],
    contexts: [{ name, context: { cluster: name, user: 'plumbline' } }],
    'current-context': name,
  };
  writeFileSync(path, stringify(config, { lineWidth: 0 }), { mode: 0o600 });
  return { name, path };
}

/** The file of keys that a written configuration names; whoever runs the demo makes it. */
export const simulatedKeys = 'embed-keys.yaml';

/**
 * Stacks that the demo's plumbline.yaml declares: one in the row of a cluster, one in a row of its own. They are nowhere on the
 * simulated clusters, so the script has nothing to say of them.
 */
export function declaredStacks(cluster: string, repository: string): readonly object[] {
  const vpc = { name: 'legacy-vpc', tool: 'terraform', cluster, repository, path: 'terraform/legacy-vpc' };
  const dns = { name: 'corporate-dns', tool: 'ansible', labels: { environment: 'production' } };
  return [
    { ...vpc, reason: 'applied from the release pipeline, state in a bucket' },
    { ...dns, reason: 'a playbook that the network team runs by hand' },
  ];
}

/** Writes plumbline.yaml: every cluster with its labels, the control repository where there is one, and where keys for embeds lie. */
export function writeConfiguration(
  directory: string,
  clusters: readonly SimulatedCluster[],
  repositoryUrl: string | null,
  policy: { readonly [key: string]: string },
  stacks: readonly object[],
): string {
  const path = join(directory, 'plumbline.yaml');
  const config = {
    clusters: clusters.map(({ name, labels }) => ({ name, kubeconfig: `./${name}.yaml`, context: name, labels })),
    ...(repositoryUrl === null ? {} : { repositories: [{ url: repositoryUrl }] }),
    ...(stacks.length === 0 ? {} : { stacks }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    embeds: { keys: `./${simulatedKeys}`, links: 'api' },
  };
  writeFileSync(path, stringify(config, { lineWidth: 0 }));
  return path;
}

/** Adds the alarm sources to a plumbline.yaml that was written. */
export function addAlarmSources(configPath: string, sources: readonly SimulatedSource[]): void {
  appendFileSync(configPath, stringify({ alarms: sources }, { lineWidth: 0 }));
}
