import { conditionStatus, dropConditions } from '../objects/condition.ts';
import { recordHistory } from '../objects/kustomization.ts';
import { goDuration } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { ControlPlane } from './control-plane.ts';
import type { KustomizationItem, KustomizationWriter, Outcome } from './kustomization-item.ts';
import { soonAgain } from './work-queue.ts';
import type { WorkQueue } from './work-queue.ts';

type Failed = Extract<Outcome, { readonly message: string }>;

/** One pass over a Kustomization: the revision that it applies, and when it began (ms since the epoch). */
export interface Pass {
  readonly item: KustomizationItem;
  readonly revision: string;
  readonly started: number;
}

/** Parts that passes are made with. */
export interface PassDeps {
  readonly plane: ControlPlane;
  readonly queue: WorkQueue<KustomizationItem>;
  readonly writer: KustomizationWriter;
  readonly random: Random;
}

interface Ending {
  succeed(pass: Pass): void;
  fail(pass: Pass, outcome: Failed, during: string): void;
}

const reasons = {
  'build-failed': 'BuildFailed',
  'apply-failed': 'ReconciliationFailed',
  'health-failed': 'HealthCheckFailed',
} as const;

function timed({ item, revision }: Pass, text: string): string {
  return `${text} for revision ${revision} with a timeout of ${item.object.spec.timeout}`;
}

/** Makes what runs a pass from fetching to its end. */
export function createPasses(deps: PassDeps): (pass: Pass) => void {
  const { queue, writer, random } = deps;
  const ending = createEnding(deps);
  const check = createHealthChecks(deps, ending);

  function build(pass: Pass): void {
    const { item } = pass;
    const { outcome } = item;
    if (outcome.is === 'build-failed') {
      ending.fail(pass, outcome, 'Building manifests');
      return;
    }
    writer.progress(item, timed(pass, 'Detecting drift'));
    queue.step(item, random.between(20, 130), () => {
      if (outcome.is === 'apply-failed') {
        ending.fail(pass, outcome, 'Detecting drift');
        return;
      }
      announceChanges(pass, writer);
      if (item.object.spec.wait || outcome.is !== 'ok') check(pass);
      else ending.succeed(pass);
    });
  }

  return (pass) => {
    const { item, revision } = pass;
    writer.progress(item, timed(pass, 'Fetching manifests'));
    queue.step(item, random.between(12, 28), () => {
      item.object.status.lastAttemptedRevision = revision;
      writer.progress(item, timed(pass, 'Building manifests'));
      queue.step(item, random.between(10, 90), () => build(pass));
    });
  };
}

function announceChanges({ item, revision }: Pass, writer: KustomizationWriter): void {
  const { object, drifted, traits } = item;
  const changed = object.status.history?.[0]?.digest !== traits.digestOf(revision);
  object.status.inventory ??= { entries: traits.inventory.map((id) => ({ id, v: 'v1' })) };
  const { entries } = object.status.inventory;
  const lines = [...drifted.splice(0), ...(traits.fights ?? [])].map((resource) => `${resource} configured`);
  if (changed && entries.length > 0) lines.push(`${describe(entries[0]?.id ?? '')} configured`);
  if (lines.length > 0) writer.emit(item, 'Normal', 'Progressing', lines.join('\n'), revision);
}

/** An inventory id as events name it: Deployment/apps/checkout. */
function describe(id: string): string {
  const parts = id.split('_');
  return `${parts.at(-1)}/${parts[0]}/${parts[1]}`;
}

function createHealthChecks({ plane, queue, writer }: PassDeps, ending: Ending): (pass: Pass) => void {
  function wait(pass: Pass): void {
    const { item, started } = pass;
    const { outcome } = item;
    const elapsed = plane.scheduler.now() - started;
    if (outcome.is === 'ok') {
      queue.step(item, 15, () => ending.succeed(pass));
    } else if (outcome.is === 'health-failed' && elapsed >= Math.min(item.traits.timeout, 8000)) {
      ending.fail(pass, outcome, 'Running health checks');
    } else {
      queue.step(item, 1000, () => wait(pass));
    }
  }

  return (pass) => {
    const message = timed(pass, 'Running health checks');
    writer.say(pass.item, ['Healthy', 'Unknown', 'Progressing', message]);
    writer.progress(pass.item, message);
    wait(pass);
  };
}

function createEnding({ plane, queue, writer, random }: PassDeps): Ending {
  const { say, save, emit } = writer;
  const digestOf = ({ item, revision }: Pass): string => item.traits.digestOf(revision);

  function finish(pass: Pass): void {
    const { item, revision, started } = pass;
    const at = plane.scheduler.now();
    const took = at - started;
    item.object.status.lastAppliedRevision = revision;
    const status = 'ReconciliationSucceeded';
    recordHistory(item.object, { digest: digestOf(pass), status, revision, took, at });
    save(item);
    const message = `Reconciliation finished in ${goDuration(took)}, next run in ${item.object.spec.interval}`;
    emit(item, 'Normal', 'ReconciliationSucceeded', message, revision, true);
    queue.enqueue(item, soonAgain(item.traits.interval, random));
  }

  return {
    succeed(pass) {
      const { item, revision } = pass;
      const { object } = item;
      dropConditions(object, 'Reconciling');
      say(item, ['Ready', 'True', 'ReconciliationSucceeded', `Applied revision: ${revision}`]);
      if (object.spec.wait) {
        const message = `Health check passed in ${goDuration(random.between(4_000, 40_000) / 1000)}`;
        if (conditionStatus(object, 'Healthy') !== 'True') say(item, ['Healthy', 'True', 'Succeeded', message]);
      }
      object.status.observedGeneration = object.metadata.generation ?? 1;
      save(item);
      queue.step(item, random.between(5, 10), () => finish(pass));
    },
    fail(pass, outcome, during) {
      const { item, revision, started } = pass;
      const reason = reasons[outcome.is];
      const at = plane.scheduler.now();
      const took = at - started;
      const health = outcome.is === 'health-failed';
      const message = health ? `health check failed after ${goDuration(took)}: ${outcome.message}` : outcome.message;
      say(item, ['Reconciling', 'True', 'ProgressingWithRetry', timed(pass, during)]);
      say(item, ['Ready', 'False', reason, message]);
      if (health) say(item, ['Healthy', 'False', reason, outcome.message]);
      save(item);
      emit(item, 'Warning', reason, message, revision);
      queue.enqueue(item, item.traits.retryInterval);
      if (outcome.is === 'build-failed') return;
      queue.step(item, 3, () => {
        recordHistory(item.object, { digest: digestOf(pass), status: reason, revision, took, at });
        save(item);
      });
    },
  };
}
