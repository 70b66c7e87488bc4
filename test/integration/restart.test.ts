// A collector that ends, in peace or outright, and another that goes on where it stood.
import { afterEach, expect, it } from 'vitest';
import type { CurrentController, Transition } from '#lib/domain/record/current.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { silentLog } from '#server/runtime/log.ts';
import { fastClock } from './running/fast-clock.ts';
import { changesOf, kustomizationRef, notAsTrue, verdictsOf, wronglyGreen } from './running/oracle.ts';
import { startFastCollectorProcess, type CollectorProcess } from './running/processes.ts';
import { relistsSince } from './running/requests.ts';
import { startQuietSimulator, startScreen, workDirectory } from './running/running-fleet.ts';

const cluster = 'eu-west-3';
const factor = 8;
/** leaseDurationSeconds 35 and 15 s of slack. */
const term = 50_000;
const endings: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

function named(transition: Transition): string {
  return `${refKey(transition.ref)} ${transition.at} ${transition.from} -> ${transition.to}`;
}

it.each<[string, (collector: CollectorProcess) => Promise<unknown>]>([
  ['asked to end', (collector) => collector.end()],
  ['killed outright', (collector) => collector.kill()],
])(
  '%s: nothing acknowledged is lost, nothing is listed anew, nothing is recorded that never was',
  async (_name, end) => {
    const startedAt = Date.now();
    const clock = fastClock(factor, startedAt);
    const directory = workDirectory();
    endings.push(directory.remove);
    const simulator = await startQuietSimulator({ clock, log: silentLog, directory: directory.path });
    endings.push(simulator.stop);
    const start = async (): Promise<CollectorProcess> => {
      const collector = await startFastCollectorProcess(simulator.configPath, directory.path, factor, startedAt);
      endings.push(collector.kill);
      return collector;
    };
    const first = await start();
    const screen = startScreen(`${directory.path}/plumbline.db`, clock, silentLog);
    endings.push(screen.stop);
    const demo = simulator.demo?.clusters.get(cluster);
    const ledger = simulator.demo?.ledger;
    const handle = demo?.kustomizations.get('catalogue');
    if (!demo || !ledger || !handle) throw new Error('no catalogue');
    const ref = kustomizationRef(cluster, 'catalogue');
    const controllers = (): readonly CurrentController[] => screen.cluster(cluster)?.controllers ?? [];
    const controller = (name: string): string | undefined => controllers().find((one) => one.name === name)?.state;
    const asTrue = (): boolean =>
      screen.objects().length > 0 && notAsTrue(screen, simulator.truth(clock.now())).length === 0;
    const recent = async (from: number): Promise<readonly Transition[]> =>
      (await screen.follower.reader()?.recent({ from, to: clock.now() + 1, limit: 5_000 })) ?? [];

    await until('the first picture', () => asTrue() && controller('helm-controller') === 'alive', 30_000);
    handle.outcome = { is: 'build-failed', message: 'kustomize build failed: no such file' };
    handle.reconcile();
    ledger.state(ref, { verdict: 'diverged', alsoRight: [], from: clock.now(), within: 10_000 });
    await until('the failure', () => screen.object(ref)?.verdict === 'diverged');
    const broken = screen.fleetCache.object(ref);
    const acknowledged = (await recent(0)).map(named);
    const before = verdictsOf(screen);
    expect(acknowledged.length).toBeGreaterThan(50);

    await end(first);
    const endedAt = clock.now();
    demo.controllers.helm.kill();
    const releases = ledger.refs().filter((one) => one.kind === 'HelmRelease');
    for (const release of releases)
      ledger.state(release, {
        verdict: 'stale',
        alsoRight: ['unconfirmed', 'unobserved'],
        from: endedAt,
        within: 2 * term,
      });
    const second = await start();
    const seen = new Set<string>();
    let reopenedAt: number | null = null;
    await until(
      'the picture again',
      () => {
        expect(wronglyGreen(screen, simulator.truth(clock.now()))).toEqual([]);
        const record = screen.cluster(cluster);
        // What the first one wrote last still says live for a while.
        if (record?.state === 'live' && (record.lastWordAt ?? 0) > endedAt + 1_000) {
          reopenedAt ??= clock.now();
          seen.add(`helm ${controller('helm-controller')}`).add(`kustomize ${controller('kustomize-controller')}`);
          return changesOf(before, verdictsOf(screen)).every((change) => change.includes('/HelmRelease/'));
        }
        return false;
      },
      30_000,
    );
    const stale = (): number => releases.filter((release) => screen.object(release)?.verdict === 'stale').length;
    expect(stale(), 'stale at once').toBe(0);
    await until(
      'the dead controller to be known',
      () => {
        seen.add(`helm ${controller('helm-controller')}`).add(`kustomize ${controller('kustomize-controller')}`);
        return stale() === releases.length;
      },
      20_000,
    );
    expect([...seen].toSorted()).toEqual(['helm dead', 'helm unknown', 'kustomize alive']);
    expect(clock.now() - (reopenedAt ?? 0)).toBeGreaterThan(term / 2);

    const after = await recent(0);
    expect(after.map(named)).toEqual(expect.arrayContaining(acknowledged));
    const strangers = after.filter((one) => one.noticedAt > endedAt && one.ref.kind !== 'HelmRelease');
    expect(strangers.map(named), 'changes that never were').toEqual([]);
    expect(relistsSince(simulator.requests, cluster, endedAt)).toEqual([]);
    expect(screen.fleetCache.object(ref)).toMatchObject({
      verdict: 'diverged',
      onset: broken?.onset,
      awaySince: broken?.awaySince,
    });
    expect(simulator.requests.writes()).toEqual([]);
    expect([first.complaints(), second.complaints()]).toEqual([[], []]);
  },
);
