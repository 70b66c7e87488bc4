import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '#server/config/load-config.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource } from '#server/store/port/port.ts';
import { startScriptedServer, type ScriptedServer } from './clusters/testing/scripted-server.ts';
import { until } from './clusters/testing/until.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { fakeRecorder } from './testing/fake-recorder.ts';

let folder: string;
let running: Fleet | null;
let servers: ScriptedServer[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-fleet-'));
  running = null;
  servers = [];
});
afterEach(async () => {
  await running?.stop();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(
  yaml: string,
  remembered: readonly string[] = [],
  gives: (name: string) => boolean | Promise<boolean> = () => true,
  forgets: Promise<void> | null = null,
) {
  const loaded = parseConfig(yaml, folder);
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  const fake = fakeRecorder();
  fake.gives(gives);
  if (forgets !== null) fake.forgetsOnce(forgets);
  const logged: [object, string][] = [];
  const keep = (data: object, message: string): void => void logged.push([data, message]);
  const fleet = await startFleet({
    config: loaded.config,
    clock: systemClock,
    log: { ...silentLog, warn: keep, error: keep, info: keep },
    random: () => 0,
    tuning: { backoffFirst: 20, backoffCap: 100 },
    recorder: fake.recorder,
    remembered,
  });
  running = fleet;
  return {
    ...fake,
    fleet,
    /** The data of every log line with this message. */
    logged: (message: string) => logged.filter(([, said]) => said === message).map(([data]) => data),
    names: () => fleet.clusters().map(({ name }) => name),
    isRunning: (name: string) => fleet.clusters().some((cluster) => cluster.name === name && cluster.running),
    /** The row as it was written last, once its state is that. */
    row: (name: string, state: string) =>
      until(`${name} to be ${state}`, () => fake.rows()[name]?.[0] === state && fake.rows()[name], 20_000),
  };
}

function kubeconfig(token: string, port = 1): string {
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

it('shows a kubeconfig that cannot be used on its cluster, and reads the others', async () => {
  await writeFile(join(folder, 'good.yaml'), kubeconfig('a'));
  const { row, names, logged, fleet } = await start(`
clusters:
  - { name: bad, kubeconfig: ./none.yaml, labels: { region: eu } }
  - { name: good, kubeconfig: ./good.yaml, labels: { region: us } }
`);
  expect(names()).toEqual(['bad', 'good']);
  expect(await row('bad', 'misconfigured')).toMatchObject([expect.anything(), expect.anything(), { region: 'eu' }]);
  expect(await row('good', 'unreachable')).toMatchObject([expect.anything(), expect.anything(), { region: 'us' }]);
  expect(logged('a kubeconfig cannot be used')).toEqual([{ cluster: 'bad', reason: expect.any(String) }]);
  expect(logged('a cluster is not seen')).toMatchObject([
    { cluster: 'bad', state: 'misconfigured', reason: expect.any(String) },
    { cluster: 'good', state: 'unreachable', reason: expect.any(String) },
  ]);
  expect(fleet.notSeen().map(({ name }) => name)).toEqual(['bad', 'good']);
});

it('gives a row of its own to what is declared on no configured cluster', async () => {
  const { row, names } = await start(`
clusters: [{ name: bad, kubeconfig: ./none.yaml }]
stacks:
  - { name: dns, tool: ansible, cluster: bad }
  - { name: vpc, tool: terraform, row: network, labels: { region: eu } }
`);
  expect(await row('network', 'declared')).toMatchObject([expect.anything(), expect.anything(), { region: 'eu' }]);
  expect(names()).toEqual(['bad', 'network']);
});

it('forgets what is configured no longer, where no other collector has it', async () => {
  const before = Date.now();
  const { forgotten, logged, asked } = await start('clusters: [{ name: bad, kubeconfig: ./none.yaml }]', [
    'bad',
    'gone',
  ]);
  await until('it to be forgotten', () => forgotten.length > 0);
  expect(forgotten).toEqual([['gone', expect.any(Number)]]);
  expect(forgotten[0]?.[1]).toBeGreaterThanOrEqual(before);
  expect(logged('a cluster is configured no longer')).toEqual([{ cluster: 'gone' }]);
  expect(asked.toSorted()).toEqual(['bad', 'gone']);
});

it('forgets what a collector that was killed still holds, once its lease is over', async () => {
  let asked = 0;
  const { forgotten } = await start('clusters: [{ name: bad, kubeconfig: ./none.yaml }]', ['gone', 'other'], (name) => {
    if (name === 'gone') asked += 1;
    return name !== 'gone' || asked > 2;
  });
  await until('both to be forgotten', () => forgotten.length === 2, 10_000);
  expect(forgotten.map(([name]) => name)).toEqual(['other', 'gone']);
});

it('logs what could not be forgotten, and leaves what another collector has', async () => {
  const yaml = 'clusters: [{ name: bad, kubeconfig: ./none.yaml }]';
  const { asked, forgotten, logged, fleet } = await start(yaml, ['held', 'failing'], (name) =>
    name === 'failing' ? Promise.reject(new Error('no')) : name !== 'held',
  );
  await until('both to be asked for', () => asked.includes('failing'));
  await fleet.stop();
  running = null;
  expect(forgotten).toEqual([]);
  expect(logged('clusters that are configured no longer could not be forgotten')).toEqual([{ err: new Error('no') }]);
});

it('ends without waiting until all is forgotten: the next process goes on with it', async () => {
  const yaml = 'clusters: [{ name: bad, kubeconfig: ./none.yaml }]';
  const never = new Promise<void>(() => undefined);
  const { forgotten, fleet } = await start(yaml, ['gone', 'away'], () => true, never);
  await until('the first to be begun', () => forgotten.length > 0);
  await fleet.stop();
  running = null;
  expect(forgotten.map(([name]) => name)).toEqual(['gone']);
});

it('goes on with what came back while it was still to be forgotten', async () => {
  const directory = join(folder, 'kube');
  await mkdir(directory);
  const back = Promise.withResolvers<boolean>();
  const yaml = 'clusters: [{ directory: ./kube }]';
  const { forgotten, asked, names, row } = await start(yaml, ['eu'], () => back.promise);
  await until('its lease to be asked for', () => asked.length > 0);
  await writeFile(join(directory, 'eu.yaml'), kubeconfig('one'));
  await until('it to be back', () => names().includes('eu'), 20_000);
  back.resolve(true);
  await row('eu', 'unreachable');
  expect(forgotten).toEqual([]);
});

it('begins anew with the cluster that was lost, and only with a cluster', async () => {
  const { fleet, asked, isRunning } = await start('clusters: [{ name: bad, kubeconfig: ./none.yaml }]');
  await until('it to run', () => isRunning('bad'));
  fleet.lost({ type: 'repository', name: 'bad' });
  expect(isRunning('bad')).toBe(true);
  fleet.lost(clusterSource('other'));
  fleet.lost(clusterSource('bad'));
  expect(isRunning('bad')).toBe(false);
  await until('it to run again', () => isRunning('bad'));
  expect(asked).toEqual(['bad', 'bad']);
});

it('follows a directory of kubeconfigs', async () => {
  const directory = join(folder, 'kube');
  await mkdir(directory);
  await writeFile(join(directory, 'eu.yaml'), kubeconfig('one'));
  await writeFile(join(directory, 'us.yaml'), 'a: [');
  const { row, names, logged, forgotten, asked } = await start(
    `
clusters: [{ directory: ./kube, labels: { region: all } }]
stacks: [{ name: dns, tool: ansible, cluster: eu }]
`,
    ['eu', 'us'],
  );
  await row('us', 'misconfigured');
  expect(await row('eu', 'unreachable')).toMatchObject([expect.anything(), expect.anything(), { region: 'all' }]);
  expect(logged('a kubeconfig cannot be used')).toEqual([
    { file: join(directory, 'us.yaml'), reason: expect.any(String) },
  ]);
  expect(forgotten).toEqual([]);

  await writeFile(join(directory, 'us.yaml'), kubeconfig('two'));
  await row('us', 'unreachable');
  expect(names().toSorted()).toEqual(['eu', 'us']);

  // A cluster that runs goes on with the former content.
  const before = asked.length;
  await writeFile(join(directory, 'us.yaml'), 'b: [');
  await until('the second warning', () => logged('a kubeconfig cannot be used').length > 1);
  expect([names().toSorted(), asked.length]).toEqual([['eu', 'us'], before]);

  await rm(join(directory, 'us.yaml'));
  await until('us to be forgotten', () => forgotten.length > 0);
  await rm(join(directory, 'eu.yaml'));
  await row('eu', 'declared');
  expect(forgotten.map(([name]) => name)).toEqual(['us', 'eu']);
  expect(names()).toEqual(['eu']);

  // A stand-in that a broken kubeconfig takes the place of says so.
  await writeFile(join(directory, 'eu.yaml'), 'c: [');
  await row('eu', 'misconfigured');
});

it('leaves a configured cluster alone whose name a file of a directory bears, and shows the fight', async () => {
  const directory = join(folder, 'kube');
  await mkdir(directory);
  await writeFile(join(folder, 'good.yaml'), kubeconfig('one', 1));
  const { row, logged, forgotten, cautions, asked } = await start(`
clusters:
  - { directory: ./kube, labels: { region: evil } }
  - { name: good, kubeconfig: ./good.yaml, labels: { region: eu } }
`);
  const labels = [expect.anything(), expect.anything(), { region: 'eu' }];
  expect(await row('good', 'unreachable')).toMatchObject(labels);
  const before = asked.length;
  await writeFile(join(directory, 'good.yaml'), kubeconfig('two', 2));
  await until('the fight to be shown', () => cautions('good').length > 0, 20_000);
  expect(cautions('good')).toEqual(['Its name is wanted by kube/good.yaml too: not read, for plumbline.yaml has it.']);
  expect(logged('a kubeconfig is not read: its name is taken')).toEqual([
    { file: join(directory, 'good.yaml'), cluster: 'good', holder: 'plumbline.yaml' },
  ]);
  expect(await row('good', 'unreachable')).toMatchObject(labels);
  await rm(join(directory, 'good.yaml'));
  await until('the fight to be over', () => cautions('good').length === 0, 20_000);
  expect([forgotten, asked.length]).toEqual([[], before]);
});

it('gives a name that two files bear to one of them, and to the other when that is gone', async () => {
  const directory = join(folder, 'kube');
  await mkdir(directory);
  await writeFile(join(directory, 'eu.yaml'), kubeconfig('one', 1));
  await writeFile(join(directory, 'eu.yml'), 'a: [');
  const { row, forgotten, cautions } = await start('clusters: [{ directory: ./kube }]');
  await row('eu', 'unreachable');
  await until('the fight to be shown', () => cautions('eu').length > 0, 20_000);
  expect(cautions('eu')).toEqual(['Its name is wanted by kube/eu.yml too: not read, for kube/eu.yaml has it.']);
  await rm(join(directory, 'eu.yaml'));
  await row('eu', 'misconfigured');
  expect([forgotten, cautions('eu')]).toEqual([[], []]);
});

it('shows one API server that bears two names on both', async () => {
  await writeFile(join(folder, 'a.yaml'), kubeconfig('one', 1));
  const { row, cautions } = await start(`
clusters:
  - { name: eu, kubeconfig: ./a.yaml }
  - { name: europe, kubeconfig: ./a.yaml }
`);
  await row('eu', 'unreachable');
  await row('europe', 'unreachable');
  const said = (name: string) => [
    `${name} is at the same API server: if it is one cluster, all of it is counted twice.`,
  ];
  expect([cautions('eu'), cautions('europe')]).toEqual([said('europe'), said('eu')]);
});

/** Gives a token that has ended at once, and the next one after two seconds: who waits for it ends late. */
function slowPlugin(): string {
  const status = { token: 't', expirationTimestamp: '2020-01-01T00:00:00Z' };
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  return `if [ -e ${first} ]; then touch ${second}; sleep 2; fi; touch ${first}; echo '${JSON.stringify(credential)}'`;
}

function slowKubeconfig(server: ScriptedServer): string {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', slowPlugin()] };
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { exec } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

it('reads a cluster once, by its newest kubeconfig, where one goes while another of its name changes', async () => {
  for (let n = 0; n < 3; n += 1) servers.push(await startScriptedServer(() => false));
  const [former, old, newest] = servers;
  if (former === undefined || old === undefined || newest === undefined) throw new Error('no servers');
  const directory = join(folder, 'kube');
  await mkdir(directory);
  await writeFile(join(directory, 'eu.yaml'), slowKubeconfig(former));
  await writeFile(join(directory, 'eu.yml'), slowKubeconfig(old));
  const { names } = await start(`
clusters: [{ directory: ./kube }]
security: { execPlugins: [{ path: /bin/sh, args: ['-c', ${JSON.stringify(slowPlugin())}] }] }
`);
  await until('the first to be read', () => former.asked.length > 4, 20_000);
  await until('it to wait for its token', () => existsSync(join(folder, 'second')), 20_000);
  await Promise.all([rm(join(directory, 'eu.yaml')), writeFile(join(directory, 'eu.yml'), slowKubeconfig(newest))]);
  await until('the newest to be read', () => newest.asked.length > 8, 20_000);
  expect([old.asked.length, former.connections()]).toEqual([0, 0]);
  await rm(join(directory, 'eu.yml'));
  await until('it to be read no longer', () => names().length === 0, 20_000);
  await until('all connections to be closed', () => servers.every((server) => server.connections() === 0), 20_000);
}, 60_000);
