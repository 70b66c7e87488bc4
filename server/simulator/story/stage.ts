import type { ServedKind } from '../api/kinds.ts';
import { commonKinds } from '../api/kinds.ts';
import type { KustomizationHandle } from '../controllers/kustomization-item.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import { podsOfDead } from '../fleet/controller-pods.ts';
import type { DemoCluster } from '../fleet/demo-cluster.ts';
import type { DemoFleet } from '../fleet/demo-fleet.ts';
import type { ClusterPlan } from '../fleet/plan.ts';
import { refOf } from '../fleet/cluster-parts.ts';
import type { Random } from '../random.ts';
import type { Commit, Draft } from '../repository/control-repository.ts';
import type { Statement, TrueCause, TrueSummary } from '../truth.ts';

/** Stage of the story's scenes: the fleet, and the means to change it and to say what is true then. Times in ms. */
export type Stage = ReturnType<typeof createStage>;

/** When a statement became true, how long it may take to be known, what is right as well, and whose fault it is. */
export interface Timing {
  readonly from?: number;
  readonly within?: number;
  readonly alsoRight?: readonly TrueSummary[];
  readonly meanwhile?: readonly TrueSummary[];
  /** The commit that made it so. */
  readonly culprit?: Commit;
  /** Absent where it fails by itself. */
  readonly cause?: TrueCause;
  readonly alsoBy?: TrueCause;
}

/** Time an observer may take to know of a change that a controller wrote, unless a scene says otherwise. */
const usually = 60_000;

/** Sets the stage on a fleet. */
export function createStage(fleet: DemoFleet, scheduler: Scheduler, random: Random) {
  const now = (): number => scheduler.now();

  function statement(
    verdict: TrueSummary,
    { alsoRight, meanwhile, from, within, culprit, cause, alsoBy }: Timing,
  ): Statement {
    const usual: readonly TrueSummary[] = verdict === 'converged' ? ['unconfirmed'] : [];
    return {
      verdict,
      alsoRight: alsoRight ?? usual,
      from: from ?? now(),
      within: within ?? usually,
      ...(meanwhile === undefined ? {} : { meanwhile }),
      ...(culprit === undefined ? {} : { culprit: culprit.sha }),
      ...(cause === undefined ? {} : { cause }),
      ...(alsoBy === undefined ? {} : { alsoBy }),
    };
  }

  function cluster(name: string): DemoCluster | null {
    return fleet.clusters.get(name) ?? null;
  }

  return {
    fleet,
    scheduler,
    random,
    now,
    cluster,
    clusters: (environment?: ClusterPlan['environment']): DemoCluster[] =>
      [...fleet.clusters.values()].filter((one) => environment === undefined || one.plan.environment === environment),
    kustomization: (name: string, kustomization: string): KustomizationHandle | null =>
      cluster(name)?.kustomizations.get(kustomization) ?? null,
    /** Commits, and lets every living source-controller learn of it within seconds, as by a webhook. */
    push(draft: Draft): Commit {
      const commit = fleet.repository.commit(draft);
      for (const one of fleet.clusters.values()) {
        scheduler.after(random.between(500, 6000), () => one.sources.get('control-repo')?.poll());
      }
      return commit;
    },
    /** States what is true of a Kustomization, and of what it delivers. */
    state(name: string, kustomization: string, verdict: TrueSummary, more: Timing = {}): void {
      fleet.ledger.state(
        refOf(name, commonKinds.kustomization, 'flux-system', kustomization),
        statement(verdict, more),
      );
      const beneath: TrueSummary = verdict === 'converged' || verdict === 'behind' ? 'converged' : 'unconfirmed';
      const usual: readonly TrueSummary[] = beneath === 'converged' ? ['unconfirmed'] : [];
      const { culprit: _culprit, meanwhile: _meanwhile, ...when } = more;
      const timing = { ...when, alsoRight: verdict === 'stale' ? (['stale'] as const) : usual };
      for (const ref of fleet.ledger.delivered(name, kustomization))
        fleet.ledger.state(ref, statement(beneath, timing));
    },
    /** States what is true of any object. */
    stateObject(
      name: string,
      kind: ServedKind,
      namespace: string,
      object: string,
      verdict: TrueSummary,
      more: Timing = {},
    ): void {
      fleet.ledger.state(refOf(name, kind, namespace, object), statement(verdict, more));
    },
    /** Kills or revives source- and kustomize-controller of a cluster. */
    setFluxAlive(name: string, alive: boolean): void {
      const one = cluster(name);
      if (!one) return;
      for (const controller of [one.controllers.source, one.controllers.kustomize]) {
        if (alive) controller.revive();
        else controller.kill();
        one.pods.set(controller.name, alive ? 'available' : podsOfDead(controller.name));
      }
    },
  };
}
