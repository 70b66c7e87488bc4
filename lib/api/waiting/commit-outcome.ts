import type { outcomes, WireCommitPage } from '../commit.ts';

/** Outcome of a commit in all, by how many objects are in each state; those that it does not concern say nothing. */
export function commitOutcome(counts: WireCommitPage['counts']): (typeof outcomes)[number] {
  if (counts.stuck > 0 || counts['failed-later'] > 0) return 'failed';
  if (counts.unknown > 0) return 'unknown';
  if (counts['on-its-way'] > 0) return 'waiting';
  return counts.converged > 0 || counts.superseded > 0 ? 'arrived' : 'nothing';
}
