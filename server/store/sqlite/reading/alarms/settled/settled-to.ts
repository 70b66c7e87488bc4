import type { Period } from '#lib/domain/record/span.ts';
import { firstWhole } from '../../../rows/cells.ts';
import type { GapReader } from '../../record/record-gaps.ts';
import type { RollupReader } from '../../record/record-rollups.ts';
import type { ScopeIds, Scopes } from '../../record/record-scope.ts';

/** Tells up to when nothing of a scope changes without its days being rolled up anew. */
export function openSettledTo(
  scopes: Scopes,
  { rollups, gaps }: { readonly rollups: Pick<RollupReader, 'ranges'>; readonly gaps: Pick<GapReader, 'begun'> },
) {
  const carried = scopes.statement("SELECT place FROM housekeeping WHERE work = 'incidents-up-to'");

  /** A moment (ms) within a period; null for none, and while root causes are still being noted of what is over. */
  return (scope: ScopeIds, { from, to }: Period): number | null => {
    if (firstWhole(carried) !== null) return null;
    const ranges = rollups.ranges(scope);
    const rolled = ranges.filter((range) => range.from < range.to);
    if (rolled.length === 0 || rolled.some((range) => range.from > from)) return null;
    let end = rolled.reduce((first, range) => Math.min(first, range.to), to);
    // A cluster that came since has no day that is over.
    const others = ranges.filter((range) => range.from >= range.to).map(({ cluster }) => cluster);
    if (others.length > 0) for (const begun of gaps.begun({ clusters: others }).values()) end = Math.min(end, begun);
    return end > from ? end : null;
  };
}
