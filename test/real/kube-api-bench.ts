import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseForeign, textAt } from '#lib/foreign.ts';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { type BenchRequest, type KubeApiBench, pathOf } from '../contract/kube-api-bench.ts';
import { startApiServer } from './harness/api-server.ts';
import { flags } from './harness/flags.ts';
import { installNamespace, installReadOnlyRole } from './harness/install.ts';
import type { Manifest, Place } from './harness/kube-client.ts';
import { freePorts, portAt } from './harness/ports.ts';
import { startProcesses } from './harness/processes.ts';
import { mustCome } from './harness/until.ts';

/** Starts an etcd and a kube-apiserver of their own, without any controller, whose audit log tells what it was asked. */
export async function openRealApi(programs: {
  readonly etcd: string;
  readonly apiServer: string;
}): Promise<KubeApiBench> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-kube-api-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  const processes = startProcesses(logs);
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  try {
    const ports = await freePorts(3);
    const etcd = `http://127.0.0.1:${portAt(ports, 0)}`;
    processes.start({
      name: 'etcd',
      command: programs.etcd,
      revive: false,
      args: [
        '--unsafe-no-fsync',
        ...flags({
          '--data-dir': join(folder, 'etcd'),
          '--listen-client-urls': etcd,
          '--advertise-client-urls': etcd,
          '--listen-peer-urls': `http://127.0.0.1:${portAt(ports, 1)}`,
        }),
      ],
    });
    const auditLog = join(folder, 'audit.log');
    const auditPolicy = join(folder, 'audit-policy.json');
    const rules = [{ level: 'Metadata', users: ['plumbline'] }, { level: 'None' }];
    await writeFile(auditPolicy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
    const cluster = await startApiServer(processes, programs.apiServer, {
      name: 'bench',
      folder: join(folder, 'bench'),
      etcd,
      port: portAt(ports, 2),
      flags: { '--audit-policy-file': auditPolicy, '--audit-log-path': auditLog },
    });
    for (const name of ['apps', 'flux-system']) await installNamespace(cluster, name);
    await installReadOnlyRole(cluster);
    return {
      kubeconfig: cluster.plumblineKubeconfig,
      async serve(kind) {
        await cluster.admin.apply(definitionOf(kind));
        await mustCome(`${kind.kind} is served`, async () => (await statusOf(kind)) === 200 || null, 30_000);
      },
      async withdraw(kind) {
        await cluster.admin.remove(placeOf(definitionOf(kind)));
        await mustCome(`${kind.kind} is gone`, async () => (await statusOf(kind)) === 404 || null, 30_000);
      },
      async put(object) {
        const manifest: Manifest = { ...object, metadata: { ...object.metadata } };
        await cluster.admin.apply(manifest);
        const version = textAt(await cluster.admin.read(placeOf(manifest)), 'metadata', 'resourceVersion');
        if (version === null) throw new Error(`${object.kind} ${object.metadata.name} is not there`);
        return version;
      },
      remove: (object) => cluster.admin.remove(placeOf({ ...object, metadata: { ...object.metadata } })),
      async restart() {
        await cluster.process.kill();
        cluster.process.start();
        await cluster.ready();
      },
      async forget(continueToken) {
        await compact(etcd);
        const position = parseForeign(Buffer.from(continueToken, 'base64url').toString());
        return Buffer.from(JSON.stringify({ ...position, rv: 1 })).toString('base64url');
      },
      requests: async () => requestsIn(await readFile(auditLog, 'utf8')),
      stop: () => processes.stop(),
    };

    async function statusOf(kind: WatchedKind): Promise<number> {
      return (await cluster.admin.get(pathOf(kind))).status;
    }
  } catch (failure) {
    await processes.stop();
    throw failure;
  }
}

function definitionOf({ group, kind, version, resource, categories }: WatchedKind): Manifest {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: resource, categories },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

function placeOf({ apiVersion, kind, metadata }: Manifest): Place {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Has etcd forget everything before its present revision, through its JSON gateway. */
async function compact(etcd: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${etcd}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    return answer.json();
  };
  const revision = textAt(await ask('range', { key: Buffer.from('none').toString('base64') }), 'header', 'revision');
  await ask('compaction', { revision, physical: true });
}

const methods: { readonly [verb: string]: string } = { get: 'GET', list: 'GET', watch: 'GET', create: 'POST' };

/** Each request once, when it came in: lines of audit.k8s.io/v1 Events. */
function requestsIn(log: string): readonly BenchRequest[] {
  return log.split('\n').flatMap((line) => {
    const event = parseForeign(line);
    if (textAt(event, 'stage') !== 'RequestReceived') return [];
    const verb = textAt(event, 'verb') ?? '';
    return [{ method: methods[verb] ?? verb, path: textAt(event, 'requestURI') ?? '' }];
  });
}
