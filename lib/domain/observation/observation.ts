import type { ApiTime } from '../time/api-time.ts';
import type { BuildWords } from '../commit/build-path.ts';
import type { Rival } from './conflict.ts';
import type { Exemption } from '../exemption/exemption.ts';
import type { ObjectRef } from './ref.ts';

/**
 * The system that owns an object, as its adapter calls itself: flux, helm (Flux's helm-controller), crossplane, ... An open word:
 * nothing outside of an adapter's folder decides anything by it.
 */
export type Reconciler = string;

/**
 * Roles of an object for the others.
 * source: offers an artifact (GitRepository, OCIRepository, Bucket, HelmRepository, HelmChart, ...);
 * applier: applies one (Kustomization, HelmRelease, Terraform, Application); managed, composite, claim: Crossplane;
 * package: a Crossplane package or its revision; definition: a CompositeResourceDefinition;
 * helper: has a loop of its own and applies nothing: it scans images, receives webhooks, makes inputs for others;
 * declared: named in plumbline.yaml because no loop anywhere reports on it (plain Terraform state, CDK, Ansible, ...).
 */
export const roles = [
  'source',
  'applier',
  'managed',
  'composite',
  'claim',
  'package',
  'definition',
  'helper',
  'declared',
] as const;
/** Role of an object for the others. */
export type Role = (typeof roles)[number];

/** One entry of status.conditions, its message redacted. Times in ms since the epoch. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** The reconciler's own stamp; NOT since when the status holds (both Flux and Crossplane restamp it: docs/design/two-clocks.md). */
  readonly lastTransitionTime: ApiTime | null;
  readonly observedGeneration: number | null;
}

/**
 * Fault that a settled bad summary names. The adapter knows the reconciler's reasons; the judge knows verdicts.
 * - apply: it cannot be made so (BuildFailed, ReconciliationFailed, UpgradeFailed, create/update/delete failed, access denied, ...)
 * - health: it was applied, but what came of it does not work (HealthCheckFailed, Synced=True with Ready=False)
 * - observe: the reconciler is blind (connect failed, observe failed)
 * - dependency: something it depends on is not ready (DependencyNotReady)
 * - artifact: it could not get what it should apply (ArtifactFailed, SourceNotReady): the join tells whose fault it is
 * - fetch: a source cannot fetch what it points to
 * - approval: what is to be done is known, and waits until a person allows it, or its schedule does
 */
export type Fault = 'apply' | 'health' | 'observe' | 'dependency' | 'artifact' | 'fetch' | 'approval';

/** A status summary on which the object has settled. */
export type SettledSummary =
  | { readonly said: 'good'; readonly reason: string; readonly message: string }
  | {
      readonly said: 'bad';
      readonly fault: Fault;
      readonly reason: string;
      readonly message: string;
      /** Stalled: the reconciler has given up until something changes. */
      readonly terminal: boolean;
    };

/**
 * Report of an object on itself now, as its status has it.
 * - busy: in the middle of a pass; `before` is the last settled summary as far as the object itself still tells it
 *   (status.history, FetchFailed kept True, ...), null where it does not
 * - nothing: no condition yet
 * - static: this object has no status by design (HelmRepository of type oci)
 * - unrecognised: the adapter does not know this shape; `why` says what was odd
 * - unreported: nobody says anything of it, by its nature; `why` is a clause for people
 */
export type StatusSummary =
  | SettledSummary
  | { readonly said: 'busy'; readonly reason: string; readonly message: string; readonly before: SettledSummary | null }
  | { readonly said: 'nothing' }
  | { readonly said: 'static' }
  | { readonly said: 'unrecognised'; readonly why: string }
  | { readonly said: 'unreported'; readonly why: string };

/** Who switched an object off, and by which field. `by` and `at` are read from managedFields; null where they do not tell. */
export interface Suspension {
  /** e.g. spec.suspend, metadata.annotations[crossplane.io/paused], spec.managementPolicies */
  readonly field: string;
  readonly by: string | null;
  /** ms since the epoch */
  readonly at: ApiTime | null;
}

/** Durations of the reconciler's loop for this object, in ms; null where it has none or does not say. */
export interface Cadence {
  readonly interval: number | null;
  readonly retryInterval: number | null;
  readonly timeout: number | null;
  /** The interval is its reconciler's default, for the object does not tell its own: to be late by it proves nothing either way. */
  readonly assumed?: true;
}

/** Completed passes of its loop that the object reveals. */
export interface Passes {
  /**
   * Sign by which a pass can be seen on this object: `history` (status.history[0].lastReconciled, Kustomization),
   * `writes` (every pass writes, HelmRelease, a failing object), `none` (steady state is never written).
   */
  readonly seenBy: 'history' | 'writes' | 'none';
  /** The last completed pass that the object itself dates (ms since the epoch), null where it dates none. */
  readonly last: ApiTime | null;
  /** Total count where it counts (history[0].totalReconciliations), else null. */
  readonly total: number | null;
}

/** One entry of a Flux status.history, newest first. Times in ms since the epoch. */
export interface HistoryEntry {
  readonly status: string;
  readonly revision: string | null;
  readonly digest: string | null;
  readonly first: ApiTime | null;
  readonly last: ApiTime | null;
  readonly total: number | null;
}

/** The revisions that an object names, verbatim as the reconciler writes them; null where it names none. */
export interface ObservedRevisions {
  /** Appliers: fully applied. */
  readonly applied: string | null;
  /** Appliers: the last that was tried. */
  readonly attempted: string | null;
  /** Sources: the artifact they offer. */
  readonly artifact: string | null;
  /** The git revision behind an OCI artifact, where it is annotated (lastAppliedOriginRevision, image.revision). */
  readonly origin: string | null;
  /** Not written as its source writes its artifact's: whether something newer is offered can not be told. */
  readonly incomparable?: true;
}

/** Where a source points. */
export interface SourceTarget {
  /** Without user information. */
  readonly url: string;
  /** branch main, tag v1, semver >=1, commit 1a2b..., digest sha256:..., as text for people. */
  readonly reference: string;
  /** True if the same reference may name other content tomorrow (branch, tag, semver, latest). */
  readonly floating: boolean;
}

/** Drift that a reconciler undid by the last thing that it did. */
export interface UndoneDrift {
  /** The same for as long as it is the last, and never the same for another. */
  readonly id: string;
  /** ms since the epoch */
  readonly at: ApiTime;
  /** As a correction says it: "ConfigMap/apps/web configured". */
  readonly said: string;
  /** It says that something was changed; else it may have found nothing to change. */
  readonly isSure: boolean;
}

/** Report of the reconciler on drift. */
export type DriftStatus =
  | { readonly drift: 'none'; readonly undone?: UndoneDrift }
  /** `left`: nothing undoes it; else its reconciler is at it. `later`: it can only have come after the revision that is in effect was applied in full. */
  | { readonly drift: 'found'; readonly message: string; readonly left: boolean; readonly later?: true }
  | { readonly drift: 'not-measured'; readonly why: string };

/**
 * Report of one object on itself now, normalised by its adapter. No judgement in it: no clock, no other object.
 * Everything in it comes from an allow-list of fields; values, substitutions and forProvider are never in it.
 * Times are ms since the epoch, those of the API on our clock (see `ApiTime` for how they are compared).
 */
export interface Observation {
  readonly ref: ObjectRef;
  readonly reconciler: Reconciler;
  readonly role: Role;
  readonly version: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: ApiTime;
  readonly deletedAt: ApiTime | null;
  /** Finalizers that are left; what holds up a deletion. */
  readonly finalizers: readonly string[];
  readonly generation: number;
  /** The generation that `summary` speaks of: the Ready/Synced condition's own where it has one, else the object's; null where neither says. */
  readonly observedGeneration: number | null;
  readonly summary: StatusSummary;
  /** A pass is under way (Reconciling=True or Ready=Unknown/Progressing): an overlay, never a verdict of its own. */
  readonly reconciling: boolean;
  readonly suspended: Suspension | null;
  readonly conditions: readonly Condition[];
  readonly cadence: Cadence;
  readonly passes: Passes;
  readonly revisions: ObservedRevisions;
  readonly drift: DriftStatus;
  readonly exemptions: readonly Exemption[];
  /** Who else claims it or what it delivers, as it tells itself; nearly always nobody. */
  readonly rivals: readonly Rival[];
  /**
   * Crossplane: a digest (53 bits) of which external resource it manages; equal for two that manage the same one, also across
   * clusters where the provider names it for the whole world. Null where it manages none (observed only, paused, not made yet).
   */
  readonly externalId: number | null;
  /** spec.path of an applier, '' cleaned ("clusters/production/x", no leading "../"); null where it has none. */
  readonly path: string | null;
  /** Beside the path; only of kinds that may say something of it. */
  readonly builds?: BuildWords;
  /** Sources only. */
  readonly target: SourceTarget | null;
  /** The repository behind `revisions.origin` of an OCI artifact (org.opencontainers.image.source), without user information. */
  readonly originUrl: string | null;
  /** True if a source holds an artifact that can be applied now. False for what is no source. */
  readonly hasArtifact: boolean;
  /** Source it applies from (sourceRef, chartRef, helmChart, a HelmChart's repository). */
  readonly source: ObjectRef | null;
  /** Sources beside that which go into it: spec.include of a GitRepository, all but the first source of an ArtifactGenerator. */
  readonly otherSources: readonly ObjectRef[];
  readonly dependsOn: readonly ObjectRef[];
  /** The Kustomization (or HelmRelease) that its owner labels name: whoever may write the object may write them. */
  readonly deliveredBy: ObjectRef | null;
  /** The HelmRelease that they name beside a Kustomization: who took it over from the other leaves the labels of that. */
  readonly alsoNamed?: ObjectRef;
  /** Beside owner labels: another object is its controller, by its ownerReferences, and may have copied them. */
  readonly owned?: true;
  /** The uid of its controller by its ownerReferences; absent where it has none, and in what was kept before it was read. */
  readonly ownerUid?: string;
  /** Crossplane: composite of a managed resource, claim of a composite; whoever may write the object may write any. */
  readonly parent: ObjectRef | null;
  /** Crossplane: resourceRefs of a composite, resourceRef of a claim. */
  readonly children: readonly ObjectRef[];
  /** Crossplane: providerConfigRef. */
  readonly providerConfig: ObjectRef | null;
  /** Crossplane package revisions: the kinds they run, as "plural.group". */
  readonly provides: readonly string[];
  /** Flux inventory as "<namespace>_<name>_<group>_<kind>", [] where there is none; of another cluster where `remote`. */
  readonly inventory: readonly string[];
  /** Its inventory lives on another cluster (spec.kubeConfig), which it does not name. */
  readonly remote: boolean;
  readonly history: readonly HistoryEntry[];
  /** Name of the controller whose loop turns for it, e.g. kustomize-controller; null for managed resources (their provider is found by `provides`). */
  readonly controller: string | null;
  /** sharding.fluxcd.io/key of the object, else null. */
  readonly shard: string | null;
  /** Which manager last wrote the spec and when, from managedFields. */
  readonly specEditedBy: { readonly manager: string; readonly at: ApiTime | null } | null;
  /** Times found in managedFields of status writes: the newest, ms since the epoch; null where none. */
  readonly lastWriteAt: ApiTime | null;
}

/** An object that says nothing of itself beyond its name: what every observation is built on. */
export const emptyObservation: Omit<Observation, 'ref' | 'reconciler' | 'role' | 'uid' | 'createdAt'> = {
  version: '',
  resourceVersion: '',
  deletedAt: null,
  finalizers: [],
  generation: 0,
  observedGeneration: null,
  summary: { said: 'nothing' },
  reconciling: false,
  suspended: null,
  conditions: [],
  cadence: { interval: null, retryInterval: null, timeout: null },
  passes: { seenBy: 'none', last: null, total: null },
  revisions: { applied: null, attempted: null, artifact: null, origin: null },
  drift: { drift: 'not-measured', why: 'this kind says nothing of drift' },
  exemptions: [],
  rivals: [],
  externalId: null,
  path: null,
  target: null,
  originUrl: null,
  hasArtifact: false,
  source: null,
  otherSources: [],
  dependsOn: [],
  deliveredBy: null,
  parent: null,
  children: [],
  providerConfig: null,
  provides: [],
  inventory: [],
  remote: false,
  history: [],
  controller: null,
  shard: null,
  specEditedBy: null,
  lastWriteAt: null,
};
