import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiServer } from './api-server.ts';
import { flags } from './flags.ts';
import { freePorts, portAt } from './ports.ts';
import type { BedProcess, Processes } from './processes.ts';

const run = promisify(execFile);

/** Starts Crossplane's core. Packages cannot be pulled, so it only turns XRDs into kinds and reconciles composites. */
export async function startCrossplane(
  processes: Processes,
  binary: string,
  cluster: ApiServer,
  folder: string,
): Promise<BedProcess> {
  const certificates = await makeCertificates(folder);
  const ports = await freePorts(3);
  await mkdir(join(folder, 'packages'), { recursive: true });
  return processes.start({
    name: `crossplane-${cluster.name}`,
    command: binary,
    revive: true,
    env: { KUBECONFIG: cluster.adminKubeconfig, POD_NAMESPACE: 'crossplane-system' },
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
}

/** Starts provider-nop by hand: it holds no lease and is no Deployment, so nothing proves that it lives. */
export async function startProviderNop(
  processes: Processes,
  binary: string,
  cluster: ApiServer,
  folder: string,
): Promise<BedProcess> {
  const certificates = await makeCertificates(folder);
  return processes.start({
    name: `provider-nop-${cluster.name}`,
    command: binary,
    revive: true,
    env: { KUBECONFIG: cluster.adminKubeconfig, TLS_SERVER_CERTS_DIR: certificates },
    args: ['--poll', '10s'],
  });
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
