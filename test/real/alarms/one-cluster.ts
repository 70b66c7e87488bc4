import { join } from 'node:path';
import { type ApiServer, startApiServer } from '../harness/api-server.ts';
import { flags } from '../harness/flags.ts';
import { portAt } from '../harness/ports.ts';
import type { Processes } from '../harness/processes.ts';

/** Programs of a cluster without controllers. */
interface ClusterPrograms {
  readonly etcd: string;
  readonly apiServer: string;
}

/** Starts an etcd and an API server over it, at three ports that are free. */
export async function startOneCluster(
  processes: Processes,
  programs: ClusterPrograms,
  { name, folder, ports }: { readonly name: string; readonly folder: string; readonly ports: readonly number[] },
): Promise<ApiServer> {
  const etcd = `http://127.0.0.1:${portAt(ports, 0)}`;
  const where = {
    '--data-dir': join(folder, 'etcd'),
    '--listen-client-urls': etcd,
    '--advertise-client-urls': etcd,
    '--listen-peer-urls': `http://127.0.0.1:${portAt(ports, 1)}`,
  };
  processes.start({
    name: 'etcd',
    command: programs.etcd,
    revive: false,
    args: ['--unsafe-no-fsync', ...flags(where)],
  });
  const options = { name, folder: join(folder, name), etcd, port: portAt(ports, 2) };
  return startApiServer(processes, programs.apiServer, options);
}
