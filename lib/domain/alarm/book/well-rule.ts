import type { RuleFact } from '../fact.ts';
import { rulesReadAt } from '../source.ts';
import type { SourceBook } from './source-book.ts';

/**
 * True of a rule without an error that was evaluated no longer than three of its intervals before the reading that told of it, `readAt` (ms): between two
 * readings nobody knows of its evaluations.
 */
export function isEvaluated(
  { health, evaluatedAt, interval }: Pick<RuleFact, 'health' | 'evaluatedAt' | 'interval'>,
  readAt: number | null,
): boolean {
  return health === 'ok' && evaluatedAt !== null && readAt !== null && readAt < evaluatedAt + 3 * interval;
}

/** The same of a rule of a source. */
export function isWell(rule: RuleFact, book: Pick<SourceBook, 'source'>): boolean {
  return isEvaluated(rule, rulesReadAt(book.source()));
}
