import type { TimesNotKnown } from '../../api/git/times-not-known.ts';
import type { FateName } from '../../domain/commit/fate.ts';

/** States of a cluster for a commit that concerns it. The first is the one to look at first. */
export const waveStates = [
  'stuck',
  'failed-later',
  'unknown',
  'on-its-way',
  'superseded',
  'converged',
] as const satisfies readonly FateName[];
export type WaveState = (typeof waveStates)[number];

/** Times (ms) of a commit on one cluster; null where it has not come so far, or that is not known. */
export interface WaveCluster {
  readonly cluster: string;
  /** '' where it has none. */
  readonly environment: string;
  readonly state: WaveState;
  /** Its sources offered the commit. */
  readonly offeredAt: number | null;
  /** The first of its objects arrived, and the last. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Why nothing is known of these times; null or absent where what is recorded of them is told. */
  readonly notKnown?: TimesNotKnown | null;
}

/** True if a commit has come to all of a cluster that it concerns, and nothing has failed there since without a later one. */
export function hasArrived({ state }: { readonly state: FateName }): boolean {
  return state === 'converged' || state === 'superseded';
}

/** True if a commit has come to all of a cluster that it concerns, whatever became of it since: nothing is open. */
export function hasCome(cluster: { readonly state: FateName }): boolean {
  return hasArrived(cluster) || cluster.state === 'failed-later';
}

/** True if nothing is known of when a commit came to a cluster. */
export function areTimesNotKnown({ notKnown }: Pick<WaveCluster, 'notKnown'>): boolean {
  return notKnown !== undefined && notKnown !== null;
}
