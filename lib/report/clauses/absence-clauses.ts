import { accountClauses, type AccountClause, type AccountCounts } from './account-clauses.ts';

/** Left, came back, gone and still away: of single objects. */
export function absenceClauses(counts: AccountCounts): readonly AccountClause[] {
  return accountClauses(counts, {
    nothing: 'No object was seen to leave git',
    noMore: 'No more objects left git',
    openedOne: { count: 'Once', words: ' an object left git' },
    opened: ' times an object left git',
    closed: 'came back',
    notClosed: 'did not come back',
    before: 'that had left before the period',
    gone: [' was removed, or is not watched any more', ' were removed, or are not watched any more'],
    open: [' was still away at the end', ' were still away at the end'],
  });
}

/** Words before the median time away of those that came back; `atLeast` where it may be longer. */
export function medianWords(closed: number, atLeast: boolean): string {
  const least = atLeast ? 'at least ' : '';
  return closed === 1
    ? `The one that came back was away for ${least}`
    : `Median time away of those that came back: ${least}`;
}
