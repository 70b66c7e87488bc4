import { refKey } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import { compareTexts } from '../../../record/lists.ts';
import { firstRow, whole } from '../../rows/cells.ts';
import type { Scopes } from './record-scope.ts';
import type { ShareReader } from './record-shares.ts';

/** The objects that were away longest, over an open database. */
export function openWorst(scopes: Scopes, shares: ShareReader): RecordReader['worst'] {
  function corrected(object: number, { from, to }: Period): number {
    const statement = scopes.statement(
      'SELECT COALESCE(SUM(count), 0) FROM correction WHERE object = ? AND at >= ? AND at < ?',
    );
    return whole(firstRow(statement, object, from, to)?.[0]);
  }

  function lasted(object: number, { from, to }: Period): number {
    const statement = scopes.statement(
      `SELECT COUNT(*) FROM incident WHERE object = ? AND noticed_at < ?
         AND (closed_at IS NULL OR (closed_at > ? AND closed_at > noticed_at))`,
    );
    return whole(firstRow(statement, object, to, from)?.[0]);
  }

  return async (scope, period, limit) => {
    const ids = scopes.resolve(scope);
    if (ids === null || period.from >= period.to || limit < 1) return [];
    return shares
      .longestAway(ids, period, limit)
      .map(({ object, away }) => ({ object, away, ref: scopes.refOf(object) }))
      .toSorted((a, b) => b.away - a.away || compareTexts(refKey(a.ref), refKey(b.ref)))
      .slice(0, limit)
      .map(({ object, ref }) => ({
        ref,
        shares: shares.sharesOf(scopes.ofCluster(ref.cluster), object, period),
        incidents: lasted(object, period),
        corrections: corrected(object, period),
      }));
  };
}
