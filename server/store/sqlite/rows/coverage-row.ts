import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import type { GroupAndKind } from './kind-reader.ts';
import { text, textOrNull, whole, type Row } from './cells.ts';

/** The columns of a point of coverage, in the order that `pointOf` reads. */
export const pointColumns = 'kind, at, observed, state, reason';

/** The id of the kind that a point of the cluster itself has. */
export const clusterItself = 0;

/** The point in a row whose columns from `offset` on are `pointColumns`. */
export function pointOf(row: Row, offset: number, kindOf: (id: number) => GroupAndKind): CoveragePoint {
  const kind = whole(row[offset]);
  return {
    kind: kind === clusterItself ? null : kindOf(kind),
    at: whole(row[offset + 1]),
    observed: row[offset + 2] === 1,
    state: text(row[offset + 3]),
    reason: textOrNull(row[offset + 4]),
  };
}
