import { commonKinds } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { conditionStatus, dropCondition, setCondition } from '../objects/condition.ts';
import type { Said } from '../objects/condition.ts';
import { recordHistory, stampKustomization } from '../objects/kustomization.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import { goDuration } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import { createWorkQueue } from './work-queue.ts';

/** What applying one revision comes to. `checking`: health checks run and do not end until the outcome changes. */
export type Outcome =
  | { readonly is: 'ok' }
  | { readonly is: 'build-failed' | 'apply-failed' | 'health-failed'; readonly message: string }
  | { readonly is: 'checking' };

type Failed = Extract<Outcome, { readonly message: string }>;

/** What Kustomizations are applied from. */
export interface Artifacts {
  find(
    kind: string,
    namespace: string,
    name: string,
  ):
    | (KubeObject & {
        readonly status: { readonly artifact?: { readonly revision: string } };
      })
    | null;
  /** Tells of every new artifact. */
  onArtifact(listener: (source: KubeObject) => void): void;
}

/** One Kustomization as kustomize-controller keeps it. */
export interface KustomizationHandle {
  readonly object: Kustomization;
  /** What applying a revision comes to. */
  outcomeOf: (revision: string) => Outcome;
  /** Starts a pass at once. */
  reconcile(): void;
  /** Someone changes spec.suspend with the named field manager, now or (for a past that is made up) at `at`, ms. */
  setSuspended(suspended: boolean, manager: string, at?: number): void;
  /** Someone changes an applied object by hand; the next pass undoes it and says so in an event. */
  drift(resource: string): void;
  /** Writes the object as it is now, with a status that is as old as `statusAt` (ms): for a past that is made up. */
  write(statusAt: number): void;
}

/** What the controller has to know of one Kustomization beside the object. Durations in ms. */
export interface KustomizationTraits {
  readonly interval: number;
  readonly retryInterval: number;
  readonly timeout: number;
  /** What status.inventory holds once it was applied. */
  readonly inventory: readonly string[];
  /** The digest of what a revision builds to: equal where a commit did not touch the path. */
  digestOf(revision: string): string;
  /** What another applies, too, as events name it: found changed and undone on every pass. */
  readonly fights?: readonly string[];
}

/** Simulates kustomize-controller on one cluster. */
export interface KustomizeController extends Controller {
  add(
    object: Kustomization,
    traits: KustomizationTraits,
    outcomeOf: (revision: string) => Outcome,
  ): KustomizationHandle;
}

interface Item extends KustomizationHandle {
  readonly traits: KustomizationTraits;
  readonly drifted: string[];
  hand: { readonly manager: string; readonly at: number; readonly spec: object } | undefined;
  statusAt: number;
}

const requeueDependency = 10_000;
const revisionAnnotation = 'kustomize.toolkit.fluxcd.io/revision';
const reasons = {
  'build-failed': 'BuildFailed',
  'apply-failed': 'ReconciliationFailed',
  'health-failed': 'HealthCheckFailed',
} as const;

/** Starts kustomize-controller: five writes in a quiet pass, Unknown then False in a failing one. */
export function startKustomizeController(plane: ControlPlane, sources: Artifacts, random: Random): KustomizeController {
  const items = new Map<string, Item>();
  const queue = createWorkQueue<Item>('kustomize-controller', plane.scheduler, pass);

  function save(item: Item): void {
    item.statusAt = plane.scheduler.now();
    put(item);
  }

  function put(item: Item): void {
    stampKustomization(item.object, Date.parse(item.object.metadata.creationTimestamp), item.statusAt, item.hand);
    plane.store.put(item.object, commonKinds.kustomization);
  }

  function say(item: Item, said: Said): void {
    setCondition(item.object.status.conditions, said, item.object.metadata.generation ?? 1, plane.scheduler.now());
  }

  function emit(
    item: Item,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    revision: string | null,
    final = false,
  ): void {
    const about = item.object;
    const annotations: { [key: string]: string } = final
      ? { 'kustomize.toolkit.fluxcd.io/commit_status': 'update' }
      : {};
    if (revision !== null) annotations[revisionAnnotation] = revision;
    plane.events.emit({ about, component: 'kustomize-controller', type, reason, message, annotations });
  }

  function timed(item: Item, text: string, revision: string): string {
    return `${text} for revision ${revision} with a timeout of ${item.object.spec.timeout}`;
  }

  function progress(item: Item, message: string): void {
    say(item, { type: 'Reconciling', status: 'True', reason: 'Progressing', message });
    say(item, { type: 'Ready', status: 'Unknown', reason: 'Progressing', message: 'Reconciliation in progress' });
    save(item);
  }

  function again(item: Item): void {
    queue.enqueue(item, item.traits.interval * (0.97 + random.next() * 0.06));
  }

  function unmetDependency(item: Item, revision: string): string | null {
    for (const { name } of item.object.spec.dependsOn ?? []) {
      const other = items.get(name)?.object;
      if (!other) return `dependency 'flux-system/${name}' not found`;
      const { status, metadata, spec } = other;
      const ready =
        conditionStatus(status.conditions, 'Ready') === 'True' && status.observedGeneration === metadata.generation;
      if (!ready) return `dependency 'flux-system/${name}' is not ready`;
      const sameSource = spec.sourceRef.name === item.object.spec.sourceRef.name;
      if (sameSource && status.lastAppliedRevision !== revision)
        return `dependency 'flux-system/${name}' revision is not up to date`;
    }
    return null;
  }

  function refuse(item: Item, reason: string, message: string, pause: number, event: string): void {
    const before = JSON.stringify(item.object.status.conditions);
    dropCondition(item.object.status.conditions, 'Reconciling');
    say(item, { type: 'Ready', status: 'False', reason, message });
    if (JSON.stringify(item.object.status.conditions) !== before) save(item);
    emit(item, reason === 'DependencyNotReady' ? 'Normal' : 'Warning', reason, event, null);
    queue.enqueue(item, pause);
  }

  function pass(item: Item): void {
    const { object } = item;
    if (object.spec.suspend) return;
    const source = sources.find(object.spec.sourceRef.kind, 'flux-system', object.spec.sourceRef.name);
    const revision = source?.status.artifact?.revision;
    if (revision === undefined) {
      const message = 'Source artifact not found, retrying in 30s';
      refuse(item, 'ArtifactFailed', message, 30_000, message);
      return;
    }
    const unmet = unmetDependency(item, revision);
    if (unmet !== null) {
      refuse(
        item,
        'DependencyNotReady',
        unmet,
        requeueDependency,
        'Dependencies do not meet ready condition, retrying in 10s',
      );
      return;
    }
    const started = plane.scheduler.now();
    progress(item, timed(item, 'Fetching manifests', revision));
    queue.step(item, random.between(12, 28), () => {
      object.status.lastAttemptedRevision = revision;
      progress(item, timed(item, 'Building manifests', revision));
      queue.step(item, random.between(10, 90), () => build(item, revision, started));
    });
  }

  function build(item: Item, revision: string, started: number): void {
    const outcome = item.outcomeOf(revision);
    if (outcome.is === 'build-failed') {
      fail(item, revision, outcome, 'Building manifests', started);
      return;
    }
    progress(item, timed(item, 'Detecting drift', revision));
    queue.step(item, random.between(20, 130), () => {
      if (outcome.is === 'apply-failed') {
        fail(item, revision, outcome, 'Detecting drift', started);
        return;
      }
      announceChanges(item, revision);
      if (item.object.spec.wait || outcome.is !== 'ok') check(item, revision, started);
      else succeed(item, revision, started);
    });
  }

  function announceChanges(item: Item, revision: string): void {
    const { object, drifted, traits } = item;
    const changed = object.status.history?.[0]?.digest !== traits.digestOf(revision);
    object.status.inventory ??= { entries: traits.inventory.map((id) => ({ id, v: 'v1' })) };
    const { entries } = object.status.inventory;
    const lines = [...drifted.splice(0), ...(traits.fights ?? [])].map((resource) => `${resource} configured`);
    if (changed && entries.length > 0) lines.push(`${describe(entries[0]?.id ?? '')} configured`);
    if (lines.length > 0) emit(item, 'Normal', 'Progressing', lines.join('\n'), revision);
  }

  function check(item: Item, revision: string, started: number): void {
    const message = timed(item, 'Running health checks', revision);
    say(item, { type: 'Healthy', status: 'Unknown', reason: 'Progressing', message });
    progress(item, message);
    waitForHealth(item, revision, started);
  }

  function waitForHealth(item: Item, revision: string, started: number): void {
    const outcome = item.outcomeOf(revision);
    const elapsed = plane.scheduler.now() - started;
    if (outcome.is === 'ok') {
      queue.step(item, 15, () => succeed(item, revision, started));
    } else if (outcome.is === 'health-failed' && elapsed >= Math.min(item.traits.timeout, 8000)) {
      fail(item, revision, outcome, 'Running health checks', started);
    } else {
      queue.step(item, 1000, () => waitForHealth(item, revision, started));
    }
  }

  function succeed(item: Item, revision: string, started: number): void {
    const { object, traits } = item;
    dropCondition(object.status.conditions, 'Reconciling');
    const applied = `Applied revision: ${revision}`;
    say(item, { type: 'Ready', status: 'True', reason: 'ReconciliationSucceeded', message: applied });
    if (object.spec.wait) {
      const took = goDuration(random.between(4_000, 40_000) / 1000);
      const healthy = conditionStatus(object.status.conditions, 'Healthy');
      if (healthy !== 'True')
        say(item, { type: 'Healthy', status: 'True', reason: 'Succeeded', message: `Health check passed in ${took}` });
    }
    object.status.observedGeneration = object.metadata.generation ?? 1;
    save(item);
    queue.step(item, random.between(5, 10), () => {
      const at = plane.scheduler.now();
      const took = at - started;
      object.status.lastAppliedRevision = revision;
      recordHistory(object, {
        digest: traits.digestOf(revision),
        status: 'ReconciliationSucceeded',
        revision,
        took,
        at,
      });
      save(item);
      const message = `Reconciliation finished in ${goDuration(took)}, next run in ${object.spec.interval}`;
      emit(item, 'Normal', 'ReconciliationSucceeded', message, revision, true);
      again(item);
    });
  }

  function fail(item: Item, revision: string, outcome: Failed, during: string, started: number): void {
    const { object, traits } = item;
    const reason = reasons[outcome.is];
    const at = plane.scheduler.now();
    const health = outcome.is === 'health-failed';
    const message = health
      ? `health check failed after ${goDuration(at - started)}: ${outcome.message}`
      : outcome.message;
    say(item, {
      type: 'Reconciling',
      status: 'True',
      reason: 'ProgressingWithRetry',
      message: timed(item, during, revision),
    });
    say(item, { type: 'Ready', status: 'False', reason, message });
    if (health) say(item, { type: 'Healthy', status: 'False', reason, message: outcome.message });
    save(item);
    emit(item, 'Warning', reason, message, revision);
    queue.enqueue(item, traits.retryInterval);
    if (outcome.is === 'build-failed') return;
    queue.step(item, 3, () => {
      recordHistory(object, { digest: traits.digestOf(revision), status: reason, revision, took: at - started, at });
      save(item);
    });
  }

  sources.onArtifact((source) => {
    for (const item of items.values()) {
      const { kind, name } = item.object.spec.sourceRef;
      if (kind === source.kind && name === source.metadata.name) queue.enqueue(item, random.between(30, 900));
    }
  });

  return {
    ...queue,
    add(object, traits, outcomeOf) {
      const item: Item = {
        object,
        traits,
        outcomeOf,
        drifted: [],
        hand: undefined,
        statusAt: Date.parse(object.status.history?.[0]?.lastReconciled ?? object.metadata.creationTimestamp),
        reconcile: () => queue.enqueue(item, 20),
        setSuspended(suspended, manager, at = plane.scheduler.now()) {
          object.spec.suspend = suspended;
          object.metadata.generation = (object.metadata.generation ?? 1) + 1;
          item.hand = { manager, at, spec: { suspend: suspended } };
          if (at < plane.scheduler.now()) {
            object.status.observedGeneration = object.metadata.generation;
            item.statusAt = at;
            put(item);
            return;
          }
          put(item);
          queue.enqueue(item, 20);
          // While suspended the controller observes the generation and does nothing else.
          queue.step(item, 8, () => {
            if (!suspended || conditionStatus(object.status.conditions, 'Ready') !== 'True') return;
            object.status.observedGeneration = object.metadata.generation ?? 1;
            save(item);
          });
        },
        drift: (resource) => void item.drifted.push(resource),
        write(statusAt) {
          item.statusAt = statusAt;
          put(item);
        },
      };
      items.set(object.metadata.name, item);
      plane.store.put(object, commonKinds.kustomization);
      queue.enqueue(item, random.next() * traits.interval);
      return item;
    },
  };
}

/** An inventory id as events name it: Deployment/apps/checkout. */
function describe(id: string): string {
  const parts = id.split('_');
  return `${parts.at(-1)}/${parts[0]}/${parts[1]}`;
}
