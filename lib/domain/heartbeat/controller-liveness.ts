import type { DeploymentState } from '../record/current.ts';

/**
 * Result of the readings of a controller's lease.
 * none: there is none, or nobody could look lately; moving: it moves; late: it moved once, the latest readings found it where it
 * was or given back, and its term is not over; stood: it moved once and has stood still for its whole term; unmoved: it was
 * never seen moving; never: nor has it moved in a whole term of readings.
 */
export type LeaseState = 'none' | 'moving' | 'late' | 'stood' | 'unmoved' | 'never';

/** Which sign of life says so: one that is there (first two), one that is missing, or none that proves anything. */
export type LivenessSign =
  | 'lease-moves'
  | 'pod-available'
  | 'pod-doubted'
  | 'lease-stands'
  | 'stuck'
  | 'no-pod'
  | 'scaled-to-zero'
  | 'lease-unmoved'
  | 'not-known'
  | 'not-searched'
  | 'too-many'
  | 'which-one'
  | 'nobody';

/** Liveness of a controller: if its loop turns, and what says so. */
export interface ControllerLiveness {
  readonly state: 'alive' | 'dead' | 'unknown';
  readonly sign: LivenessSign;
}

/** Interval at which a controller is set to pass over its objects, ms with its jitter; `never` where it is told not to by itself. */
export type LoopInterval = number | 'never';

/** The controller behind an object, as it is told to the judge. Times in ms since the epoch. */
export interface Heartbeat extends ControllerLiveness {
  readonly cluster: string;
  /** '' where no instance of it is known. */
  readonly namespace: string;
  readonly name: string;
  /** Its lease and its Deployment as "namespace/name", null where none is known. */
  readonly lease: string | null;
  readonly deployment: string | null;
  /** Its pods are of a StatefulSet of this name rather than of a Deployment. */
  readonly stateful?: true;
  /** Its last sign of life, or since when that is missing; null where it is not known. */
  readonly at: number | null;
  /**
   * Since when a sign of life is looked for (again): no pass from before proves anything. Null where there is one, or where its
   * cluster was never out of sight.
   */
  readonly awaitedSince: number | null;
  /** Its own interval, where it is a setting of the controller and could be read; else null. */
  readonly interval: LoopInterval | null;
}

/** Signs known of one controller. */
export interface ControllerSigns {
  readonly lease: LeaseState;
  /** `doubted`: it says that a pod is available, as it did before its cluster was out of sight; nobody may have written it since. */
  readonly deployment: DeploymentState | 'doubted';
  /** True if it is started to elect a leader; null where that is not to be seen. */
  readonly elects: boolean | null;
}

function alive(sign: LivenessSign): ControllerLiveness {
  return { state: 'alive', sign };
}

function dead(sign: LivenessSign): ControllerLiveness {
  return { state: 'dead', sign };
}

function unknown(sign: LivenessSign): ControllerLiveness {
  return { state: 'unknown', sign };
}

/**
 * Liveness of a controller, by its lease and its Deployment. A lease that moves wins: only who turns the loop renews it.
 * Without a pod it is dead at once, with a pod and a lease that stands still for its term it is stuck. A lease that was never
 * seen moving proves nothing, unless the pod is there to renew it and does not; where no leader is elected it was left behind.
 * A Deployment whose status is doubted proves neither that the controller is alive nor that it is dead.
 * Total over all combinations; the table is in the test. Sources: client-go tools/leaderelection (renewal), docs/design/heartbeats.md,
 * docs/facts/flux.md.
 */
export function controllerLiveness({ lease, deployment, elects }: ControllerSigns): ControllerLiveness {
  if (lease === 'moving') return alive('lease-moves');
  switch (deployment) {
    case 'scaled-to-zero':
      return dead('scaled-to-zero');
    case 'unavailable':
      return dead('no-pod');
    case 'available':
      return besidePod(elects === false ? 'none' : lease, elects);
    case 'doubted':
      return lease === 'none' || elects === false ? unknown('pod-doubted') : byLease[lease];
    case 'unknown':
      return byLease[lease];
  }
}

type StillLease = Exclude<LeaseState, 'moving'>;

/** Liveness by a lease that is not moving now, where nothing is known of a pod. */
const byLease: Readonly<Record<StillLease, ControllerLiveness>> = {
  none: unknown('not-known'),
  late: alive('lease-moves'),
  stood: dead('lease-stands'),
  unmoved: unknown('lease-unmoved'),
  never: unknown('lease-unmoved'),
};

/** The same, where a pod is there that should renew it. */
function besidePod(lease: StillLease, elects: boolean | null): ControllerLiveness {
  if (lease === 'none') return alive('pod-available');
  return lease === 'stood' || (lease === 'never' && elects === true) ? dead('stuck') : byLease[lease];
}
