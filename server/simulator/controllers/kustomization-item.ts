import { commonKinds } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { setCondition } from '../objects/condition.ts';
import type { Said } from '../objects/condition.ts';
import { stampKustomization } from '../objects/kustomization.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import type { ControlPlane } from './control-plane.ts';

/** Outcome of applying one revision. `checking`: health checks run and do not end until the outcome changes. */
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
  /** Outcome of applying a revision. */
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
export interface KustomizationWriter {
  /** Writes the object, with a status as old as `statusAt`. */
  put(item: KustomizationItem): void;
  /** Writes the object, with a status of now. */
  save(item: KustomizationItem): void;
  /** Sets a condition; `save` or `put` writes it. */
  say(item: KustomizationItem, said: Said): void;
  /** Writes that a pass has come to its next step. */
  progress(item: KustomizationItem, message: string): void;
  /** Records an event; `final` is that of a pass that ended well. */
  emit(
    item: KustomizationItem,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    revision: string | null,
    final?: boolean,
  ): void;
}

const revisionAnnotation = 'kustomize.toolkit.fluxcd.io/revision';

/** Makes the writer of one cluster. */
export function createKustomizationWriter(plane: ControlPlane): KustomizationWriter {
  function put(item: KustomizationItem): void {
    stampKustomization(item.object, Date.parse(item.object.metadata.creationTimestamp), item.statusAt, item.hand);
    plane.store.put(item.object, commonKinds.kustomization);
  }

  function save(item: KustomizationItem): void {
    item.statusAt = plane.scheduler.now();
    put(item);
  }

  function say(item: KustomizationItem, said: Said): void {
    setCondition(item.object.status.conditions, said, item.object.metadata.generation ?? 1, plane.scheduler.now());
  }

  return {
    put,
    save,
    say,
    progress(item, message) {
      say(item, { type: 'Reconciling', status: 'True', reason: 'Progressing', message });
      say(item, { type: 'Ready', status: 'Unknown', reason: 'Progressing', message: 'Reconciliation in progress' });
      save(item);
    },
    emit(item, type, reason, message, revision, final = false) {
      const about = item.object;
      const annotations: { [key: string]: string } = final
        ? { 'kustomize.toolkit.fluxcd.io/commit_status': 'update' }
        : {};
      if (revision !== null) annotations[revisionAnnotation] = revision;
      plane.events.emit({ about, component: 'kustomize-controller', type, reason, message, annotations });
    },
  };
}
