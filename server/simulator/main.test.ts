import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isLivenessKind } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { listAt, parseForeign, textAt } from '#lib/foreign.ts';
import { systemClock } from '../runtime/clock.ts';
import { silentLog } from '../runtime/log.ts';
import { openTestClient } from './api/test-client.ts';
import { startSimulator } from './main.ts';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-simulator-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('writes kubeconfigs and a plumbline.yaml that lead to the clusters', async () => {
  const simulator = await startSimulator({ clock: systemClock, log: silentLog, directory, clusters: 3, story: false });
  const config: unknown = parse(readFileSync(simulator.configPath, 'utf8'));
  expect(listAt(config, 'clusters').map((one) => textAt(one, 'name'))).toEqual([
    'eu-west-3',
    'us-east-2',
    'eu-central-1b',
  ]);
  expect(listAt(config, 'clusters').map((one) => textAt(one, 'labels', 'environment'))).toEqual([
    'production',
    'production',
    'production',
  ]);
  const kubeconfig: unknown = parse(readFileSync(join(directory, 'eu-west-3.yaml'), 'utf8'));
  const server = textAt(listAt(kubeconfig, 'clusters')[0], 'cluster', 'server') ?? '';
  const ca = Buffer.from(
    textAt(listAt(kubeconfig, 'clusters')[0], 'cluster', 'certificate-authority-data') ?? '',
    'base64',
  ).toString();
  const token = textAt(listAt(kubeconfig, 'users')[0], 'user', 'token') ?? '';
  const client = await openTestClient(server, ca, token);
  const list = await client.get('/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations');
  expect(listAt(list.json, 'items')).toHaveLength(13);
  simulator.rotateToken('eu-west-3', true);
  expect((await client.get('/version')).status).toBe(401);
  expect(readFileSync(join(directory, 'eu-west-3.yaml'), 'utf8')).not.toContain(token);
  client.close();
  await simulator.stop();
});

it('makes a control repository that git reads, at the revision that the clusters name', async () => {
  const simulator = await startSimulator({ clock: systemClock, log: silentLog, directory, clusters: 2, story: false });
  const url = textAt(listAt(parse(readFileSync(simulator.configPath, 'utf8')), 'repositories')[0], 'url') ?? '';
  execFileSync('git', ['clone', '--quiet', '--mirror', url, join(directory, 'mirror')]);
  const head = execFileSync('git', ['-C', join(directory, 'mirror'), 'rev-parse', 'main'])
    .toString()
    .trim();
  const stored = simulator.fleet
    .get('eu-west-3')
    ?.store.store('gitrepositories.source.toolkit.fluxcd.io')
    ?.get('flux-system/control-repo');
  const object = parseForeign(stored?.json().toString() ?? '');
  expect([textAt(object, 'status', 'artifact', 'revision'), textAt(object, 'spec', 'url')]).toEqual([
    `main@sha1:${head}`,
    url,
  ]);
  const files = execFileSync('git', [
    '-C',
    join(directory, 'mirror'),
    'ls-tree',
    '-r',
    '--name-only',
    'main',
    'clusters/production/eu-west-3/',
  ]).toString();
  expect(files).toContain('clusters/production/eu-west-3/apps/checkout/kustomization.yaml');
  await simulator.stop();
});

it('writes the alarm sources of the demo with a story, and of a generated fleet with a plan', async () => {
  const alarms = async (options: object): Promise<readonly unknown[]> => {
    const simulator = await startSimulator({ clock: systemClock, log: silentLog, directory, ...options });
    const config: unknown = parse(readFileSync(simulator.configPath, 'utf8'));
    const [first] = listAt(config, 'alarms');
    const ready = first === undefined ? null : await fetch(`${textAt(first, 'prometheus')}/-/ready`);
    await simulator.stop();
    return [...listAt(config, 'alarms').map((one) => textAt(one, 'name')), ready?.status ?? 0];
  };
  expect(await alarms({ clusters: 12, story: 'opening' })).toEqual(['monitoring', 'stg-ap', 200]);
  expect(await alarms({ clusters: 2, story: 'opening' })).toEqual(['monitoring', 200]);
  expect(await alarms({ clusters: 2, story: false })).toEqual([0]);
  expect(await alarms({ clusters: 2, story: 'opening', monitoring: false })).toEqual([0]);
  const generated = { clusters: 2, kindsPerCluster: 10, objectsPerCluster: 100 };
  expect(await alarms({ ...generated, monitoringPlan: { alerts: 10, series: 190 } })).toEqual(['monitoring', 200]);
  expect(await alarms(generated)).toEqual([0]);
  await expect(alarms({ ...generated, monitoring: true })).rejects.toThrow('needs a plan');
  const plan = { monitoringPlan: { alerts: 1, series: 1 } };
  await expect(alarms({ clusters: 2, ...plan })).rejects.toThrow('its own size');
});

it('makes a generated fleet of realistic objects and churns it', async () => {
  const simulator = await startSimulator({
    clock: systemClock,
    log: silentLog,
    directory,
    clusters: 3,
    kindsPerCluster: 10,
    objectsPerCluster: 200,
  });
  const cluster = simulator.fleet.get('cluster-0001');
  const sizes = (cluster?.store.kinds() ?? [])
    .filter((kind) => !isLivenessKind(kind))
    .flatMap((kind) => cluster?.store.store(`${kind.resource}.${kind.group}`)?.sorted() ?? []);
  expect(sizes).toHaveLength(200);
  const bytesOf = (stem: string): number => sizes.find((object) => object.name.startsWith(stem))?.json().length ?? 0;
  expect(bytesOf('kustomizatio')).toBeGreaterThan(3000);
  expect(bytesOf('resource')).toBeGreaterThan(8500);
  expect(
    sizes.every((object) => textAt(parseForeign(object.json().toString()), 'metadata', 'name') === object.name),
  ).toBe(true);
  simulator.churn?.write();
  expect(simulator.churn?.count()).toBe(1);
  await simulator.stop();
});

it('runs by hand and ends on SIGTERM, and when its channel closes', async () => {
  const program = join(dirname(fileURLToPath(import.meta.url)), 'simulate.ts');
  for (const end of ['SIGTERM', 'disconnect'] as const) {
    const child = spawn(
      process.execPath,
      [program, '--dir', directory, '--clusters', '1', '--kinds', '4', '--objects', '8'],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    const message = await new Promise((resolve) => child.once('message', resolve));
    expect(textAt(message, 'configPath')).toBe(join(directory, 'plumbline.yaml'));
    if (end === 'SIGTERM') child.kill('SIGTERM');
    else child.disconnect();
    expect(await exited).toBe(0);
  }
});
