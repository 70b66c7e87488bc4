import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import type { GroupAndKind } from './kind-reader.ts';
import { text, textOrNull, whole, type Row } from './cells.ts';

/** The id of the kind that a point of the cluster itself has. */
export const clusterItself = 0;

/** The point in a row whose columns from `offset` on are kind, at, observed, state and reason. */
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
