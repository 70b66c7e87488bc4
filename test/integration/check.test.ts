// `plumbline check` as a person and a pipeline run it, against simulated clusters.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WireObject } from '#lib/api/object.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { KustomizationHandle } from '#server/simulator/controllers/kustomization-item.ts';
import type { Simulator } from '#server/simulator/main.ts';
import { startQuietSimulator, workDirectory } from './running/running-fleet.ts';

const program = fileURLToPath(new URL('../../server/cli/plumbline.ts', import.meta.url));
const directory = workDirectory();
let simulator: Simulator;

interface Run {
  readonly code: number | null;
  readonly out: readonly string[];
  readonly said: string;
}

/** A look takes seconds, for leases must be seen moving: the three run at the same time. */
let quiet: Promise<Run>;
let broken: Promise<Run>;
let forbidden: Promise<Run>;

beforeAll(async () => {
  simulator = await startQuietSimulator({ clock: systemClock, log: silentLog, directory: directory.path, clusters: 3 });
  const victim = (cluster: string): KustomizationHandle => {
    const handle = simulator.demo?.clusters.get(cluster)?.kustomizations.get('catalogue');
    if (!handle) throw new Error('no catalogue');
    return handle;
  };
  victim('eu-west-3').setSuspended(true, 'kubectl-edit');
  victim('us-east-2').outcome = { is: 'build-failed', message: 'kustomize build failed: no such file' };
  victim('us-east-2').reconcile();
  simulator.fleet.get('eu-central-1b')?.access.forbid('helmreleases.helm.toolkit.fluxcd.io');
  quiet = plumbline('check', '--config', configFor('eu-west-3'), '--output', 'json');
  broken = plumbline('check', '--config', configFor('us-east-2'));
  forbidden = plumbline('check', '--config', configFor('eu-central-1b'), '--output', 'json');
  await Promise.all([quiet, broken, forbidden]);
});

afterAll(async () => {
  await simulator.stop();
  directory.remove();
});

function plumbline(...args: readonly string[]): Promise<Run> {
  const { PLUMBLINE_CONFIG: _config, ...environment } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory.path,
    env: { ...environment, KUBECONFIG: join(directory.path, 'none') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, out: out.split('\n').filter((line) => line !== ''), said })),
  );
}

/** A configuration that names one cluster only. */
function configFor(cluster: string): string {
  const path = join(directory.path, `only-${cluster}.yaml`);
  writeFileSync(path, `clusters:\n  - name: ${cluster}\n    kubeconfig: ./${cluster}.yaml\n`);
  return path;
}

function read(run: Run): readonly WireObject[] {
  return run.out.map((line) => WireObject.parse(JSON.parse(line)));
}

it('exits 0 where all is converged or suspended, and prints every object as one line of JSON', async () => {
  const run = await quiet;
  const objects = read(run);
  const known = simulator.truth(systemClock.now()).filter((expected) => expected.ref.cluster === 'eu-west-3');
  const name = (one: { kind: string; namespace: string; name: string }): string =>
    `${one.kind} ${one.namespace}/${one.name}`;
  expect(
    known.map((expected) => name(expected.ref)).filter((one) => !objects.some((object) => name(object) === one)),
  ).toEqual([]);
  expect(
    objects
      .filter((object) => object.verdict !== 'converged')
      .map((object) => `${name(object)} ${object.verdict} ${object.reason}`),
  ).toEqual(['Kustomization flux-system/catalogue suspended Suspended']);
  expect(run.code).toBe(0);
  // Nobody watches a terminal here: one line says why it takes a while, and there is nothing else to say.
  expect(run.said).toMatch(/^Reading the clusters, .*\n$/);
});

it('says what weakens the guarantee, by whom and how far it reaches', async () => {
  const objects = read(await quiet);
  const of = (kind: string, name: string): WireObject['exemptions'] =>
    objects.find((object) => object.kind === kind && object.name === name)?.exemptions ?? [];
  expect(of('Kustomization', 'catalogue')).toContainEqual(
    expect.objectContaining({ kind: 'suspended', field: 'spec.suspend', by: 'kubectl-edit', reach: 10 }),
  );
  expect(of('HelmRelease', 'mail').map(({ kind }) => kind)).toEqual(['drift-not-undone', 'rendered-on-cluster']);
});

it('exits 1 where an object is away, worst first, as a table for people', async () => {
  const run = await broken;
  expect(run.out[0]).toMatch(/^VERDICT +CLUSTER +KIND +NAME +REASON/);
  expect(run.out[1]).toMatch(/^diverged +us-east-2 +Kustomization +flux-system\/catalogue +BuildFailed/);
  expect(run.code).toBe(1);
});

it('exits 2 where a kind cannot be seen, and says which', async () => {
  const run = await forbidden;
  expect(read(run).filter((object) => object.kind === 'HelmRelease')).toEqual([]);
  expect(run.said).toContain('Not seen: eu-central-1b: HelmRelease forbidden');
  expect(run.code).toBe(2);
});

it('exits 2 where a cluster cannot be reached', async () => {
  await simulator.fleet.get('eu-central-1b')?.server.gate.setReach('refused');
  const run = await plumbline('check', '--config', configFor('eu-central-1b'), '--timeout', '10');
  expect(run.said).toContain('Not seen: eu-central-1b: unreachable');
  expect(run.code).toBe(2);
});

it.each<[string, readonly string[], number, string]>([
  ['an unknown output', ['check', '--output', 'xml'], 64, 'table, json'],
  ['an unknown option', ['check', '--no-such'], 64, 'no-such'],
  ['a timeout that is none', ['check', '--timeout', 'soon'], 64, 'whole number'],
  ['contexts and a file at once', ['check', '--config', 'x.yaml', '--context', 'a'], 64, 'not by both'],
  ['a file that is not there', ['check', '--config', 'missing.yaml'], 78, 'missing.yaml'],
])('refuses %s', async (_name, args, code, words) => {
  const run = await plumbline(...args);
  expect([run.code, run.out]).toEqual([code, []]);
  expect(run.said).toContain(words);
});

it('exits 78 with one line and its place where the configuration has an unknown key', async () => {
  const path = join(directory.path, 'odd.yaml');
  writeFileSync(path, 'clusters:\n  - name: a\n    kubeconfg: ./a.yaml\n');
  const run = await plumbline('check', '--config', path);
  expect(run.code).toBe(78);
  expect(run.said).toMatch(/odd\.yaml:3.*kubeconfg/);
});

it('has only read', () => {
  expect(simulator.requests.writes()).toEqual([]);
});
