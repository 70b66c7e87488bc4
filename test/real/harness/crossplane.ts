import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiServer } from './api-server.ts';
import { installDeployment, startDeploymentStatus } from './deployments.ts';
import { flags } from './flags.ts';
import { startLeaseRenewal } from './leader-election.ts';
import { freePorts, portAt } from './ports.ts';
import type { BedProcess, Processes } from './processes.ts';

const run = promisify(execFile);
const namespace = 'crossplane-system';

/** Options for starting one program of Crossplane on a cluster; `folder` is its own. */
interface CrossplaneOptions {
  readonly binary: string;
  readonly cluster: ApiServer;
  readonly folder: string;
}

/**
 * Starts Crossplane's core and applies what its chart and its init container would: its Deployment, its ServiceAccount and
 * the default runtime of packages. Packages are pulled from the bed's own registry; what they run is started by the bed.
 */
export async function startCrossplane(
  processes: Processes,
  { binary, cluster, folder }: CrossplaneOptions,
): Promise<BedProcess> {
  const certificates = await makeCertificates(folder);
  const ports = await freePorts(3);
  await mkdir(join(folder, 'packages'), { recursive: true });
  await cluster.admin.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'crossplane', namespace } });
  await cluster.admin.apply({
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'DeploymentRuntimeConfig',
    metadata: { name: 'default' },
  });
  const started = processes.start({
    name: `crossplane-${cluster.name}`,
    command: binary,
    revive: true,
    env: { KUBECONFIG: cluster.adminKubeconfig, POD_NAMESPACE: namespace },
    args: [
      'core',
      'start',
      ...flags({
        '--webhook-port': String(portAt(ports, 0)),
        '--metrics-port': String(portAt(ports, 1)),
        '--health-probe-port': String(portAt(ports, 2)),
        '--xpkg-cache-dir': join(folder, 'packages'),
        '--tls-server-secret-name': 'server',
        '--tls-server-certs-dir': certificates,
        '--tls-client-secret-name': 'client',
        '--tls-client-certs-dir': certificates,
      }),
    ],
  });
  await installDeployment(cluster, {
    namespace,
    name: 'crossplane',
    container: 'crossplane',
    image: 'xpkg.crossplane.io/crossplane/crossplane:v2.3.3',
    args: ['core', 'start', '--leader-election'],
    labels: {
      'app.kubernetes.io/component': 'cloud-infrastructure-controller',
      'app.kubernetes.io/part-of': 'crossplane',
    },
  });
  startDeploymentStatus(cluster, namespace, (name) => name === 'crossplane', started);
  // Run outside of a cluster, it would hold its lease in the namespace of Flux's.
  startLeaseRenewal(cluster, { namespace, name: 'crossplane-leader-election-core', durationSeconds: 60 }, started);
  return started;
}

/**
 * Starts provider-nop by hand. It holds no lease; as long as its package is not installed there is no Deployment either,
 * and nothing proves that it lives.
 */
export async function startProviderNop(
  processes: Processes,
  { binary, cluster, folder }: CrossplaneOptions,
): Promise<BedProcess> {
  const certificates = await makeCertificates(folder);
  const started = processes.start({
    name: `provider-nop-${cluster.name}`,
    command: binary,
    revive: true,
    env: { KUBECONFIG: cluster.adminKubeconfig, TLS_SERVER_CERTS_DIR: certificates },
    args: ['--poll', '10s'],
  });
  startDeploymentStatus(cluster, namespace, (name) => name.startsWith('provider-nop-'), started);
  return started;
}

/** A folder with tls.crt, tls.key and ca.crt, good for a day. */
async function makeCertificates(folder: string): Promise<string> {
  const certificates = join(folder, 'certs');
  await mkdir(certificates, { recursive: true });
  await run('openssl', [
    'req',
    '-x509',
    '-nodes',
    ...flags({
      '-days': '1',
      '-newkey': 'ec',
      '-pkeyopt': 'ec_paramgen_curve:P-256',
      '-subj': '/CN=localhost',
      '-addext': 'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout': join(certificates, 'tls.key'),
      '-out': join(certificates, 'tls.crt'),
    }),
  ]);
  await copyFile(join(certificates, 'tls.crt'), join(certificates, 'ca.crt'));
  return certificates;
}
