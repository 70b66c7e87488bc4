import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { Wanted } from '#lib/domain/pager/given.ts';
import type { ReadLabels } from '#lib/domain/pager/label.ts';
import type { Match } from '#lib/domain/pager/match.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** Labels that were read, what they name, and what that has led to. */
export interface Found {
  readonly read: ReadLabels;
  readonly wanted: Wanted;
  readonly match: Match<KnownObject>;
  readonly fleet: readonly KnownCluster[];
  /** It is a past moment. */
  readonly past: boolean;
}

/** True where a pager gave the number of its alert. */
export function hasFingerprint({ labels }: ReadLabels): boolean {
  return labels.some(({ name }) => name.toLowerCase() === 'fingerprint');
}
