import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ForeignObject } from '#lib/foreign.ts';
import type { RulesFile } from '#server/cli/rules/documents.ts';
import type { ApiServer } from '../harness/api-server.ts';
import { flags } from '../harness/flags.ts';
import { installCrds, installNamespace } from '../harness/install.ts';
import { type Manifest, placePath } from '../harness/kube-client.ts';
import { startOneCluster } from './one-cluster.ts';
import { freePorts, portAt } from '../harness/ports.ts';
import { type Processes, startProcesses } from '../harness/processes.ts';
import { until } from '../harness/until.ts';

/** Programs of the bench, and folders of CRDs. */
export interface BenchPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly stateMetrics: string;
  readonly crds: readonly string[];
}

/** An API server and a kube-state-metrics that reads it by the role and with the configuration that `plumbline rules` writes. */
export interface StateMetricsBench {
  /** Applies an object, and writes its status where it has one. */
  put(manifest: Manifest, status: ForeignObject | null): Promise<void>;
  /** Series of kube-state-metrics once there are so many, or those of after 20 s; sorted. */
  series(count: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const user = 'plumbline';

/** Starts it. */
export async function startStateMetrics(
  programs: BenchPrograms,
  files: readonly RulesFile[],
): Promise<StateMetricsBench> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-state-metrics-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  const processes = startProcesses(logs);
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  try {
    const ports = await freePorts(5);
    const cluster = await startCluster(processes, programs, folder, ports);
    await allow(cluster, parse(fileOf(files, 'kube-state-metrics-role.yaml')));
    const config = join(folder, 'kube-state-metrics.yaml');
    await writeFile(config, fileOf(files, 'kube-state-metrics.yaml'));
    const listening = {
      '--kubeconfig': cluster.plumblineKubeconfig,
      '--custom-resource-state-config-file': config,
      '--host': '127.0.0.1',
      '--port': String(portAt(ports, 3)),
      '--telemetry-host': '127.0.0.1',
      '--telemetry-port': String(portAt(ports, 4)),
    };
    processes.start({
      name: 'kube-state-metrics',
      command: programs.stateMetrics,
      revive: false,
      args: [...flags(listening), '--custom-resource-state-only'],
    });
    return {
      async put(manifest, status) {
        await cluster.admin.apply(manifest);
        if (status === null) return;
        const path = `${placePath({ ...manifest, ...manifest.metadata })}/status`;
        const answer = await cluster.admin.send(
          'PATCH',
          path,
          'application/merge-patch+json',
          JSON.stringify({ status }),
        );
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      },
      async series(count) {
        let last: readonly string[] = [];
        await until(async () => {
          last = await scraped(`http://127.0.0.1:${portAt(ports, 3)}/metrics`);
          return last.length >= count ? true : null;
        }, 20_000);
        return last;
      },
      stop: () => processes.stop(),
    };
  } catch (failure) {
    await processes.stop();
    throw failure;
  }
}

function fileOf(files: readonly RulesFile[], name: string): string {
  return files.find((file) => file.name === name)?.text ?? '';
}

async function startCluster(
  processes: Processes,
  programs: BenchPrograms,
  folder: string,
  ports: readonly number[],
): Promise<ApiServer> {
  const cluster = await startOneCluster(processes, programs, { name: 'bench', folder, ports });
  await installNamespace(cluster, 'apps');
  for (const crds of programs.crds) await installCrds(cluster, crds);
  return cluster;
}

/** Gives the role to the user whose kubeconfig kube-state-metrics has. */
async function allow(cluster: ApiServer, role: Manifest): Promise<void> {
  await cluster.admin.apply(role);
  const apiGroup = 'rbac.authorization.k8s.io';
  const { name } = role.metadata;
  await cluster.admin.apply({
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name: user, apiGroup }],
  });
}

async function scraped(url: string): Promise<readonly string[]> {
  const answer = await fetch(url).catch(() => null);
  const lines = (await answer?.text())?.split('\n') ?? [];
  return lines.filter((line) => line !== '' && !line.startsWith('#')).toSorted();
}
