// Clusters that are read from another one: by a token for their audience alone, and by a kubeconfig of an account of their own.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { minute } from '#lib/domain/time/length.ts';
import { objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import { buildPrograms } from './build.ts';
import { documentedCommands } from './commands/blocks.ts';
import { type ApiServer, startApiServer } from './harness/api-server.ts';
import { installCrds, installNamespace } from './harness/install.ts';
import { freePorts, portAt } from './harness/ports.ts';
import { runCli } from './harness/serving.ts';
import { mustCome } from './harness/until.ts';
import { type OneCluster, startOneCluster } from './install/one-cluster.ts';
import type { ProgramName } from './programs.ts';
import { notRun } from './report.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const needed = ['etcd', 'kube-apiserver', 'kubectl', 'source-controller', 'helm'] as const;
const programs = await buildPrograms((line) => void process.stdout.write(`  ${line}\n`), needed);
const refusals = [...programs.values()].flatMap((result) =>
  result.type === 'refused' ? [`${result.program} could not be built: ${result.why}`] : [],
);
if (refusals.length > 0) await notRun([{ name: 'remote clusters', reason: refusals.join('; ') }]);

function binary(name: ProgramName): string {
  const result = programs.get(name);
  return result?.type === 'built' ? result.binary : '';
}

const name = 'eu-west-3';
let home: OneCluster;
let remote: ApiServer;
let address: string;

beforeAll(async () => {
  if (refusals.length > 0) return;
  const those = { etcd: binary('etcd'), apiServer: binary('kube-apiserver'), kubectl: binary('kubectl'), crds: [] };
  home = await startOneCluster(those);
  const port = portAt(await freePorts(1), 0);
  address = `https://127.0.0.1:${port}`;
  const file = join(home.folder, 'authentication.yaml');
  await writeFile(file, await authentication());
  const folder = join(home.folder, 'remote');
  const flags = { '--authentication-config': file };
  remote = await startApiServer(home.processes, binary('kube-apiserver'), {
    name,
    folder,
    etcd: home.etcd,
    port,
    flags,
  });
  const flux = programs.get('source-controller');
  if (flux?.type === 'built' && flux.crds !== null) await installCrds(remote, flux.crds);
  await installNamespace(remote, 'flux-system');
  await remote.admin.apply({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'checkout', namespace: 'flux-system' },
    spec: { interval: '1m', url: 'https://git.example.org/acme/checkout.git' },
  });
  const role = join(home.folder, 'role.yaml');
  await writeFile(role, (await runCli(['rbac'])).stdout);
  await onRemote(`kubectl apply -f ${role}`);
}, 5 * minute);
afterAll(() => home?.processes.stop());

/** The block of docs/install.md, of these two API servers. */
async function authentication(): Promise<string> {
  const text = await readFile(join(root, 'docs', 'install.md'), 'utf8');
  const found = text.split('```yaml\n').find((part) => part.startsWith('apiVersion: apiserver.config.k8s.io/v1\n'));
  const certificate = (await readFile(join(home.folder, 'home/certs/apiserver.crt'), 'utf8')).trim();
  return (found ?? '')
    .slice(0, found?.indexOf('```'))
    .replace('https://issuer.example.org', home.url)
    .replace('https://eu-west-3.k8s.example.org:6443', address)
    .replace('-----BEGIN CERTIFICATE-----', certificate.replaceAll('\n', '\n        '));
}

/** Runs a command as somebody who may do all on a cluster; gives what it prints as its result. */
async function shell(command: string, kubeconfig: string): Promise<string> {
  // The `kubectl` of the bed has a kubeconfig of its own: here the context says which cluster.
  const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: `${join(home.folder, 'plain')}:${process.env['PATH']}` };
  await mkdir(join(home.folder, 'plain'), { recursive: true });
  await writeFile(join(home.folder, 'plain', 'kubectl'), `#!/bin/sh\nexec ${binary('kubectl')} "$@"\n`, {
    mode: 0o755,
  });
  return (await run('sh', ['-c', command], { cwd: root, env })).stdout;
}

const onHome = (command: string): Promise<string> => shell(command, home.api.adminKubeconfig);
const onRemote = (command: string): Promise<string> => shell(command, remote.adminKubeconfig);

/** A command of docs/install.md as it stands there. */
function documented(beginning: string): string {
  const found = documentedCommands(root).find(
    ({ document, command }) => document === 'docs/install.md' && command.includes(beginning),
  );
  if (found === undefined) throw new Error(`docs/install.md has no command ${beginning}`);
  return found.command;
}

/** One look at a cluster, by a kubeconfig: every line of `plumbline check`. */
async function look(kubeconfig: string): Promise<string> {
  const config = join(home.folder, 'look.yaml');
  await writeFile(config, stringify({ clusters: [{ name, kubeconfig }] }));
  const { stdout, stderr } = await runCli(['check', '--config', config]);
  return stdout + stderr;
}

async function seen(kubeconfig: string): Promise<string> {
  let last = '';
  return await mustCome(
    'the object of the remote cluster',
    async () => {
      last = await look(kubeconfig);
      return last.includes('flux-system/checkout') ? last : null;
    },
    2 * minute,
  ).catch((failure) => {
    throw new Error(last, { cause: failure });
  });
}

describe.skipIf(refusals.length > 0)('a remote cluster', () => {
  it(
    'is read by a token for its audience alone, where it trusts the issuer of the cluster that Plumbline runs on',
    async () => {
      const values = join(home.folder, 'values.yaml');
      const certificateAuthority = await readFile(join(home.folder, 'remote/certs/apiserver.crt'), 'utf8');
      const entry = { name, server: address, audience: address, certificateAuthority };
      await writeFile(values, stringify({ clusters: { remote: [entry] } }));
      const chart = join(root, 'deploy', 'chart');
      const rendered = join(home.folder, 'rendered.yaml');
      const { stdout } = await run(binary('helm'), ['template', 'plumbline', chart, '-n', 'plumbline', '-f', values]);
      await writeFile(rendered, stdout);
      await onHome(`kubectl create namespace plumbline && kubectl apply -f ${rendered}`);
      const known = parseAllDocuments(stdout)
        .map((document): unknown => document.toJS())
        .find((one) => textAt(one, 'metadata', 'name') === 'plumbline-known');
      const kubeconfig = join(home.folder, 'known.yaml');
      const written = textAt(objectAt(known, 'data'), `remote-${name}.yaml`) ?? '';
      await writeFile(kubeconfig, written.replace('/var/run/plumbline/', `${home.folder}/`));
      await mkdir(join(home.folder, 'remote'), { recursive: true });
      const token = await onHome(`kubectl create token plumbline -n plumbline --audience ${address}`);
      await writeFile(join(home.folder, 'remote', name), token.trim(), { mode: 0o600 });

      // The issuer keeps its keys from who has no credential.
      expect(await look(kubeconfig)).toContain('the cluster does not accept the credentials');
      await onHome(documented('create clusterrolebinding plumbline-issuer'));
      await onRemote(documented('create clusterrolebinding plumbline-remote'));
      expect(await seen(kubeconfig)).toContain(name);
      // The same token is none for the cluster that issued it.
      const other = join(home.folder, 'other.yaml');
      const own = await readFile(join(home.folder, 'home/certs/apiserver.crt'));
      const turned = written
        .replace('/var/run/plumbline/', `${home.folder}/`)
        .replace(address, home.url)
        .replace(/certificate-authority-data: \S+/, `certificate-authority-data: ${own.toString('base64')}`);
      await writeFile(other, turned);
      expect(await look(other)).toContain('the cluster does not accept the credentials');
    },
    5 * minute,
  );

  it(
    'is read by the kubeconfig that deploy/rbac/kubeconfig.sh prints, which is for its owner alone',
    async () => {
      const clusters = join(home.folder, 'clusters');
      await mkdir(clusters);
      const kubeconfig = join(clusters, `${name}.yaml`);
      // Nobody else puts the token there: no controller-manager runs.
      const filled = mustCome(
        'the Secret of the token',
        async () => {
          const secret = parseForeign(
            await onRemote('kubectl -n plumbline get secret plumbline-token -o json 2>/dev/null || echo null'),
          );
          if (textAt(secret, 'type') !== 'kubernetes.io/service-account-token') return null;
          const token = (await onRemote('kubectl -n plumbline create token plumbline')).trim();
          await onRemote(
            `kubectl -n plumbline patch secret plumbline-token --type merge -p '${JSON.stringify({ stringData: { token } })}'`,
          );
          return true;
        },
        minute,
      );
      await Promise.all([filled, onRemote(documented('kubeconfig.sh').replace('clusters/', `${clusters}/`))]);
      expect(await seen(kubeconfig)).toContain(name);
      const again = await onRemote(documented('kubeconfig.sh').replace(/ >.*/, ''));
      expect(again).toBe(await readFile(kubeconfig, 'utf8'));
    },
    3 * minute,
  );
});
