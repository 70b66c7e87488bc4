import type { Correction } from '#lib/domain/record/current.ts';
import type { Observation, Reconciler } from '#lib/domain/observation/observation.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ObservedEvent, WatchedKind } from '../clusters/cluster-event.ts';
import type { CorrectionMemory } from './correction-run.ts';
import type { StateMetric } from '#lib/domain/alarm/state-metric.ts';

/** Knowledge that an adapter needs of an object beside the object. */
export interface AdapterContext {
  readonly cluster: string;
  readonly kind: WatchedKind;
  /** ms since the epoch, when the object was received. */
  readonly receivedAt: number;
  /** Observation of the write before this one; null where that was not watched. Its times are on our clock. */
  readonly before: Observation | null;
}

/** Outcome of one event or one observation: the memory to keep (JSON), and the correction that is now known, or null. */
export interface CorrectionStep {
  readonly memory: CorrectionMemory;
  readonly correction: Correction | null;
}

/** A kind that is watched by name, never by version, on every cluster that serves it. */
export interface NamedKind extends GroupKind {
  /** The plural, as it stands in URLs and in rules of RBAC. */
  readonly resource: string;
  /** Its objects make the cluster serve other kinds: when one is written, what is served is looked at. */
  readonly defines?: true;
}

/** A kind that is known and not judged. */
export interface UnjudgedKind extends GroupKind {
  /** '*': of whatever group, where it carries a category of `unjudgedBy`. */
  readonly group: string;
  /** As the end of a sentence: "it has no status". */
  readonly why: string;
}

/** A controller whose loop turns for objects of a reconciler, as it is installed by default. */
export interface ControllerLocation {
  /** Name that observations use (`Observation.controller`). */
  readonly name: string;
  /** Where its Leases are read. */
  readonly namespace: string;
  /** Its Lease, where that is not called `<name>-leader-election`; null where it holds none. */
  readonly lease?: string | null;
  /** False where its heartbeat is no Lease and is read elsewhere. */
  readonly leasesAreListed?: false;
  /** Name of what it is a part of, whose parts are all installed in one namespace. */
  readonly suite?: string;
}

/**
 * One reconciler, wholly: which kinds it owns, which controllers turn its loop, and how its objects are read. What is watched,
 * where Leases are read, what the ClusterRole grants and where objects stand in the matrix follow from this and from the
 * observations. All of its functions are pure and none throws. docs/adding-a-reconciler.md.
 */
export interface Adapter {
  readonly reconciler: Reconciler;
  readonly kinds: readonly NamedKind[];
  /** Kinds of its API groups that are known and have no verdict of their own: the cluster's page lists where they are served, and why. */
  readonly unjudged?: readonly UnjudgedKind[];
  /** The category by which `unjudged` kinds of group '*' are known as its own. */
  readonly unjudgedBy?: string;
  /** Categories of CRDs: every kind that carries one is read by this adapter too, unless another names it. */
  readonly categories?: readonly string[];
  readonly controllers: readonly ControllerLocation[];
  /** The metric by which Prometheus can alarm on objects of a kind: `plumbline rules` writes what exports it, and its alerts. */
  metricOf(kind: GroupKind): StateMetric;
  /** The object as an observation; a shape that it does not know becomes the summary `unrecognised`. */
  observe(object: ForeignObject, context: AdapterContext): Observation;
  /**
   * Tells if an event (or, with null, the pass that an observation shows) reveals a drift that was undone.
   * `now` is ms since the epoch. Absent where a reconciler reveals none.
   */
  readonly corrections?: (
    memory: CorrectionMemory | null,
    event: ObservedEvent | null,
    observation: Observation | null,
    now: number,
  ) => CorrectionStep;
}

/** Kinds of one API group, as plural: kind. */
export function kindsOf(group: string, kinds: { readonly [resource: string]: string }): NamedKind[] {
  return Object.entries(kinds).map(([resource, kind]) => ({ group, kind, resource }));
}
