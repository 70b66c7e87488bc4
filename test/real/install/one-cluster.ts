import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, startApiServer } from '../harness/api-server.ts';
import { flags } from '../harness/flags.ts';
import { installCrds } from '../harness/install.ts';
import { freePorts, portAt } from '../harness/ports.ts';
import { type Processes, startProcesses } from '../harness/processes.ts';

/** Programs of the cluster, and folders of CRDs. */
export interface ClusterPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly kubectl: string;
  readonly crds: readonly string[];
}

/** A cluster on which somebody installs Plumbline. */
export interface OneCluster {
  readonly folder: string;
  readonly api: ApiServer;
  /** Its address, and the issuer of its tokens. */
  readonly url: string;
  /** The client URL of its etcd. */
  readonly etcd: string;
  /** Folder with a `kubectl` of somebody who may do all. */
  readonly bin: string;
  readonly processes: Processes;
}

/** Starts an etcd and an API server with these CRDs. */
export async function startOneCluster({ etcd, apiServer, kubectl, crds }: ClusterPrograms): Promise<OneCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-install-'));
  const [logs, bin] = [join(folder, 'logs'), join(folder, 'bin')];
  for (const made of [logs, bin]) await mkdir(made);
  const processes = startProcesses(logs);
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  try {
    const ports = await freePorts(3);
    const client = `http://127.0.0.1:${portAt(ports, 0)}`;
    const where = {
      '--data-dir': join(folder, 'etcd'),
      '--listen-client-urls': client,
      '--advertise-client-urls': client,
      '--listen-peer-urls': `http://127.0.0.1:${portAt(ports, 1)}`,
    };
    processes.start({ name: 'etcd', command: etcd, revive: false, args: ['--unsafe-no-fsync', ...flags(where)] });
    const port = portAt(ports, 2);
    const url = `https://127.0.0.1:${port}`;
    const api = await startApiServer(processes, apiServer, {
      name: 'home',
      folder: join(folder, 'home'),
      etcd: client,
      port,
      flags: { '--service-account-issuer': url, '--service-account-jwks-uri': `${url}/openid/v1/jwks` },
    });
    for (const crd of crds) await installCrds(api, crd);
    await writeFile(join(bin, 'kubectl'), `#!/bin/sh\nexec ${kubectl} --kubeconfig ${api.adminKubeconfig} "$@"\n`);
    await chmod(join(bin, 'kubectl'), 0o755);
    return { folder, api, url, etcd: client, bin, processes };
  } catch (failure) {
    await processes.stop();
    throw failure;
  }
}
