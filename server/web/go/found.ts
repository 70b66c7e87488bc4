import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { Wanted } from '#lib/domain/pager/given.ts';
import type { Label, ReadLabels } from '#lib/domain/pager/label.ts';
import type { Match } from '#lib/domain/pager/match.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** Labels that were read, what they name, and what that has led to. */
export interface Found {
  readonly read: ReadLabels;
  readonly wanted: Wanted;
  /** A fingerprint was given, and is not known. */
  readonly isMissing: boolean;
  readonly match: Match<KnownObject>;
  readonly fleet: readonly KnownCluster[];
  /** It is a past moment. */
  readonly past: boolean;
}

/** The number of its alert, where a pager gave one: as Alertmanager writes it; null for none. */
export function fingerprintIn(labels: readonly Label[]): string | null {
  const said =
    labels
      .find(({ name }) => name.toLowerCase() === 'fingerprint')
      ?.value.trim()
      .toLowerCase() ?? '';
  return /^[^\s]{1,64}$/.test(said) ? said : null;
}
