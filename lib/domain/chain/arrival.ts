/**
 * One commit on one cluster: when its source there first offered it, and when appliers had converged at it. Appliers whose
 * manifests it did not touch arrive too. Times in ms since the epoch.
 */
export interface Arrival {
  readonly cluster: string;
  /** 40 or 64 hex. */
  readonly commit: string;
  /** When a source on the cluster was first seen to offer it; null where that was before Plumbline looked. */
  readonly offeredAt: number | null;
  /** When the first and the last applier that arrived so far were converged at it. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Number of appliers that have arrived. */
  readonly objects: number;
}
