import type { LoopInterval } from '#lib/domain/heartbeat/controller-liveness.ts';
import type { DeploymentState } from '#lib/domain/record/current.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';

/** One kind that is watched on one cluster, at the version that this cluster serves. */
export interface WatchedKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  /** The plural in the URL, e.g. kustomizations. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** e.g. crossplane, managed, composite, claim. */
  readonly categories: readonly string[];
}

/** A served kind that is not read; `why` is null where Plumbline does not know it. */
export interface UnreadKind extends GroupKind {
  readonly why: string | null;
}

/** Why a request to a cluster failed. `message` is redacted and short. */
export type ClusterFault =
  | { readonly type: 'unreachable'; readonly message: string }
  | { readonly type: 'unauthorized'; readonly message: string }
  | { readonly type: 'forbidden'; readonly message: string }
  | { readonly type: 'credentials'; readonly message: string }
  | { readonly type: 'throttled'; readonly message: string }
  | { readonly type: 'server'; readonly status: number; readonly message: string }
  | { readonly type: 'protocol'; readonly message: string };

/**
 * State of one feed (one kind on one cluster). Forbidden, absent, failed and (live but) empty are four different things.
 * - syncing: the first list or watch-list runs
 * - live: a watch is open and has spoken within its bound
 * - silent: a watch is open but has not spoken past its bookmarks (nothing it said can be trusted to be current)
 * - idle: no object of this kind exists; looked at again and again instead of watched
 * - forbidden: RBAC refuses list or watch
 * - absent: the cluster does not serve this kind
 * - failed: anything else; `fault` says what
 */
export type FeedState =
  | { readonly state: 'syncing' }
  | { readonly state: 'live' }
  | { readonly state: 'silent' }
  | { readonly state: 'idle' }
  | { readonly state: 'forbidden'; readonly fault: ClusterFault }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly fault: ClusterFault };

/** A coordination.k8s.io/v1 Lease, as far as it tells that its holder lives. Times in ms since the epoch. */
export interface ObservedLease {
  readonly namespace: string;
  readonly name: string;
  readonly holder: string | null;
  readonly durationSeconds: number | null;
  /** By its holder's clock, which is taken for that of its cluster. */
  readonly renewTime: number | null;
  /** By how much that clock is ahead of ours (ms); absent where it is not known to be off. */
  readonly ahead?: number;
  /** Counts how often it has changed hands. */
  readonly transitions: number | null;
}

/** Whose loop the pods of a Deployment turn: a controller's, by its name, or that of a package revision of Crossplane. */
export type DeploymentRuns =
  | { readonly type: 'controller'; readonly name: string }
  | { readonly type: 'revision'; readonly name: string };

/** An apps/v1 Deployment (or StatefulSet) of a controller, as far as it tells that pods of it run, and for which objects. */
export interface ObservedDeployment {
  readonly namespace: string;
  readonly name: string;
  readonly runs: DeploymentRuns;
  readonly state: DeploymentState;
  /** The tag of its image, else its version label, else the short digest of its image; null for none of them. */
  readonly version: string | null;
  /** --watch-label-selector; '' where it takes objects whatever their labels. */
  readonly selector: string;
  /** --watch-all-namespaces=false: it takes the objects of its own namespace only. */
  readonly ownNamespaceOnly: boolean;
  /** True where it is started to elect a leader; null where that is not to be seen. */
  readonly elects: boolean | null;
  /** Since when none of its pods is available, by its own condition (ms since the epoch); null where it does not say so. */
  readonly downSince: number | null;
  /** When its status was written last, by managedFields (ms since the epoch); null where they do not say. */
  readonly statusAt: number | null;
  /** It is a StatefulSet. */
  readonly stateful?: true;
  /** --no-cross-namespace-refs: it follows no reference into another namespace. */
  readonly ownReferencesOnly?: true;
  /** --events-addr: it sends its events to notification-controller. */
  readonly sendsEvents?: true;
}

/** The signs of life of one Argo CD: its application-controller has no Lease. Each null where it may not be read. */
export interface ObservedArgoCd {
  readonly workloads: readonly ObservedDeployment[] | null;
  /** The heartbeat that its shards write into a ConfigMap, as a Lease; null also where it distributes statically. */
  readonly heartbeat: ObservedLease | null;
  readonly interval: LoopInterval | null;
}

/** A core/v1 or events.k8s.io/v1 Event about a watched object. Times in ms since the epoch. */
export interface ObservedEvent {
  readonly uid: string;
  readonly about: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly annotations: { readonly [key: string]: string };
  readonly component: string;
}

/**
 * Everything that happens in a session with one cluster, in order, on one function. `at` is ms since the epoch, when it was received.
 * A (re)list is sync-start, `applied` with initial=true for each object, sync-end; what was not named between is gone.
 */
export type ClusterEvent = { readonly at: number } & (
  | { readonly type: 'connected'; readonly protocol: 'h2' | 'http/1.1'; readonly version: string | null }
  | { readonly type: 'disconnected'; readonly fault: ClusterFault }
  /** There is no API server behind this row: it stands only for what is declared. */
  | { readonly type: 'no-cluster' }
  /** Any byte from the cluster that proves the session alive, at most once in 5 s. */
  | { readonly type: 'alive' }
  /** By how much its clock is ahead of ours (ms, whole seconds), as soon as it is known and when it changes. */
  | { readonly type: 'clock'; readonly ahead: number }
  | {
      readonly type: 'kinds';
      readonly kinds: readonly WatchedKind[];
      readonly absent: readonly GroupKind[];
      /** Served kinds of reconcilers' API groups that are not read. */
      readonly unread?: readonly UnreadKind[];
    }
  | { readonly type: 'feed'; readonly kind: GroupKind; readonly feed: FeedState }
  /** So many kinds without objects are only looked at, and the longest of them waited so long (ms) for a look of late. */
  | { readonly type: 'probes'; readonly kinds: number; readonly longest: number }
  | { readonly type: 'sync-start'; readonly kind: WatchedKind }
  | {
      readonly type: 'applied';
      readonly kind: WatchedKind;
      readonly initial: boolean;
      readonly object: ForeignObject;
    }
  | { readonly type: 'deleted'; readonly kind: WatchedKind; readonly object: ForeignObject }
  | { readonly type: 'sync-end'; readonly kind: WatchedKind; readonly resourceVersion: string }
  | { readonly type: 'bookmark'; readonly kind: WatchedKind; readonly resourceVersion: string }
  | { readonly type: 'leases'; readonly namespace: string; readonly leases: readonly ObservedLease[] }
  /** All that are of controllers in a namespace; null where they may not be read. */
  | {
      readonly type: 'deployments';
      readonly namespace: string;
      readonly deployments: readonly ObservedDeployment[] | null;
    }
  /** Where controllers run was asked; where not `isWhole`, they may run in namespaces that are not looked at. */
  | { readonly type: 'searched'; readonly of: 'controllers' | 'argo'; readonly isWhole: boolean }
  | { readonly type: 'argo'; readonly namespace: string; readonly argo: ObservedArgoCd }
  | { readonly type: 'event'; readonly event: ObservedEvent }
);

/** Where a watch may resume after a restart: the last resourceVersion that was stored for the kind. */
export interface ResumePoint extends GroupKind {
  readonly version: string;
  readonly resourceVersion: string;
}
