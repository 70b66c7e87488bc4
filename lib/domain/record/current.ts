import type { Alarming } from '../alarm/alarming/fact.ts';
import type { BuildWords } from '../commit/build-path.ts';
import type { CommitDiffers } from './commit-differs.ts';
import type { CommitRange } from './commit-range.ts';
import type { Conflict } from '../observation/conflict.ts';
import type { Exemption } from '../exemption/exemption.ts';
import type { Cause, Evidence } from '../verdict/judgement.ts';
import type { Observation, Reconciler, Role, SourceTarget } from '../observation/observation.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Upstreams } from './upstreams.ts';
import type { Confirmation, Drift, Verdict } from '../verdict/verdict.ts';

/** When something began (ms since the epoch), exactly or at least so long ago, and when Plumbline knew. */
export interface Onset {
  readonly time: number;
  readonly bound: 'exact' | 'at-least';
  readonly noticedAt: number;
  /** Only of a time away: it began with the object itself, which has never been home for good. */
  readonly sinceMade?: true;
}

/**
 * The present record of one object: what the collector stores and the web process holds in memory.
 * Small on purpose; what only one page needs is in `ObjectDetail`. Times in ms since the epoch.
 */
export interface CurrentObject {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly reconciler: Reconciler;
  readonly role: Role;
  readonly verdict: Verdict;
  readonly was: Verdict | null;
  readonly reconciling: boolean;
  readonly rolling: boolean;
  readonly reason: string;
  /** Redacted, at most 1,024 characters here; whole in the detail. */
  readonly message: string;
  readonly sentence: string;
  /** Other objects that the sentence names or tells of; absent or none where it tells of itself alone. */
  readonly names?: readonly ObjectRef[];
  readonly onset: Onset;
  readonly awaySince: Onset | null;
  readonly confirmation: Confirmation;
  /** Last word of the cluster about this object. */
  readonly observedAt: number;
  /** Last known pass of its loop (or sign of life of its controller); null where none is known. */
  readonly confirmedAt: number | null;
  readonly validUntil: number | null;
  readonly revision: {
    readonly applied: string | null;
    readonly attempted: string | null;
    readonly offered: string | null;
  };
  /** The git commit (40 or 64 hex) that runs; null where it is not known. */
  readonly commit: string | null;
  /** `yes` if `commit` is not the newest that its source offers. */
  readonly commitDiffers: CommitDiffers;
  readonly path: string | null;
  /** Beside the path; null where it says nothing of it, or that is not known. */
  readonly builds: BuildWords | null;
  readonly source: ObjectRef | null;
  /** Who delivers it; on another cluster where a Kustomization or HelmRelease there reaches over (spec.kubeConfig). */
  readonly deliveredBy: ObjectRef | null;
  readonly upstreams: Upstreams;
  /** Repository URL behind the commit (without user information), found over its source; null where unknown. */
  readonly repository: string | null;
  readonly rootCause: Cause | null;
  /** Between which revisions it broke, for an applier that fails itself; as it began, whatever is tried now. */
  readonly range: CommitRange | null;
  readonly drift: Drift;
  /** Only of drift that is there: it can only have come after what runs was applied in full. */
  readonly driftedLater?: true;
  readonly exemptions: readonly Exemption[];
}

/** One observed correction: a drift that a reconciler found and undid. Times in ms since the epoch. */
export interface Correction {
  readonly at: number;
  readonly certainty: 'confirmed' | 'probable' | 'contested';
  /** Words of the reconciler, redacted: "ConfigMap/apps/drifty configured" */
  readonly said: string;
  readonly count: number;
}

/** Detail that only the object's page and a restart of the collector need. */
export interface ObjectDetail {
  /** The last settled observation. */
  readonly observation: Observation;
  readonly evidence: readonly Evidence[];
  readonly message: string;
  readonly target: SourceTarget | null;
  readonly corrections: readonly Correction[];
  /** Collector's own memory of this object, opaque to everybody else (JSON). */
  readonly memory: unknown;
}

/** One change of verdict, append-only. Times in ms since the epoch. */
export interface Transition {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** When the new verdict began (dated at the first write that showed it). */
  readonly at: number;
  readonly bound: 'exact' | 'at-least';
  /** When Plumbline knew. */
  readonly noticedAt: number;
  /** null when the object was seen for the first time. */
  readonly from: Verdict | null;
  /** null when the object was removed. */
  readonly to: Verdict | null;
  readonly reason: string;
  readonly message: string;
  readonly commit: string | null;
  /** The revision that had been tried last by then, verbatim. */
  readonly attempted: string | null;
  readonly rootCause: Cause | null;
}

/** One kind on one cluster as it is being read. Times in ms since the epoch. */
export interface CurrentFeed {
  readonly group: string;
  readonly kind: string;
  readonly version: string | null;
  readonly namespaced: boolean;
  readonly state: 'syncing' | 'live' | 'silent' | 'idle' | 'forbidden' | 'absent' | 'failed';
  /** Since when it is seen, with objects or without; where it is not, since when that is so, for whichever reasons. */
  readonly since: number;
  /** Why it is not live, for people; null where it is. */
  readonly reason: string | null;
  readonly lastWordAt: number | null;
  readonly objects: number;
}

/**
 * Word of a controller's Deployment on its pods: available (at least one is), unavailable (none is), scaled-to-zero
 * (none is asked for), unknown (there is none, or it may not be read).
 */
export type DeploymentState = 'available' | 'unavailable' | 'scaled-to-zero' | 'unknown';

/** One controller on one cluster, by its lease and its Deployment. Times in ms since the epoch. */
export interface CurrentController {
  readonly namespace: string;
  /** That of its Deployment, e.g. kustomize-controller-shard1; where only its lease is known, that without "-leader-election". */
  readonly name: string;
  /** Its lease, in the same namespace; null where it holds none that is known. */
  readonly lease: string | null;
  /** By its lease and its Deployment: `controllerLiveness`. */
  readonly state: 'alive' | 'dead' | 'unknown';
  readonly lastMovedAt: number | null;
  readonly durationSeconds: number | null;
  /** The pod that holds its lease, without what is random per process; null where the lease names none. */
  readonly holder: string | null;
  /** Number of times its lease has changed hands (spec.leaseTransitions); null where it does not count. */
  readonly transitions: number | null;
  /** The version it runs, e.g. v1.9.4, from its Deployment; null where that is not known. */
  readonly version: string | null;
  readonly deployment: DeploymentState;
  /** Only of one whose Deployment was read: --no-cross-namespace-refs is set, or is not. */
  readonly ownReferencesOnly?: boolean;
  /** Only of one whose Deployment was read: --events-addr is set, or is not. */
  readonly sendsEvents?: boolean;
  /** Number of objects that depend on it; null where that is not told: to who sees a part of them. */
  readonly objects: number | null;
}

/** The present record of one cluster. Times in ms since the epoch. */
export interface CurrentCluster {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
  /** `declared`: no cluster at all, a row for stacks that plumbline.yaml declares. */
  readonly state: 'connecting' | 'live' | 'unreachable' | 'unauthorized' | 'misconfigured' | 'declared';
  /** Since when it is live, or is not seen, for whichever reasons; of `connecting` when that began. */
  readonly since: number;
  /** Why it is not live, for people; null where it is. */
  readonly reason: string | null;
  readonly protocol: 'h2' | 'http/1.1' | null;
  /** Kubernetes version, e.g. v1.34.3. */
  readonly version: string | null;
  readonly lastWordAt: number | null;
  /** Past this time (ms) nothing on it may be believed: the collector renews it while the session lives. */
  readonly validUntil: number;
  readonly feeds: readonly CurrentFeed[];
  /** Kinds without objects that are probed in turn, not watched, and the longest wait for a probe of late (ms); null for none. */
  readonly probes: { readonly kinds: number; readonly longest: number } | null;
  /** Kinds of reconcilers' API groups that are served and not read: known and not judged, or (`why` null) not known to Plumbline. */
  readonly unread: readonly { readonly group: string; readonly kind: string; readonly why: string | null }[];
  readonly controllers: readonly CurrentController[];
  /** By how much its clock is ahead of Plumbline's (ms, whole seconds; negative where it is behind); null where that is not known. */
  readonly clockAhead: number | null;
  /** Weaknesses of what is said of it, by how it is reached and named, a sentence each: no TLS verified, a name that two want. */
  readonly cautions: readonly string[];
  /**
   * Resources with more than one manager, the surest first; cut at `conflictLimit`, with the number of all in `conflictsTotal`,
   * beyond the first thousand of a kind as far as the index of claims tells them apart.
   */
  readonly conflicts: readonly Conflict[];
  readonly conflictsTotal: number;
  /** All that its objects say of who is called (Alert, Provider); null where that is not kept: of a past moment. */
  readonly alarming: Alarming | null;
}
