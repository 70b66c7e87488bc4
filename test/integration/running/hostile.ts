// One fault after the other against a fleet that is being read, with the script's own truth beside the screen all the time.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Transition } from '#lib/domain/record/current.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import type { DemoCluster } from '#server/simulator/fleet/demo-cluster.ts';
import type { TrueSummary } from '#server/simulator/truth.ts';
import { complaints } from './complaints.ts';
import { fastClock } from './fast-clock.ts';
import { changesOf, kustomizationRef, notAsTrue, verdictsOf, wronglyGreen } from './oracle.ts';
import { relistsSince } from './requests.ts';
import { configOf, startCollector, startQuietSimulator, startScreen, workDirectory } from './running-fleet.ts';

/** A fleet that is read; its times are on its fast clock, in ms. */
export type HostileFleet = Awaited<ReturnType<typeof startHostileFleet>>;

const factor = 8;
const checkEvery = 20;

/** Starts simulator, collector and screen, and waits until all is well on screen. */
export async function startHostileFleet(clusters: number) {
  const clock = fastClock(factor);
  const log = complaints();
  const directory = workDirectory();
  const simulator = await startQuietSimulator({ clock, log, directory: directory.path, clusters });
  const collector = await startCollector({ clock, log, directory: directory.path, config: await configOf(simulator) });
  const screen = startScreen(collector.path, clock, log);
  const untrue = (): readonly string[] => notAsTrue(screen, simulator.truth(clock.now()));
  await until('the first picture', () => screen.objects().length > 0 && untrue().length === 0, 20_000);
  return {
    clock,
    simulator,
    screen,
    log,
    demo(name: string): DemoCluster {
      const found = simulator.demo?.clusters.get(name);
      if (!found) throw new Error(`no cluster ${name}`);
      return found;
    },
    /** Waits until `reached`, looking at every object at every look: none may be wrongly green. Deadline in ms of the fast clock. */
    async watchUntil(what: string, reached: () => boolean, deadline = 60_000): Promise<void> {
      const end = clock.now() + deadline;
      for (;;) {
        const lies = wronglyGreen(screen, simulator.truth(clock.now()));
        expect(lies, `wrongly green while waiting for: ${what}`).toEqual([]);
        if (reached()) return;
        if (clock.now() > end) throw new Error(`waited in vain: ${what}\n${untrue().join('\n')}`);
        await pause(checkEvery);
      }
    },
    async stop(): Promise<void> {
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
  const late = pause(5_000, undefined, { ref: false }).then(() => {
    throw new Error(`${what} does not end`);
  });
  await Promise.race([ending, late]);
}

/** The Kustomization that breaks behind the back of whoever cannot see; nothing depends on it. */
const victim = 'catalogue';

/** Verdicts that may be recorded of an object while something that it depends on is not seen. Anything else would accuse it. */
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

/** Writes what is true into the script, from now on; what is wrong is known `within` so many ms. */
function createTelling({ simulator, clock }: HostileFleet) {
  const ledger = simulator.demo?.ledger;
  if (!ledger) throw new Error('no demo');
  const state = (ref: ObjectRef, verdict: TrueSummary, within: number, alsoRight: readonly TrueSummary[] = []): void =>
    ledger.state(ref, { verdict, alsoRight, from: clock.now(), within });

  /** All objects of some kinds; what they deliver is then unconfirmed at best. */
  function stateKinds({ cluster, blinds }: Ordeal, verdict: TrueSummary, within: number): void {
    const alsoRight: readonly TrueSummary[] = verdict === 'converged' ? ['unconfirmed'] : [];
    for (const ref of ledger?.refs() ?? [])
      if (ref.cluster === cluster && blinds?.includes(ref.kind)) state(ref, verdict, within, alsoRight);
  }

  return {
    state,
    /** The fault blinds who it blinds. */
    begins(ordeal: Ordeal): void {
      if (ordeal.blinds === 'cluster') ledger.lose(ordeal.cluster, clock.now(), ordeal.within);
      else stateKinds(ordeal, 'unobserved', ordeal.within);
    },
    /** Everything can be seen again. */
    ends(ordeal: Ordeal): void {
      if (ordeal.blinds === 'cluster') ledger.regain(ordeal.cluster, clock.now(), 60_000);
      else stateKinds(ordeal, 'converged', 60_000);
    },
  };
}

/**
 * Lets the fleet live through a fault. While it lasts a Kustomization breaks, and is mended after it. At every look no object
 * may be wrongly green; at the end all is as before, nothing was listed that was not owed, and the record holds no change
 * of anything but what has changed.
 */
export async function expectEndured(fleet: HostileFleet, ordeal: Ordeal): Promise<void> {
  const { clock, simulator, screen, watchUntil } = fleet;
  const { cluster, within, blinds, lasts = 0 } = ordeal;
  const telling = createTelling(fleet);
  const handle = fleet.demo(cluster).kustomizations.get(victim);
  if (!handle) throw new Error(`no ${victim}`);
  const ref = kustomizationRef(cluster, victim);
  const shown = (): Verdict | undefined => screen.object(ref)?.verdict;
  const before = verdictsOf(screen);
  const struckAt = clock.now();

  await ordeal.strike();
  telling.begins(ordeal);
  handle.outcome = { is: 'build-failed', message: 'kustomize build failed: no such file' };
  handle.reconcile();
  if (blinds === undefined || blinds === 'cluster' || !blinds.includes(ref.kind))
    telling.state(ref, 'diverged', within);
  const isSeen = (): boolean => {
    ordeal.meanwhile?.();
    if (clock.now() < struckAt + lasts) return false;
    if (blinds === undefined) return shown() === 'diverged';
    return shown() === 'unobserved' && notAsTrue(screen, simulator.truth(clock.now())).length === 0;
  };
  await watchUntil('the fault to be seen', isSeen, within + lasts + 30_000);

  telling.ends(ordeal);
  telling.state(ref, 'diverged', 0);
  await ordeal.heal?.();
  const broken = new Map([...before, [refKey(ref), 'diverged' as const]]);
  await watchUntil('everything to be seen again', () => changesOf(broken, verdictsOf(screen)).length === 0, 120_000);
  handle.outcome = { is: 'ok' };
  handle.reconcile();
  telling.state(ref, 'converged', 30_000, ['unconfirmed', 'diverged']);
  await watchUntil('everything to be as before', () => changesOf(before, verdictsOf(screen)).length === 0);

  const relists = relistsSince(simulator.requests, cluster, struckAt);
  if (ordeal.relist === 'owed') expect(relists).toContain('kustomizations.kustomize.toolkit.fluxcd.io');
  else expect(relists, 'lists that were not owed').toEqual([]);
  expect(await strangersSince(fleet, ordeal, struckAt), 'changes that never were').toEqual([]);
  expect(fleet.log.said).toEqual([]);
}

/** Changes recorded since `from` (ms) of anything but the victim, and what was not seen: nothing else has changed. */
async function strangersSince(
  { screen, clock }: HostileFleet,
  ordeal: Ordeal,
  from: number,
): Promise<readonly string[]> {
  const recorded = (await screen.follower.reader()?.recent({ from, to: clock.now() + 1, limit: 500 })) ?? [];
  const owed = refKey(kustomizationRef(ordeal.cluster, victim));
  return recorded
    .filter((one) => refKey(one.ref) !== owed && !(ordeal.blinds === 'cluster' && awaitsItsDeployment(one)))
    .filter(({ to }) => ordeal.unnoticed || to === null || !blindness.has(to))
    .map((one) => `${refKey(one.ref)}: ${one.from} -> ${one.to} ${one.reason}`);
}
