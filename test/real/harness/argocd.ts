import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiServer } from './api-server.ts';
import { startWorkloadStatus } from './deployments.ts';
import { flags } from './flags.ts';
import { installCrds, installNamespace } from './install.ts';
import type { Manifest } from './kube-client.ts';
import { freePorts, portAt } from './ports.ts';
import type { BedProcess, Processes } from './processes.ts';

const namespace = 'argocd';
/** Interval at which the application-controller compares, as its ConfigMap and so its environment say. */
export const argoInterval = '15s';
const controller = 'argocd-application-controller';
const partOf = { 'app.kubernetes.io/part-of': 'argocd' };
const settings = { 'timeout.reconciliation': argoInterval, 'timeout.reconciliation.jitter': '0s' };

/** Options for starting Argo CD on a cluster; `folder` is its own. */
export interface ArgoOptions {
  readonly argocd: { readonly binary: string; readonly crds: string | null };
  readonly redis: string;
  readonly cluster: ApiServer;
  readonly folder: string;
}

/**
 * Starts redis, Argo CD's repo-server and its application-controller without containers: one binary, which is told by
 * ARGOCD_BINARY_NAME what it is. Gives the application-controller, revived after a crash as in its StatefulSet.
 */
export async function startArgo(
  processes: Processes,
  { argocd, redis, cluster, folder }: ArgoOptions,
): Promise<BedProcess> {
  await mkdir(join(folder, 'tmp'), { recursive: true });
  await install(cluster, argocd.crds);
  const ports = await freePorts(4);
  const cache = `127.0.0.1:${portAt(ports, 0)}`;
  const env = {
    KUBECONFIG: cluster.adminKubeconfig,
    TMPDIR: join(folder, 'tmp'),
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_RECONCILIATION_TIMEOUT: argoInterval,
    ARGOCD_RECONCILIATION_JITTER: '0s',
  };
  processes.start({
    name: `redis-${cluster.name}`,
    command: redis,
    cwd: folder,
    revive: true,
    args: ['--bind', '127.0.0.1', '--port', String(portAt(ports, 0)), '--save', '', '--appendonly', 'no'],
  });
  processes.start({
    name: `argocd-repo-server-${cluster.name}`,
    command: argocd.binary,
    revive: true,
    env: { ...env, ARGOCD_BINARY_NAME: 'argocd-repo-server' },
    args: [
      '--disable-tls',
      ...flags({
        '--address': '127.0.0.1',
        '--port': String(portAt(ports, 1)),
        '--metrics-address': '127.0.0.1',
        '--metrics-port': String(portAt(ports, 2)),
        '--redis': cache,
      }),
    ],
  });
  const started = processes.start({
    name: `${controller}-${cluster.name}`,
    command: argocd.binary,
    revive: true,
    env: { ...env, ARGOCD_BINARY_NAME: controller },
    args: [
      '--repo-server-plaintext',
      ...flags({
        '--namespace': namespace,
        '--repo-server': `127.0.0.1:${portAt(ports, 1)}`,
        '--redis': cache,
        '--metrics-port': String(portAt(ports, 3)),
      }),
    ],
  });
  startWorkloadStatus(cluster, { namespace, resource: 'statefulsets' }, (name) => name === controller, started);
  return started;
}

/** Applies what its manifests do, as far as it is needed without its server. */
async function install(cluster: ApiServer, crds: string | null): Promise<void> {
  await installNamespace(cluster, namespace);
  if (crds !== null) await installCrds(cluster, crds);
  const labels = partOf;
  const manifests: readonly Manifest[] = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace, labels }, data: settings },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cmd-params-cm', namespace, labels } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace, labels },
      stringData: { 'server.secretkey': 'of the bed' },
    },
    statefulSet(),
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ namespace: '*', server: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      },
    },
  ];
  for (const manifest of manifests) await cluster.admin.apply(manifest);
}

/** As manifests/base/application-controller has it. */
function statefulSet(): Manifest {
  const labels = {
    ...partOf,
    'app.kubernetes.io/name': controller,
    'app.kubernetes.io/component': 'application-controller',
  };
  const selected = { 'app.kubernetes.io/name': controller };
  const setting = (name: string, key: string): object => ({
    name,
    valueFrom: { configMapKeyRef: { name: 'argocd-cm', key, optional: true } },
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: controller, namespace, labels },
    spec: {
      replicas: 1,
      serviceName: controller,
      selector: { matchLabels: selected },
      template: {
        metadata: { labels: selected },
        spec: {
          containers: [
            {
              name: 'argocd-application-controller',
              image: 'quay.io/argoproj/argocd:v3.2.11',
              args: [`/usr/local/bin/${controller}`],
              env: [
                setting('ARGOCD_RECONCILIATION_TIMEOUT', 'timeout.reconciliation'),
                setting('ARGOCD_HARD_RECONCILIATION_TIMEOUT', 'timeout.hard.reconciliation'),
                setting('ARGOCD_RECONCILIATION_JITTER', 'timeout.reconciliation.jitter'),
              ],
            },
          ],
        },
      },
    },
  };
}
