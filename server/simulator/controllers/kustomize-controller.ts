import { commonKinds } from '../api/kinds.ts';
import { conditionStatus, dropConditions } from '../objects/condition.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import type { Random } from '../random.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import { createKustomizationWriter } from './kustomization-item.ts';
import type {
  Artifacts,
  KustomizationHandle,
  KustomizationItem,
  KustomizationTraits,
  KustomizationWriter,
} from './kustomization-item.ts';
import { createPasses } from './kustomization-pass.ts';
import { createWorkQueue } from './work-queue.ts';
import type { WorkQueue } from './work-queue.ts';

/** Simulates kustomize-controller on one cluster. */
export interface KustomizeController extends Controller {
  /** Takes a Kustomization on whose passes end well until its handle says otherwise. */
  add(object: Kustomization, traits: KustomizationTraits): KustomizationHandle;
}

const requeueDependency = 10_000;

/** Starts kustomize-controller: five writes in a quiet pass, Unknown then False in a failing one. */
export function startKustomizeController(plane: ControlPlane, sources: Artifacts, random: Random): KustomizeController {
  const items = new Map<string, KustomizationItem>();
  const writer = createKustomizationWriter(plane);
  const queue = createWorkQueue<KustomizationItem>('kustomize-controller', plane.scheduler, begin);
  const run = createPasses({ plane, queue, writer, random });

  /** Ends a pass before it fetched anything; it is tried again after `pause` ms. */
  function refuse(item: KustomizationItem, reason: string, message: string, pause: number, event: string): void {
    const before = JSON.stringify(item.object.status.conditions);
    dropConditions(item.object, 'Reconciling');
    writer.say(item, ['Ready', 'False', reason, message]);
    if (JSON.stringify(item.object.status.conditions) !== before) writer.save(item);
    writer.emit(item, reason === 'DependencyNotReady' ? 'Normal' : 'Warning', reason, event, null);
    queue.enqueue(item, pause);
  }

  function begin(item: KustomizationItem): void {
    const { suspend, sourceRef } = item.object.spec;
    if (suspend) return;
    const revision = sources.find(sourceRef.kind, 'flux-system', sourceRef.name)?.status.artifact?.revision;
    if (revision === undefined) {
      const message = 'Source artifact not found, retrying in 30s';
      refuse(item, 'ArtifactFailed', message, 30_000, message);
      return;
    }
    const unmet = unmetDependency(item, items, revision);
    if (unmet === null) {
      run({ item, revision, started: plane.scheduler.now() });
      return;
    }
    const event = 'Dependencies do not meet ready condition, retrying in 10s';
    refuse(item, 'DependencyNotReady', unmet, requeueDependency, event);
  }

  sources.onArtifact((source) => {
    for (const item of items.values()) {
      const { kind, name } = item.object.spec.sourceRef;
      if (kind === source.kind && name === source.metadata.name) queue.enqueue(item, random.between(30, 900));
    }
  });

  return {
    ...queue,
    add(object, traits) {
      const item: KustomizationItem = {
        object,
        traits,
        outcome: { is: 'ok' },
        drifted: [],
        hand: undefined,
        statusAt: Date.parse(object.status.history?.[0]?.lastReconciled ?? object.metadata.creationTimestamp),
        reconcile: () => queue.enqueue(item, 20),
        setSuspended: (suspended, manager, at = plane.scheduler.now()) =>
          setSuspended(item, { suspended, manager, at, past: at < plane.scheduler.now() }, queue, writer),
        drift: (resource) => void item.drifted.push(resource),
        write(statusAt) {
          item.statusAt = statusAt;
          writer.put(item);
        },
      };
      items.set(object.metadata.name, item);
      plane.store.put(object, commonKinds.kustomization);
      queue.enqueue(item, random.next() * traits.interval);
      return item;
    },
  };
}

/** Says which dependency of a Kustomization is not met; null where all are. */
function unmetDependency(
  { object }: KustomizationItem,
  items: ReadonlyMap<string, KustomizationItem>,
  revision: string,
): string | null {
  for (const { name } of object.spec.dependsOn ?? []) {
    const other = items.get(name)?.object;
    if (!other) return `dependency 'flux-system/${name}' not found`;
    const { status, metadata, spec } = other;
    const ready = conditionStatus(other, 'Ready') === 'True' && status.observedGeneration === metadata.generation;
    if (!ready) return `dependency 'flux-system/${name}' is not ready`;
    const sameSource = spec.sourceRef.name === object.spec.sourceRef.name;
    if (sameSource && status.lastAppliedRevision !== revision)
      return `dependency 'flux-system/${name}' revision is not up to date`;
  }
  return null;
}

/** Changes spec.suspend by hand. A change in the past changes nothing else; one of now is observed soon. */
function setSuspended(
  item: KustomizationItem,
  change: { readonly suspended: boolean; readonly manager: string; readonly at: number; readonly past: boolean },
  queue: WorkQueue<KustomizationItem>,
  writer: KustomizationWriter,
): void {
  const { object } = item;
  const { suspended, manager, at } = change;
  object.spec.suspend = suspended;
  object.metadata.generation = (object.metadata.generation ?? 1) + 1;
  item.hand = { manager, at, spec: { suspend: suspended } };
  if (change.past) {
    object.status.observedGeneration = object.metadata.generation;
    item.statusAt = at;
    writer.put(item);
    return;
  }
  writer.put(item);
  queue.enqueue(item, 20);
  // While suspended the controller observes the generation and does nothing else.
  queue.step(item, 8, () => {
    if (!suspended || conditionStatus(object, 'Ready') !== 'True') return;
    object.status.observedGeneration = object.metadata.generation ?? 1;
    writer.save(item);
  });
}
