import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ApiServer } from './api-server.ts';
import type { BedProcess, Processes } from './processes.ts';

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** Way in which the leases of controllers come about, and in which namespace they lie. */
export interface LeaderElection {
  /** True: the controllers hold them. False: nobody may write `namespaceFile` here, so the bed renews them for those that live. */
  readonly byControllers: boolean;
  readonly namespace: string;
}

/** Outside of a cluster, a controller elects a leader only where this file names the namespace. */
export async function prepareLeaderElection(processes: Processes): Promise<LeaderElection> {
  const present = await readFile(namespaceFile, 'utf8').catch(() => null);
  if (present !== null && present.trim() !== '') return { byControllers: true, namespace: present.trim() };
  try {
    const made = await mkdir(dirname(namespaceFile), { recursive: true });
    await writeFile(namespaceFile, 'flux-system');
    processes.removeAtEnd(made ?? namespaceFile);
    return { byControllers: true, namespace: 'flux-system' };
  } catch {
    return { byControllers: false, namespace: 'flux-system' };
  }
}

/** A lease that the bed renews in place of a controller. */
interface RenewedLease {
  readonly namespace: string;
  readonly name: string;
  readonly durationSeconds: number;
}

/** Renews a lease every 5 s while the process lives, as the controller itself would. */
export function startLeaseRenewal(
  cluster: ApiServer,
  { namespace, name, durationSeconds }: RenewedLease,
  holder: BedProcess,
): { stop(): void } {
  const renew = (): void => {
    if (holder.pid() === null) return;
    void cluster.admin
      .apply({
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace },
        spec: {
          holderIdentity: `bed_${holder.pid()}`,
          leaseDurationSeconds: durationSeconds,
          renewTime: new Date().toISOString().replace('Z', '000Z'),
        },
      })
      .catch(() => undefined);
  };
  renew();
  const timer = setInterval(renew, 5_000);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
