// One hostile API server after the other beside twenty healthy clusters, in a collector with a heap of 1 GB.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#server/collector/clusters/testing/until.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startSimulator, type Simulator } from '#server/simulator/main.ts';
import { type BenchChild, startChild, stopAllChildren } from '#test/bench/child.ts';
import { placeProbe, type Probe } from '#test/hostile/servers/probe.ts';
import { startScreen, type Screen, workDirectory } from './running/running-fleet.ts';

/** A healthy cluster may be late by so much (ms). */
const late = 5_000;
const healthy = 20;
/** So long they are watched after the sick one has said why (ms): it is tried again meanwhile. */
const watchedOn = 3_000;
/** All that these say is judged at once, and recorded, only some time after their cluster is known. */
const judgedLate: ReadonlySet<string> = new Set([
  'an inventory of other kinds each time',
  'package revisions of other images each time',
  'package revisions without number',
  'as many errors as resources',
  'dependencies on others each time',
  'failures that join one by one',
]);
const untilJudged = 22_000;

const work = workDirectory();
const watched = join(work.path, 'hostile');
let simulator: Simulator;
let collector: BenchChild;
let screen: Screen;
let probes: readonly Probe[];

beforeAll(async () => {
  mkdirSync(watched);
  simulator = await startSimulator({
    ...{ clock: systemClock, log: silentLog, directory: work.path, clusters: healthy, freezable: false },
    ...{ kindsPerCluster: 6, objectsPerCluster: 60 },
  });
  probes = [...simulator.fleet.values()].map((cluster) => placeProbe(cluster, Date.now()));
  const configPath = join(work.path, 'beside.yaml');
  const clusters = simulator.kubeconfigs.map(({ name, path }) => ({ name, kubeconfig: path, context: name }));
  writeFileSync(configPath, stringify({ clusters: [...clusters, { directory: './hostile' }] }));
  const data = join(work.path, 'data');
  collector = startChild({
    program: 'server/collector/main.ts',
    environment: { PLUMBLINE_CONFIG: configPath, PLUMBLINE_DATA: data },
    nodeArgs: ['--max-old-space-size=1024'],
    directory: work.path,
  });
  await collector.receive('ready', 30_000);
  screen = startScreen(join(data, 'plumbline.db'), systemClock, silentLog);
  await until('the healthy clusters', () => probes.every(isTrue), 30_000);
});

afterAll(async () => {
  await screen.stop();
  await stopAllChildren();
  await simulator.stop();
  work.remove();
});

/** The screen shows a probe as it is. */
function isTrue({ ref, isBroken }: Probe): boolean {
  return screen.object(ref)?.verdict === (isBroken ? 'diverged' : 'converged');
}

/** Turns the probes of all clusters at once, again and again until `isOver`; gives by how much the latest of them was late (ms). */
async function watchHealthy(isOver: () => boolean): Promise<number> {
  let latest = 0;
  const turn = async (probe: Probe): Promise<void> => {
    const from = Date.now();
    probe.turn(from);
    await until(`${probe.ref.cluster} to show its change`, () => isTrue(probe), 30_000);
    latest = Math.max(latest, Date.now() - from);
  };
  for (let round = 0; !isOver() || round < 3; round += 1) {
    await Promise.all(probes.map(turn));
    await pause(20);
  }
  return latest;
}

/** Everything that the screen says of why a cluster, or a kind of it, cannot be read, and how many conflicts it has. */
function reasonsOf(cluster: string): string {
  const record = screen.cluster(cluster);
  const conflicts = `${record?.conflictsTotal ?? 0} conflicts`;
  return [record?.reason, ...(record?.feeds ?? []).map(({ reason }) => reason), conflicts].filter(Boolean).join('\n');
}

async function strike(sickness: string, cluster: string): Promise<BenchChild> {
  const program = 'test/hostile/servers/hostile-server.ts';
  const server = startChild({ program, args: [sickness], directory: work.path });
  const { url, ca } = await server.receive('ready', 10_000);
  const kubeconfig = {
    clusters: [
      { name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(String(ca)).toString('base64') } },
    ],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  const written = join(work.path, `${cluster}.part`);
  writeFileSync(written, stringify(kubeconfig), { mode: 0o600 });
  renameSync(written, join(watched, `${cluster}.yaml`));
  return server;
}

/** The words on each; null where no budget is broken, and nobody is to be harmed all the same. */
it.each<readonly [sickness: string, why: RegExp | null]>([
  ['pages of new objects without end', /more than the 50,000 objects/],
  ['empty pages without end', /more than 1,000 pages/],
  ['a continue token that no URL holds', /a continue token that cannot be handed back/],
  ['names of kinds that no path holds', null],
  ['a small gzip of 60 MB of {}', /larger than 8\.0 MB/],
  ['a small gzip of 7 MB of {}', /JSON of more than 1,000,000 values/],
  ['a first list that streams without end', /more than the 50,000 objects/],
  ['objects that say too much', /more than the 120 MB that are kept/],
  ['a line without an end', /a watch event is longer than 8\.0 MB/],
  ['nested lists in every answer', /JSON nested more than 100 deep/],
  ['a line of nested lists', /JSON nested more than 100 deep/],
  ['waits that no timer holds', /later/],
  ['too many kinds', /it serves 20,001 kinds/],
  ['a discovery document without bounds', /the discovery document is too large/],
  ['controllers without number', /it lists 100,000 objects; at most 2,000/],
  ['everybody holds everything', /[1-9]\d{3} conflicts/],
  ['an inventory of sixty thousand', /one Kustomization lists 60,000 objects; at most 20,000/],
  ['an inventory that changes without a pause', null],
  ['leases without number', /list \d+,000 Leases together; at most 2,000/],
  ['a circle of a thousand', null],
  ['twenty thousand that depend on one', null],
  ['changes without a pause', null],
  ['lines of nested lists without a pause', null],
  ['bookmarks that go back without a pause', null],
  ['a hundred thousand conditions', null],
  ['keys and numbers that mean something else', null],
  ['a rule file of a hundred thousand rules', null],
  ['an expression of nothing but mistakes', null],
  ['an expression as dear as it may be', null],
  ['managers without number', null],
  ['watches that end at once', null],
  ['watches that are gone at once', null],
  ['connections that go away with each answer', null],
  ['a clock of the year 9,900', null],
  ['other kinds in each answer', null],
  ['an inventory of other kinds each time', null],
  ['package revisions of other images each time', null],
  ['package revisions without number', null],
  ['as many errors as resources', null],
  ['dependencies on others each time', null],
  ['failures that join one by one', null],
])('%s', async (sickness, why) => {
  const cluster = sickness.replaceAll(/\W+/g, '-');
  const server = await strike(sickness, cluster);
  const told = { at: 0 };
  const end = Date.now() + 40_000;
  const latest = await watchHealthy(() => {
    const isTold = why === null ? screen.cluster(cluster) !== null : why.test(reasonsOf(cluster));
    if (isTold && told.at === 0) told.at = Date.now();
    return (
      Date.now() > end ||
      (told.at > 0 && Date.now() > told.at + watchedOn + (judgedLate.has(sickness) ? untilJudged : 0))
    );
  });
  rmSync(join(watched, `${cluster}.yaml`));
  await server.stop();
  expect(told.at, `nobody says why; but: ${reasonsOf(cluster)}`).toBeGreaterThan(0);
  expect(latest, 'a healthy cluster is late').toBeLessThan(late);
});
