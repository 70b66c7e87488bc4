import type { Observation } from '../observation/observation.ts';

export const commitDiffersWords = ['no', 'yes', 'unknown'] as const;
/** Tells if the source of an object offers another commit than runs: `no` also where nothing is offered to it, `unknown` where that is not read. */
export type CommitDiffers = (typeof commitDiffersWords)[number];

/** An object with the revision that it runs, and the one that is offered to it. */
interface Running extends Pick<Observation, 'role' | 'reconciler' | 'source'> {
  readonly commit: string | null;
  readonly revision: { readonly applied: string | null; readonly offered: string | null };
}

/**
 * True if something runs that its source may have a newer one of, and what that offers is not known. The commit of a HelmRelease is that of who
 * delivers it: no chart says anything of it.
 */
export function isOfferUnread({ role, reconciler, source, commit, revision: { applied, offered } }: Running): boolean {
  if (role !== 'applier' || source === null || offered !== null) return false;
  return commit === null ? applied !== null : reconciler !== 'helm';
}
