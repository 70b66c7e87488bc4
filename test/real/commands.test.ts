// The first hour, from the text of the documents: every command in them, on a fresh clone, over two real API servers.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clustersApi, WireClusterList } from '#lib/api/cluster.ts';
import { minute } from '#lib/domain/time/length.ts';
import { buildPrograms } from './build.ts';
import { documentedCommands } from './commands/blocks.ts';
import { cloneFresh, type FreshClone } from './commands/fresh-clone.ts';
import { type Played, played } from './commands/listed.ts';
import { startTwoClusters, type TwoClusters } from './commands/two-clusters.ts';
import { mustCome } from './harness/until.ts';
import { notRun } from './report.ts';

const root = join(import.meta.dirname, '..', '..');
const results = await buildPrograms((line) => void process.stdout.write(`  ${line}\n`));
const wanted = (['etcd', 'kube-apiserver', 'kubectl', 'helm'] as const).map((name) => results.get(name));
const [etcd, apiServer, kubectl, helm] = wanted.map((result) => (result?.type === 'built' ? result.binary : null));
const reason = wanted
  .flatMap((result) => (result?.type === 'refused' ? [`${result.program} could not be built: ${result.why}`] : []))
  .join('; ');
const isBuilt = reason === '';
if (!isBuilt) await notRun([{ name: 'the commands of the documents', reason }]);

let bed: TwoClusters;
let clone: FreshClone;
let began: number;

beforeAll(async () => {
  if (!etcd || !apiServer || !kubectl || !helm) return;
  bed = await startTwoClusters({ etcd, apiServer, kubectl, helm });
  clone = await cloneFresh(root, { ...bed, environment: { KUBECONFIG: bed.kubeconfig } });
  began = Date.now();
});
afterAll(() => bed?.processes.stop());

/** Runs a command that must succeed; gives what it printed as its result. */
async function result(command: string): Promise<string> {
  const { code, stdout, stderr } = await clone.run(command);
  expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' });
  return stdout;
}

/** Serves until every cluster is read and has its objects, then ends; gives the fleet's page. */
async function serves(name: string, command: string, clusters: readonly string[]): Promise<string> {
  await using here = await clone.serve(name, command);
  await mustCome('both clusters', () => inStep(here.origin, clusters), 2 * minute).catch(async (failure) => {
    throw new Error(`${command} does not read both clusters. Its last lines:\n${await here.said()}`, {
      cause: failure,
    });
  });
  return await (await fetch(here.origin)).text();
}

async function inStep(origin: string, names: readonly string[]): Promise<true | null> {
  const { clusters } = WireClusterList.parse(await (await fetch(origin + clustersApi.path)).json());
  const read = clusters.filter(
    ({ state, feeds }) => state === 'live' && feeds.every((feed) => feed.state !== 'forbidden'),
  );
  const full = read.filter(({ feeds }) =>
    ['Kustomization', 'Bucket'].every((kind) => feeds.some((feed) => feed.kind === kind && feed.objects === 1)),
  );
  return names.every((name) => full.some((cluster) => cluster.name === name)) ? true : null;
}

/** The one block of YAML of a document that begins with this line. */
async function yamlIn(document: string, first: string): Promise<string> {
  const text = await readFile(join(clone.folder, document), 'utf8');
  const block = text.split('```yaml\n').find((part) => part.startsWith(first));
  if (block === undefined) throw new Error(`${document} has no block of ${first}`);
  return block.slice(0, block.indexOf('```'));
}

const elsewhere = (command: string): string => command.replaceAll('eu-west-3', 'us-east-2');

const plays: { readonly [command in Played]: (command: string) => Promise<void> } = {
  async './plumbline rbac --context eu-west-3 | kubectl --context eu-west-3 apply -f -'(command) {
    expect(await result(command)).toBe('clusterrole.rbac.authorization.k8s.io/plumbline created\n');
    expect(await result(elsewhere(command))).toBe('clusterrole.rbac.authorization.k8s.io/plumbline created\n');
  },
  async 'kubectl --context eu-west-3 apply -f deploy/rbac/clusterrolebinding.yaml'(command) {
    expect(await result(command)).toContain('clusterrolebinding.rbac.authorization.k8s.io/plumbline created');
    await result(elsewhere(command));
  },
  async 'npm start'(command) {
    const { code, stderr } = await clone.run(command);
    expect(code).toBe(78);
    expect(stderr).toContain('Which clusters? The contexts of the default kubeconfig are:');
    expect(stderr).toMatch(/eu-west-3 +https:.*\n.*us-east-2 +https:/);
  },
  async 'npm run build'(command) {
    expect(await result(command)).not.toContain('Plumbline is at');
  },
  async 'npm start -- --context eu-west-3,us-east-2'(command) {
    const page = await serves('contexts', command, ['eu-west-3', 'us-east-2']);
    for (const word of ['eu-west-3', 'us-east-2', 'Kustomization']) expect(page).toContain(word);
    expect(Date.now() - began).toBeLessThan(5 * minute);
  },
  async './plumbline check --context eu-west-3'(command) {
    const { code, stdout } = await clone.run(command);
    // No controller runs here: nothing can be confirmed.
    expect([1, 2]).toContain(code);
    expect(stdout).toMatch(/^VERDICT +CLUSTER +KIND +NAME +REASON\n/);
    expect(stdout).toContain('flux-system/checkout');
    expect(stdout).toContain('flux-system/invoices');
  },
  async 'npm start -- --config plumbline.yaml'(command) {
    const watched = join(bed.folder, 'watched');
    await mkdir(watched);
    await give('eu-west-3', join(clone.folder, 'eu-west-3.yaml'));
    await give('us-east-2', join(watched, 'us-east-2.yaml'));
    const yaml = await yamlIn('README.md', '# plumbline.yaml\nclusters:');
    await writeFile(join(clone.folder, 'plumbline.yaml'), yaml.replace('/etc/plumbline/clusters', watched));
    expect(await serves('file', command, ['eu-west-3', 'us-east-2'])).toContain('us-east-2');
  },
  async './plumbline report --period last-month --output drift.html --url https://plumbline.example.org'(command) {
    expect(await result(command)).toBe('');
    expect(await readFile(join(clone.folder, 'drift.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  },
  async './plumbline rules --output alarms'(command) {
    expect(await result(command)).toBe('');
    const rules = await readFile(join(clone.folder, 'alarms/rules.yaml'), 'utf8');
    for (const word of ['kind: PrometheusRule', 'FluxReconciliationFailure', 'CloudResourceDesynced', 'us-east-2'])
      expect(rules).toContain(word);
  },
  async './plumbline rules --cluster eu-west-3 --output alarms/eu-west-3'(command) {
    await result(command);
    const rules = await readFile(join(clone.folder, 'alarms/eu-west-3/rules.yaml'), 'utf8');
    expect([rules.includes('eu-west-3'), rules.includes('us-east-2')]).toEqual([true, false]);
    // Everything but what only an operator knows is taken by a cluster.
    for (const file of ['kube-state-metrics-role.yaml', 'kube-state-metrics.yaml'])
      expect(
        await result(`kubectl --context eu-west-3 --namespace default apply -f alarms/eu-west-3/${file}`),
      ).toContain('plumbline-kube-state-metrics created');
  },
  async './plumbline rules --format prometheus --output alarms'(command) {
    await result(command);
    expect(await readFile(join(clone.folder, 'alarms/rules.yaml'), 'utf8')).toMatch(/^groups:$/m);
  },
  async './plumbline link --new-key'(command) {
    const yaml = await yamlIn('docs/embeds.md', '# plumbline.yaml\nembeds:');
    await writeFile(join(clone.folder, 'plumbline.yaml'), yaml);
    await result(command);
    expect(await readFile(join(clone.folder, 'embed-keys.yaml'), 'utf8')).toContain('keys');
  },
  async './plumbline link --scope fleet --url https://plumbline.example.org'(command) {
    expect(await result(command)).toContain('https://plumbline.example.org/embed/');
  },
  async './plumbline link --scope cluster:eu-west-3 --badge --expires 30d'(command) {
    expect(await result(command)).toContain('/badge/');
  },
  async './plumbline links'(command) {
    expect(await result(command)).toContain('cluster:eu-west-3');
  },
  async './plumbline links --revoke 5b0c9a4e7d21f386'(command) {
    const [id = ''] = /\b[0-9a-f]{16}\b/.exec(await result('./plumbline links')) ?? [];
    await result(command.replace('5b0c9a4e7d21f386', id));
  },
  async './plumbline backup --output /backup/2026-11-24'(command) {
    await result(command.replace('/backup/', `${bed.folder}/backup/`));
    // What was kept is found in it: a report is made from the copy.
    expect(await result(`./plumbline report --data ${bed.folder}/backup/2026-11-24`)).toContain('# Drift report');
  },
  async './plumbline restore --from /backup/2026-11-24 --replace'(command) {
    await result(command.replace('/backup/', `${bed.folder}/backup/`));
    expect(await result('./plumbline report')).toContain('# Drift report');
  },
  async './plumbline start --config plumbline.yaml --dry-run'(command) {
    expect(await result(command)).toContain('cluster');
  },
  async 'kubectl create namespace plumbline'(command) {
    expect(await result(command)).toBe('namespace/plumbline created\n');
  },
  async 'helm install plumbline deploy/chart --namespace plumbline --create-namespace --values values.yaml'(command) {
    await writeFile(join(clone.folder, 'values.yaml'), await yamlIn('docs/install.md', '# values.yaml\n'));
    expect(await result(command)).toContain('STATUS: deployed');
  },
  async 'helm upgrade plumbline deploy/chart --namespace plumbline --values values.yaml'(command) {
    expect(await result(command)).toContain('REVISION: 2');
  },
  async 'helm template plumbline deploy/chart --namespace plumbline --values values.yaml > plumbline.yaml'(command) {
    await result(command.replace('> plumbline.yaml', '> rendered.yaml'));
    expect(await result('kubectl apply --dry-run=server -f rendered.yaml')).toContain('deployment.apps/plumbline');
  },
  async 'helm package deploy/chart'(command) {
    expect(await result(command)).toMatch(/plumbline-\d+\.\d+\.\d+\.tgz/);
  },
  async 'kubectl --namespace plumbline create secret generic plumbline-clusters --from-file=clusters/'(command) {
    await mkdir(join(clone.folder, 'clusters'));
    await give('us-east-2', join(clone.folder, 'clusters/us-east-2.yaml'));
    expect(await result(command)).toBe('secret/plumbline-clusters created\n');
  },
  async 'kubectl --namespace plumbline create secret generic plumbline-clusters --from-file=clusters/ --dry-run=client --output yaml | kubectl replace -f -'(
    command,
  ) {
    await give('eu-west-3', join(clone.folder, 'clusters/eu-west-3.yaml'));
    expect(await result(command)).toBe('secret/plumbline-clusters replaced\n');
  },
  async 'kubectl --namespace plumbline create secret generic plumbline-scrape --from-literal=token=$(openssl rand -hex 32)'(
    command,
  ) {
    expect(await result(command)).toBe('secret/plumbline-scrape created\n');
  },
  async 'kubectl apply -k deploy/base'(command) {
    expect(await result(`${command} --context us-east-2`)).toContain('deployment.apps/plumbline created');
  },
  async './plumbline rbac > deploy/rbac/clusterrole.yaml'(command) {
    const path = join(clone.folder, 'deploy/rbac/clusterrole.yaml');
    const before = await readFile(path, 'utf8');
    expect(await result(command)).toBe('');
    expect(await readFile(path, 'utf8')).toBe(before);
  },
  async 'npm run demo'(command) {
    await using demo = await clone.serve('demo', command);
    expect((await fetch(demo.origin)).status).toBe(200);
  },
};

/** Puts the kubeconfig of Plumbline's user on one cluster somewhere. */
async function give(name: string, path: string): Promise<void> {
  const cluster = bed.clusters.get(name);
  if (cluster === undefined) throw new Error(`no cluster ${name}`);
  const token = (await readFile(join(bed.folder, name, 'plumbline.token'), 'utf8')).trim();
  const text = await readFile(cluster.plumblineKubeconfig, 'utf8');
  await writeFile(path, text.replace(/"tokenFile":"[^"]*"/, `"token":"${token}"`), { mode: 0o600 });
}

describe.skipIf(!isBuilt)('on a fresh clone, with nothing installed', () => {
  const documented = new Set(documentedCommands(root).map(({ command }) => command));

  it.each(played)('%s', async (command) => {
    expect(documented).toContain(command);
    await plays[command](command);
  });
});
