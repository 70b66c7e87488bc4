import type { ServedKind } from '../api/kinds.ts';
import { say } from '../objects/condition.ts';
import type { Said } from '../objects/condition.ts';
import { stampManagedResource } from '../objects/managed-resource.ts';
import type { CrossplaneObject } from '../objects/managed-resource.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import { createWorkQueue } from './work-queue.ts';

/** Answer of the cloud at the next polls. */
export type CloudOutcome =
  | { readonly is: 'ok' }
  /** `message` with its prefix: `update failed: ...`, `observe failed: ...`, `connect failed: ...`. */
  | { readonly is: 'refused'; readonly message: string; readonly event: string };

/** One managed resource as its provider keeps it. */
export interface ManagedResourceHandle {
  readonly object: CrossplaneObject;
  outcome: CloudOutcome;
  /** Polls at once. */
  poll(): void;
  /** Sets or takes away crossplane.io/paused. */
  setPaused(paused: boolean): void;
  /** Someone changed the resource in the cloud: the next poll puts it right and says so in an event. */
  changeOutside(): void;
}

/** Simulates the providers of one cluster: in a steady state nothing is ever written. */
export interface CrossplaneProviders extends Controller {
  add(kind: ServedKind, object: CrossplaneObject): ManagedResourceHandle;
}

interface Item extends ManagedResourceHandle {
  readonly kind: ServedKind;
  changed: boolean;
}

/** Starts the providers. `pollInterval` in ms (provider-upjet-aws: ten minutes). */
export function startCrossplaneProviders(plane: ControlPlane, pollInterval: number): CrossplaneProviders {
  const queue = createWorkQueue<Item>('provider-aws', plane.scheduler, poll);

  /** Writes only where a condition really changes, as the API server drops writes that change nothing. */
  function write({ object, kind }: Item, synced: Said): void {
    const before = JSON.stringify(object.status.conditions);
    say(object, plane.scheduler.now(), synced);
    if (JSON.stringify(object.status.conditions) === before) return;
    stampManagedResource(object, plane.scheduler.now());
    plane.store.put(object, kind);
  }

  function emit({ object, kind }: Item, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const component = `managed/${kind.group}/${kind.kind.toLowerCase()}`;
    const annotations = { 'external-name': object.metadata.name };
    plane.events.emit({ about: object, component, type, reason, message, annotations });
  }

  function poll(item: Item): void {
    const paused = item.object.metadata.annotations?.['crossplane.io/paused'] === 'true';
    if (paused) {
      const message = 'Reconciliation is paused via the pause annotation';
      write(item, ['Synced', 'False', 'ReconcilePaused', message]);
      emit(item, 'Normal', 'ReconciliationPaused', message);
      return;
    }
    const { outcome } = item;
    if (outcome.is === 'refused') {
      write(item, ['Synced', 'False', 'ReconcileError', outcome.message]);
      emit(item, 'Warning', outcome.event, outcome.message);
    } else {
      if (item.changed)
        emit(item, 'Normal', 'UpdatedExternalResource', 'Successfully requested update of external resource');
      item.changed = false;
      write(item, ['Synced', 'True', 'ReconcileSuccess']);
    }
    queue.enqueue(item, pollInterval * (0.95 + plane.random.next() * 0.1));
  }

  return {
    ...queue,
    add(kind, object) {
      const item: Item = {
        kind,
        object,
        outcome: { is: 'ok' },
        changed: false,
        poll: () => queue.enqueue(item, 5),
        setPaused(paused) {
          const { annotations = {} } = object.metadata;
          if (paused) annotations['crossplane.io/paused'] = 'true';
          else delete annotations['crossplane.io/paused'];
          object.metadata.annotations = annotations;
          plane.store.put(object, kind);
          queue.enqueue(item, 5);
        },
        changeOutside: () => void (item.changed = true),
      };
      plane.store.put(object, kind);
      queue.enqueue(item, plane.random.next() * pollInterval);
      return item;
    },
  };
}
