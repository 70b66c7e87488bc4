import { formatCount } from '../../format/number.ts';

/** The counts that account for everything that began, ended or lasted in a period: opened + openAtStart = closed + gone + open. */
export interface AccountCounts {
  readonly opened: number;
  readonly openAtStart: number;
  readonly closed: number;
  readonly closedFromBefore: number;
  readonly gone: number;
  readonly open: number;
}

/** One clause: the number that it begins with, '' where it begins with none, and its other words. */
export interface AccountClause {
  readonly count: string;
  readonly words: string;
}

/** The words of an account: of one, and of several. Those after a number begin with a blank. */
interface AccountWords {
  readonly nothing: string;
  readonly noMore: string;
  readonly openedOne: AccountClause;
  readonly opened: string;
  /** "came back" */
  readonly closed: string;
  readonly notClosed: string;
  /** "that had left before the period" */
  readonly before: string;
  readonly gone: readonly [one: string, several: string];
  readonly open: readonly [one: string, several: string];
}

/** Began, ended, ended otherwise and lasting: the numbers add up, also where some had begun before the period. */
export function accountClauses(counts: AccountCounts, words: AccountWords): readonly AccountClause[] {
  const { opened, openAtStart, closed, closedFromBefore, gone, open } = counts;
  if (opened + openAtStart === 0) return [{ count: '', words: words.nothing }];
  return [
    openedClause(opened, words),
    ...closedClauses(opened, closed - closedFromBefore, words),
    ...beforeClauses(counts, words),
    ...clause(gone, words.gone[gone === 1 ? 0 : 1]),
    ...clause(open, words.open[open === 1 ? 0 : 1]),
  ];
}

function openedClause(opened: number, words: AccountWords): AccountClause {
  if (opened === 0) return { count: '', words: words.noMore };
  return opened === 1 ? words.openedOne : { count: formatCount(opened), words: words.opened };
}

/** Number of those that began in the period and ended in it. */
function closedClauses(opened: number, closed: number, words: AccountWords): readonly AccountClause[] {
  if (opened > 0 && closed === 0)
    return [{ count: '', words: opened === 1 ? `it ${words.notClosed}` : `none of them ${words.closed}` }];
  return clause(closed, opened === 1 ? ` ${words.closed}` : ` of them ${words.closed}`);
}

/** Number of those that had begun before and ended in it; of how many, where not all did: so that what lasts adds up. */
function beforeClauses(
  { opened, openAtStart, closedFromBefore }: AccountCounts,
  { before, closed, notClosed }: AccountWords,
): readonly AccountClause[] {
  if (closedFromBefore === openAtStart)
    return clause(closedFromBefore, `${opened === 0 ? '' : ' more'} ${before} ${closed}`);
  const all = formatCount(openAtStart);
  if (closedFromBefore > 0) return clause(closedFromBefore, ` of the ${all} ${before} ${closed}`);
  if (opened === 0) return [];
  const none = openAtStart === 1 ? `the one ${before} ${notClosed}` : `none of the ${all} ${before} ${closed}`;
  return [{ count: '', words: none }];
}

function clause(count: number, words: string): readonly AccountClause[] {
  return count === 0 ? [] : [{ count: formatCount(count), words }];
}
