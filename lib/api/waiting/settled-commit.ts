import type { WireCommitPage } from '../commit.ts';

/** Nothing more is to be waited for: the commit has arrived, it failed, or it concerns nothing. */
export function isSettled({ outcome, counts }: Pick<WireCommitPage, 'outcome' | 'counts'>): boolean {
  // Nothing is read of its repository yet where there is nothing that it does not concern either.
  const concernsNothing = outcome === 'nothing' && counts['not-concerned'] > 0;
  return outcome === 'arrived' || outcome === 'failed' || concernsNothing;
}
