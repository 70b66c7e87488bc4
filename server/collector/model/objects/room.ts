import { formatBytes, formatCount } from '#lib/format/number.ts';
import type { Load } from './object-graph.ts';

/** Most that is known of one cluster. */
export interface ObjectBudget {
  readonly objectsAtMost: number;
  /** Memory that they take, about (bytes). */
  readonly keptBytesAtMost: number;
}

/** Why there is no room for more than what is held, as a sentence for people; null while there is. */
export function whyFull({ objects, bytes }: Load, { objectsAtMost, keptBytesAtMost }: ObjectBudget): string | null {
  if (objects > objectsAtMost)
    return `it holds more than the ${formatCount(objectsAtMost)} objects that are read of one cluster`;
  if (bytes <= keptBytesAtMost) return null;
  return `what its objects say is more than the ${formatBytes(keptBytesAtMost)} that are kept of one cluster`;
}
