// Plumbline under the regime that it watches: the block of docs/install.md, on real controllers of Flux.
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { listAt, parseForeign, textAt } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { buildPrograms } from './build.ts';
import { createControlRepository } from './harness/control-repository.ts';
import { startFluxController } from './harness/flux.ts';
import { type GitServer, startGitServer } from './harness/git-server.ts';
import { installNamespace } from './harness/install.ts';
import { mustCome } from './harness/until.ts';
import { type OneCluster, startOneCluster } from './install/one-cluster.ts';
import type { ProgramName } from './programs.ts';
import { notRun } from './report.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const controllers = ['source-controller', 'helm-controller'] as const;
const needed = ['etcd', 'kube-apiserver', 'kubectl', ...controllers] as const;
const programs = await buildPrograms((line) => void process.stdout.write(`  ${line}\n`), needed);
const refusals = [...programs.values()].flatMap((result) =>
  result.type === 'refused' ? [`${result.program} could not be built: ${result.why}`] : [],
);
if (refusals.length > 0) await notRun([{ name: 'the installation by Flux', reason: refusals.join('; ') }]);

function binary(name: ProgramName): string {
  const result = programs.get(name);
  return result?.type === 'built' ? result.binary : '';
}

let home: OneCluster;
let git: GitServer;

beforeAll(async () => {
  if (refusals.length > 0) return;
  const crds = controllers.flatMap((name) => {
    const result = programs.get(name);
    return result?.type === 'built' && result.crds !== null ? [result.crds] : [];
  });
  const those = { etcd: binary('etcd'), apiServer: binary('kube-apiserver'), kubectl: binary('kubectl'), crds };
  home = await startOneCluster(those);
  await installNamespace(home.api, 'flux-system');
  const [repositories, work] = [join(home.folder, 'repositories'), join(home.folder, 'work')];
  for (const folder of [repositories, work]) await mkdir(folder);
  git = await startGitServer(repositories);
  const repository = await createControlRepository(repositories, work, 'plumbline.git');
  await repository.commit('The chart', await filesOf(join(root, 'deploy', 'chart')));
  for (const controller of controllers)
    await startFluxController(home.processes, {
      controller,
      binary: binary(controller),
      cluster: home.api,
      folder: join(home.folder, controller),
      // Nobody asks for their leases here, and the file by which they elect a leader is one for the machine.
      election: { byControllers: false, namespace: 'flux-system' },
      shard: null,
    });
}, 5 * minute);
afterAll(async () => {
  await home?.processes.stop();
  await git?.stop();
});

async function filesOf(folder: string): Promise<{ readonly [path: string]: string }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.map(async (path) => [relative(root, path), await readFile(path, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

async function kubectl(...args: readonly string[]): Promise<string> {
  return (await run(join(home.bin, 'kubectl'), args)).stdout;
}

/** The condition Ready of the release, in words. */
async function ready(): Promise<string> {
  const release = parseForeign(await kubectl('get', 'helmrelease', 'plumbline', '-n', 'flux-system', '-o', 'json'));
  const found = listAt(release, 'status', 'conditions').find((one) => textAt(one, 'type') === 'Ready');
  return [textAt(found, 'status'), textAt(found, 'reason'), textAt(found, 'message')].join(' ');
}

describe.skipIf(refusals.length > 0)('by Flux', () => {
  it('the chart is taken from git, and the release is ready once its pod is', async () => {
    const text = await readFile(join(root, 'docs', 'install.md'), 'utf8');
    const block = text.split('```yaml\n').find((part) => part.startsWith('apiVersion: source.toolkit.fluxcd.io/v1\n'));
    const yaml = (block ?? '').slice(0, block?.indexOf('```'));
    expect(parseAllDocuments(yaml)).toHaveLength(2);
    const written = yaml.replace('https://git.example.org/acme/plumbline.git', git.url('plumbline.git'));
    const file = join(home.folder, 'flux.yaml');
    await writeFile(file, written);
    await kubectl('apply', '-f', file);
    const deployment = ['deployment', 'plumbline', '-n', 'plumbline'];
    const image = await mustCome(
      'the Deployment',
      () => kubectl('get', ...deployment, '-o', 'jsonpath={..image}'),
      2 * minute,
    ).catch(async (failure) => {
      throw new Error(await ready(), { cause: failure });
    });
    expect(image.split(' ')).toEqual(Array.from({ length: 3 }, () => 'registry.example.org/plumbline:0.1.0'));
    // Nobody else says so here: that there is a volume, and that the pod runs.
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const available = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' };
    const progressing = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' };
    const running = { status: { ...status, conditions: [available, progressing] } };
    const patch = (of: readonly string[], to: unknown) =>
      kubectl('patch', ...of, '--subresource=status', '--type=merge', '-p', JSON.stringify(to));
    await patch(deployment, running);
    await patch(['pvc', 'plumbline', '-n', 'plumbline'], { status: { phase: 'Bound' } });
    await mustCome(
      'the release',
      async () => ((await ready()).startsWith('True InstallSucceeded') ? true : null),
      2 * minute,
    ).catch(async (failure) => {
      throw new Error(await ready(), { cause: failure });
    });
  });
});
