import { commonKinds } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { progressing, say } from '../objects/condition.ts';
import type { Said } from '../objects/condition.ts';
import { stampKustomization } from '../objects/kustomization.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import type { ControlPlane } from './control-plane.ts';

/** Outcome of a pass. `checking`: health checks run and do not end until the outcome changes. */
export type Outcome =
  | { readonly is: 'ok' }
  | { readonly is: 'build-failed' | 'apply-failed' | 'health-failed'; readonly message: string }
  | { readonly is: 'checking' };

/** Artifacts that Kustomizations are applied from. */
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
  /** Outcome of its next passes. */
  outcome: Outcome;
  /** Starts a pass at once. */
  reconcile(): void;
  /** Someone changes spec.suspend with the named field manager, now or (for a past that is made up) at `at`, ms. */
  setSuspended(suspended: boolean, manager: string, at?: number): void;
  /** Someone changes an applied object by hand; the next pass undoes it and says so in an event. */
  drift(resource: string): void;
  /** Writes the object as it is now, with a status that is as old as `statusAt` (ms): for a past that is made up. */
  write(statusAt: number): void;
}

/** Traits of one Kustomization that the controller has to know beside the object. Durations in ms. */
export interface KustomizationTraits {
  readonly interval: number;
  readonly retryInterval: number;
  readonly timeout: number;
  /** Contents of status.inventory once it was applied. */
  readonly inventory: readonly string[];
  /** The digest of what a revision builds to: equal where a commit did not touch the path. */
  digestOf(revision: string): string;
  /** Objects that another applies, too, as events name them: found changed and undone on every pass. */
  readonly fights?: readonly string[];
}

/** A Kustomization as the parts of the controller share it. */
export interface KustomizationItem extends KustomizationHandle {
  readonly traits: KustomizationTraits;
  /** Objects changed by hand since the last pass. */
  readonly drifted: string[];
  /** Who last changed spec.suspend; undefined where nobody did. */
  hand: { readonly manager: string; readonly at: number; readonly spec: object } | undefined;
  /** Time of the status, ms since the epoch. */
  statusAt: number;
}

/** Writes Kustomizations and the events about them. */
export type KustomizationWriter = ReturnType<typeof createKustomizationWriter>;

/** Makes the writer of one cluster. */
export function createKustomizationWriter({ store, scheduler, events }: ControlPlane) {
  const writer = {
    /** Writes the object, with a status as old as `statusAt`. */
    put({ object, statusAt, hand }: KustomizationItem): void {
      stampKustomization(object, { statusAt, hand });
      store.put(object, commonKinds.kustomization);
    },
    /** Writes the object, with a status of now. */
    save(item: KustomizationItem): void {
      item.statusAt = scheduler.now();
      writer.put(item);
    },
    /** Sets conditions; `save` or `put` writes them. */
    say: ({ object }: KustomizationItem, ...all: readonly Said[]): void => say(object, scheduler.now(), ...all),
    /** Writes that a pass has come to its next step. */
    progress(item: KustomizationItem, message: string): void {
      writer.say(item, ...progressing(message, 'Reconciliation in progress'));
      writer.save(item);
    },
    /** Records an event; `final` is that of a pass that ended well. */
    emit(
      { object: about }: KustomizationItem,
      type: 'Normal' | 'Warning',
      reason: string,
      message: string,
      revision: string | null,
      final = false,
    ): void {
      const annotations = {
        ...(final ? { 'kustomize.toolkit.fluxcd.io/commit_status': 'update' } : {}),
        ...(revision === null ? {} : { 'kustomize.toolkit.fluxcd.io/revision': revision }),
      };
      events.emit({ about, component: 'kustomize-controller', type, reason, message, annotations });
    },
  };
  return writer;
}
