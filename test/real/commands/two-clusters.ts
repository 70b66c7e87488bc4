import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { listAt } from '#lib/foreign.ts';
import { type ApiServer, startApiServer } from '../harness/api-server.ts';
import { flags } from '../harness/flags.ts';
import { installNamespace } from '../harness/install.ts';
import type { Manifest } from '../harness/kube-client.ts';
import { freePorts, portAt } from '../harness/ports.ts';
import { type Processes, startProcesses } from '../harness/processes.ts';

/** Two clusters, and what a person has of them. */
export interface TwoClusters {
  readonly folder: string;
  readonly processes: Processes;
  /** By their contexts. */
  readonly clusters: ReadonlyMap<string, ApiServer>;
  /** Kubeconfig with a context a cluster, of the user that Plumbline reads as: `plumbline`, who may do nothing yet. */
  readonly kubeconfig: string;
  /** Folder with a `kubectl` and a `helm` of somebody who may do all, and who works on the first cluster. */
  readonly bin: string;
}

const names = ['eu-west-3', 'us-east-2'] as const;

/** Starts an etcd and two API servers, each with a Kustomization and with the API of a Crossplane provider. */
export async function startTwoClusters(programs: {
  readonly etcd: string;
  readonly apiServer: string;
  readonly kubectl: string;
  readonly helm: string;
}): Promise<TwoClusters> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-commands-'));
  const [logs, bin] = [join(folder, 'logs'), join(folder, 'bin')];
  for (const made of [logs, bin]) await mkdir(made);
  const processes = startProcesses(logs);
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  try {
    const ports = await freePorts(2 + names.length);
    const etcd = `http://127.0.0.1:${portAt(ports, 0)}`;
    const peers = `http://127.0.0.1:${portAt(ports, 1)}`;
    const where = {
      '--data-dir': join(folder, 'etcd'),
      '--listen-client-urls': etcd,
      '--advertise-client-urls': etcd,
      '--listen-peer-urls': peers,
    };
    const args = ['--unsafe-no-fsync', ...flags(where)];
    processes.start({ name: 'etcd', command: programs.etcd, revive: false, args });
    const clusters = new Map<string, ApiServer>();
    for (const [index, name] of names.entries()) {
      const options = { name, folder: join(folder, name), etcd, port: portAt(ports, 2 + index), flags: {} };
      const cluster = await startApiServer(processes, programs.apiServer, options);
      await fill(cluster);
      clusters.set(name, cluster);
    }
    const kubeconfig = await merged(folder, 'reader', [...clusters.values()], 'plumblineKubeconfig');
    const admin = await merged(folder, 'admin', [...clusters.values()], 'adminKubeconfig');
    for (const name of ['kubectl', 'helm'] as const) {
      await writeFile(join(bin, name), `#!/bin/sh\nexport KUBECONFIG=${admin}\nexec ${programs[name]} "$@"\n`);
      await chmod(join(bin, name), 0o755);
    }
    return { folder, processes, clusters, kubeconfig, bin };
  } catch (failure) {
    await processes.stop();
    throw failure;
  }
}

/** One kubeconfig out of those of several clusters. */
async function merged(
  folder: string,
  user: string,
  clusters: readonly ApiServer[],
  file: 'plumblineKubeconfig' | 'adminKubeconfig',
): Promise<string> {
  const each = await Promise.all(
    clusters.map(async (cluster) => ({ name: cluster.name, text: await readFile(cluster[file], 'utf8') })),
  );
  const whole = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: each.flatMap(({ text }) => listAt(parse(text), 'clusters')),
    users: each.flatMap(({ name, text }) => listAt(parse(text), 'users').map((entry) => ({ ...Object(entry), name }))),
    contexts: each.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    ...(user === 'admin' ? { 'current-context': names[0] } : {}),
  };
  const path = join(folder, `${user}.kubeconfig`);
  await writeFile(path, stringify(whole), { mode: 0o600 });
  return path;
}

async function fill(cluster: ApiServer): Promise<void> {
  const { admin } = cluster;
  await admin.apply(definition('kustomize.toolkit.fluxcd.io', 'Kustomization', []));
  await admin.apply(definition('s3.aws.m.upbound.io', 'Bucket', ['crossplane', 'managed', 'aws']));
  await installNamespace(cluster, 'flux-system');
  const metadata = { namespace: 'flux-system' };
  await admin.apply({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { ...metadata, name: 'checkout' },
    spec: { interval: '10m', path: './apps', prune: true, sourceRef: { kind: 'GitRepository', name: 'control' } },
  });
  await admin.apply({
    apiVersion: 's3.aws.m.upbound.io/v1',
    kind: 'Bucket',
    metadata: { ...metadata, name: 'invoices' },
    spec: {},
  });
}

function definition(group: string, kind: string, categories: readonly string[]): Manifest {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, categories },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
