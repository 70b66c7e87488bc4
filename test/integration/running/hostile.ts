// One fault after the other against a fleet that is being read, with the script's own truth beside the screen all the time.
import { expect } from 'vitest';
import type { Transition } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { DemoCluster } from '#server/simulator/fleet/demo-cluster.ts';
import type { Simulator } from '#server/simulator/main.ts';
import type { TrueSummary } from '#server/simulator/truth.ts';
import { complaints, type Complaints } from './complaints.ts';
import { fastClock } from './fast-clock.ts';
import { changesOf, kustomizationRef, notAsTrue, verdictsOf, wronglyGreen } from './oracle.ts';
import { relistsSince } from './requests.ts';
import {
  configOf,
  startCollector,
  startQuietSimulator,
  startScreen,
  workDirectory,
  type RunningCollector,
  type Screen,
} from './running-fleet.ts';

/** Times of a hostile fleet are on its fast clock, in ms. */
export interface HostileFleet {
  readonly clock: Clock;
  readonly simulator: Simulator;
  readonly collector: RunningCollector;
  readonly screen: Screen;
  readonly log: Complaints;
  demo(cluster: string): DemoCluster;
  /** Waits until `reached`, looking at every object at every look: none may be wrongly green. Deadline in ms of the fast clock. */
  watchUntil(what: string, reached: () => boolean, deadline?: number): Promise<void>;
  stop(): Promise<void>;
}

const factor = 8;
const lookEvery = 20;

/** Starts simulator, collector and screen, and waits until all is well on screen. */
export async function startHostileFleet(clusters: number): Promise<HostileFleet> {
  const clock = fastClock(factor);
  const log = complaints();
  const directory = workDirectory();
  const simulator = await startQuietSimulator({ clock, log, directory: directory.path, clusters });
  const collector = await startCollector({ clock, log, directory: directory.path, config: await configOf(simulator) });
  const screen = startScreen(collector.path, clock, log);

  function demo(name: string): DemoCluster {
    const found = simulator.demo?.clusters.get(name);
    if (!found) throw new Error(`no cluster ${name}`);
    return found;
  }

  async function watchUntil(what: string, reached: () => boolean, deadline = 60_000): Promise<void> {
    const end = clock.now() + deadline;
    for (;;) {
      expect(wronglyGreen(screen, simulator.truth(clock.now())), `wrongly green while waiting for: ${what}`).toEqual(
        [],
      );
      if (reached()) return;
      if (clock.now() > end) {
        expect(notAsTrue(screen, simulator.truth(clock.now())), `waited in vain: ${what}`).toEqual([]);
        throw new Error(`waited in vain: ${what}`);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, lookEvery);
      });
    }
  }

  await until(
    'the first picture',
    () => screen.objects().length > 0 && notAsTrue(screen, simulator.truth(clock.now())).length === 0,
    20_000,
  );
  return {
    ...{ clock, simulator, collector, screen, log, demo, watchUntil },
    async stop() {
      await inTime('the screen', screen.stop());
      await inTime('the fleet', collector.fleet.stop());
      await inTime('the recorder', collector.recorder.stop());
      await inTime('the simulator', simulator.stop());
      directory.remove();
    },
  };
}

/** Whatever was done to it, each part ends within the 5 s that a process has. */
async function inTime(what: string, ending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} does not end`)), 5_000);
  });
  await Promise.race([ending, late]).finally(() => timer && clearTimeout(timer));
}

/** The Kustomization that breaks behind the back of whoever cannot see; nothing depends on it. */
const victim = 'catalogue';

/** Verdicts that may be recorded of an object while something that it stands on is not seen. Anything else would accuse it. */
const blindness: ReadonlySet<Verdict> = new Set(['unobserved', 'unconfirmed', 'converged']);

/**
 * A cluster was lost: what lives by a Deployment alone is unconfirmed until kube-controller-manager has been seen working for a
 * while. Flux's objects live by leases that move at once.
 */
function awaitsItsDeployment({ ref, from, to }: Transition): boolean {
  const isAwaited = to === 'unconfirmed' || (from === 'unconfirmed' && to === 'converged');
  return isAwaited && !ref.group.endsWith('.fluxcd.io');
}

/** One fault and what is owed under it. */
export interface Ordeal {
  readonly cluster: string;
  strike(): void | Promise<void>;
  /** Takes the fault away where it does not end by itself. */
  heal?(): void | Promise<void>;
  /** Time until what is not seen any more, or has broken meanwhile, is no longer shown as converged. */
  readonly within: number;
  /** Who cannot be seen while it lasts: nobody, some kinds, or the cluster. */
  readonly blinds?: 'cluster' | readonly string[];
  /** For how long it lasts at least. */
  readonly lasts?: number;
  /** Called at each look while it lasts. */
  meanwhile?(): void;
  /** It is over so soon that nothing else may be said of any other object, not even that it is not seen. */
  readonly unnoticed?: boolean;
  /** Set where the kinds must be listed anew (their place in the history is lost); never else. */
  readonly relist?: 'owed';
}

function shown(fleet: HostileFleet, ref: ObjectRef): Verdict | null {
  return fleet.screen.object(ref)?.verdict ?? null;
}

/** Says what is true of all objects of some kinds from now on; what they deliver is then unconfirmed at best. */
function sayOfKinds(fleet: HostileFleet, ordeal: Ordeal, kinds: readonly string[], verdict: TrueSummary): void {
  const ledger = fleet.simulator.demo?.ledger;
  const from = fleet.clock.now();
  const alsoRight: readonly TrueSummary[] = verdict === 'converged' ? ['unconfirmed'] : [];
  for (const ref of ledger?.refs() ?? []) {
    if (ref.cluster === ordeal.cluster && kinds.includes(ref.kind))
      ledger?.state(ref, { verdict, alsoRight, from, within: ordeal.within });
  }
}

/**
 * Lets the fleet live through a fault. While it lasts a Kustomization breaks, and is mended after it. At every look no object
 * may be wrongly green; at the end all is as before, nothing was listed that was not owed, and the record holds no change
 * of anything but what has changed.
 */
export async function expectEndured(fleet: HostileFleet, ordeal: Ordeal): Promise<void> {
  const { clock, simulator, screen, demo, watchUntil } = fleet;
  const { cluster, within } = ordeal;
  const ledger = simulator.demo?.ledger;
  const handle = demo(cluster).kustomizations.get(victim);
  if (!ledger || !handle) throw new Error(`no ${victim}`);
  const ref = kustomizationRef(cluster, victim);
  const before = verdictsOf(screen);
  const struckAt = clock.now();

  await ordeal.strike();
  if (ordeal.blinds === 'cluster') ledger.lose(cluster, clock.now(), within);
  else if (ordeal.blinds) sayOfKinds(fleet, ordeal, ordeal.blinds, 'unobserved');
  const unseen = ordeal.blinds !== undefined && ordeal.blinds !== 'cluster' && ordeal.blinds.includes(ref.kind);
  handle.outcome = { is: 'build-failed', message: 'kustomize build failed: no such file' };
  handle.reconcile();
  if (!unseen) ledger.state(ref, { verdict: 'diverged', alsoRight: [], from: clock.now(), within });
  await watchUntil(
    'the fault to be seen',
    () => {
      ordeal.meanwhile?.();
      const truth = simulator.truth(clock.now());
      const told =
        ordeal.blinds === undefined
          ? shown(fleet, ref) === 'diverged'
          : notAsTrue(screen, truth).length === 0 && shown(fleet, ref) === 'unobserved';
      return told && clock.now() >= struckAt + (ordeal.lasts ?? 0);
    },
    within + (ordeal.lasts ?? 0) + 30_000,
  );

  if (ordeal.blinds === 'cluster') ledger.regain(cluster, clock.now(), 60_000);
  else if (ordeal.blinds) sayOfKinds(fleet, { ...ordeal, within: 60_000 }, ordeal.blinds, 'converged');
  ledger.state(ref, { verdict: 'diverged', alsoRight: [], from: clock.now(), within: 0 });
  await ordeal.heal?.();
  const broken = new Map([
    ...before,
    [`${cluster}/${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`, 'diverged' as const],
  ]);
  await watchUntil('everything to be seen again', () => changesOf(broken, verdictsOf(screen)).length === 0, 120_000);
  handle.outcome = { is: 'ok' };
  handle.reconcile();
  ledger.state(ref, {
    verdict: 'converged',
    alsoRight: ['unconfirmed', 'diverged'],
    from: clock.now(),
    within: 30_000,
  });
  await watchUntil('everything to be as before', () => changesOf(before, verdictsOf(screen)).length === 0, 60_000);

  if (ordeal.relist === 'owed')
    expect(relistsSince(simulator.requests, cluster, struckAt)).toContain('kustomizations.kustomize.toolkit.fluxcd.io');
  else expect(relistsSince(simulator.requests, cluster, struckAt), 'lists that were not owed').toEqual([]);
  const recorded = (await screen.follower.reader()?.recent({ from: struckAt, to: clock.now() + 1, limit: 500 })) ?? [];
  const strangers = recorded.filter(
    (one) =>
      (one.ref.cluster !== cluster || one.ref.name !== victim || one.ref.kind !== 'Kustomization') &&
      !(ordeal.blinds === 'cluster' && awaitsItsDeployment(one)) &&
      (ordeal.unnoticed || one.to === null || !blindness.has(one.to)),
  );
  expect(
    strangers.map(
      (one) => `${one.ref.cluster} ${one.ref.kind} ${one.ref.name}: ${one.from} -> ${one.to} ${one.reason}`,
    ),
    'changes that never were',
  ).toEqual([]);
  expect(fleet.log.said).toEqual([]);
}
