import { neighbourKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { say } from '../objects/condition.ts';
import type { Said, StatusCondition } from '../objects/condition.ts';
import { setManagedFields } from '../objects/managed-fields.ts';
import { appliedObject, specDuration } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import type { SourceController } from './source-controller.ts';
import { createWorkQueue } from './work-queue.ts';

interface Terraform extends KubeObject {
  spec: object;
  status: {
    conditions: StatusCondition[];
    observedGeneration: number;
    lastAppliedRevision?: string;
    lastAttemptedRevision?: string;
    lastPlannedRevision?: string;
    lastPlanAt?: string;
    plan?: { lastApplied: string };
  };
}

/** Plan of a Terraform object. Interval in seconds, time in ms. */
export interface TerraformPlan {
  readonly name: string;
  readonly repository: string;
  readonly path: string;
  readonly interval: number;
  readonly createdAt: number;
}

/** Simulates tofu-controller on one cluster: no commit changes what it has made, and neither does anybody else. */
export interface TofuController extends Controller {
  /** Takes an object on that was applied at the revision its source offers, and has been looked after ever since. */
  add(plan: TerraformPlan): void;
}

interface Item {
  readonly plan: TerraformPlan;
  readonly object: Terraform;
}

/** Starts tofu-controller: two writes a pass, some seconds apart. */
export function startTofuController(plane: ControlPlane, sources: SourceController, random: Random): TofuController {
  const queue = createWorkQueue<Item>('tofu-controller', plane.scheduler, pass);

  function offered({ plan }: Item): string | undefined {
    return sources.find('GitRepository', 'flux-system', plan.repository)?.status.artifact?.revision;
  }

  function write({ object }: Item, at: number, ...all: readonly Said[]): void {
    say(object, at, ...all);
    setManagedFields(object, { controller: 'tofu-controller', statusAt: at });
    plane.store.put(object, neighbourKinds.terraform);
  }

  /** The end of a pass: a revision that is new is planned, one that was planned is compared with what is there. */
  function finish(item: Item, revision: string, at: number): void {
    const { status } = item.object;
    if (status.lastPlannedRevision === revision) {
      write(item, at, ['Ready', 'True', 'NoDrift', `No drift: ${revision}`]);
      return;
    }
    status.lastAttemptedRevision = status.lastPlannedRevision = revision;
    status.lastPlanAt = kubeTime(at);
    const reason = 'TerraformPlannedNoChanges';
    const ready: Said = ['Ready', 'True', reason, `Plan no changes: ${revision}`];
    write(item, at, ['Plan', 'False', reason, 'Plan no changes'], ready);
  }

  function pass(item: Item): void {
    const revision = offered(item);
    const again = (): void => queue.enqueue(item, item.plan.interval * 1000);
    if (revision === undefined) return again();
    write(item, plane.scheduler.now(), ['Ready', 'Unknown', 'Progressing', 'Initializing']);
    queue.step(item, random.between(4_000, 9_000), () => {
      finish(item, revision, plane.scheduler.now());
      again();
    });
  }

  return {
    ...queue,
    add(plan) {
      const item = { plan, object: createTerraform(plan, random) };
      const revision = offered(item);
      if (revision !== undefined) {
        const now = plane.scheduler.now();
        item.object.status.lastAppliedRevision = revision;
        finish(item, revision, now - plan.interval * 1000);
        finish(item, revision, now - random.between(1_000, plan.interval * 500));
      }
      queue.enqueue(item, random.between(1_000, plan.interval * 500));
      sources.onArtifact(({ metadata }) => {
        if (metadata.name === plan.repository) queue.enqueue(item, random.between(200, 1_500));
      });
    },
  };
}

function createTerraform({ name, repository, path, interval, createdAt }: TerraformPlan, random: Random): Terraform {
  const { terraform: kind } = neighbourKinds;
  return {
    ...appliedObject(kind, { name, namespace: 'flux-system' }, createdAt, random, 'finalizers.tf.contrib.fluxcd.io'),
    spec: {
      approvePlan: 'auto',
      interval: specDuration(interval),
      path: `./${path}`,
      sourceRef: { kind: 'GitRepository', name: repository },
    },
    status: { conditions: [], observedGeneration: 1, plan: { lastApplied: `plan-main-${random.hex(10)}` } },
  };
}
