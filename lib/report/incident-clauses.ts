import { formatCount } from '../format/number.ts';
import type { IncidentFigures } from '../domain/record/figures.ts';

/** The counts that account for every incident of a period. */
export type IncidentCounts = Pick<
  IncidentFigures,
  'opened' | 'openAtStart' | 'closed' | 'closedFromBefore' | 'gone' | 'open'
>;

/** One clause: the number that it begins with, '' where it begins with none, and its other words. */
export interface IncidentClause {
  readonly count: string;
  readonly words: string;
}

/** Left, came back, gone and still away: the numbers add up, also where some objects had left before the period. */
export function incidentClauses(counts: IncidentCounts): readonly IncidentClause[] {
  const { opened, openAtStart, closed, closedFromBefore, gone, open } = counts;
  if (opened + openAtStart === 0) return [{ count: '', words: 'No object was seen to leave git' }];
  return [
    leftClause(opened),
    ...backClauses(opened, closed - closedFromBefore),
    ...beforeClauses(counts),
    ...clause(
      gone,
      gone === 1 ? ' was removed, or is not watched any more' : ' were removed, or are not watched any more',
    ),
    ...clause(open, open === 1 ? ' was still away at the end' : ' were still away at the end'),
  ];
}

function leftClause(opened: number): IncidentClause {
  if (opened === 0) return { count: '', words: 'No more objects left git' };
  return opened === 1
    ? { count: 'Once', words: ' an object left git' }
    : { count: formatCount(opened), words: ' times an object left git' };
}

/** Number of those that left in the period and came back in it. */
function backClauses(opened: number, back: number): readonly IncidentClause[] {
  if (opened > 0 && back === 0)
    return [{ count: '', words: opened === 1 ? 'it did not come back' : 'none of them came back' }];
  return clause(back, opened === 1 ? ' came back' : ' of them came back');
}

/** Number of those that had left before and came back in it; of how many, where not all did: so that what is still away adds up. */
function beforeClauses({ opened, openAtStart, closedFromBefore: back }: IncidentCounts): readonly IncidentClause[] {
  const before = 'that had left before the period came back';
  if (back === openAtStart) return clause(back, `${opened === 0 ? '' : ' more'} ${before}`);
  if (back > 0) return clause(back, ` of the ${formatCount(openAtStart)} ${before}`);
  if (opened === 0) return [];
  return [
    {
      count: '',
      words:
        openAtStart === 1
          ? 'the one that had left before the period did not come back'
          : `none of the ${formatCount(openAtStart)} ${before}`,
    },
  ];
}

function clause(count: number, words: string): readonly IncidentClause[] {
  return count === 0 ? [] : [{ count: formatCount(count), words }];
}

/** Words before the median time away of those that came back; `atLeast` where it may be longer. */
export function medianWords(closed: number, atLeast: boolean): string {
  const least = atLeast ? 'at least ' : '';
  return closed === 1
    ? `The one that came back was away for ${least}`
    : `Median time away of those that came back: ${least}`;
}
