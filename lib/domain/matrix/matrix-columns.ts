import { compareText } from '../observation/compare-text.ts';
import type { HeaderPosition } from './column-seeds.ts';
import type { MatrixRow } from './matrix-row.ts';

/** One column over all rows. `object` where every cell stands for the one object of this name. */
export interface MatrixColumn {
  readonly id: string;
  /** Where its cells lie in the rows that it is of. */
  readonly slot: number;
  readonly group: string;
  readonly title: string;
  readonly filter: { readonly [key: string]: string };
  readonly object: {
    readonly group: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  } | null;
}

interface Gathering {
  readonly id: string;
  readonly slot: number;
  readonly title: string;
  readonly filter: { readonly [key: string]: string };
  readonly groups: Map<string, number>;
  object: MatrixColumn['object'];
}

/** Folders that come before all others. */
const first = ['sources', 'clusters', 'infrastructure'];
const positions: readonly HeaderPosition[] = ['folder', 'applier', 'resource', 'declared'];

/** All columns that any row has a cell in, in their order: by header, then by title. */
export function matrixColumns(rows: Iterable<MatrixRow>): readonly MatrixColumn[] {
  const columns = new Map<string, Gathering>();
  const positionOf = new Map<string, HeaderPosition>();
  // What a row contributes stands in its layout, and most rows of a fleet have the same.
  const alike = new Map<string, { readonly row: MatrixRow; count: number }>();
  for (const row of rows) {
    const known = alike.get(row.layout);
    if (known) known.count += 1;
    else alike.set(row.layout, { row, count: 1 });
  }
  for (const { row, count } of alike.values()) {
    for (const { seed, objects, worst } of row.cells) {
      const { id, slot, title, filter } = seed;
      const found = columns.get(id);
      positionOf.set(seed.group, later(positionOf.get(seed.group), seed.position));
      const { group, kind, namespace, name } = worst.ref;
      if (!found) {
        const object = objects === 1 ? { group, kind, namespace, name } : null;
        columns.set(id, { id, slot, title, filter, groups: new Map([[seed.group, count]]), object });
        continue;
      }
      found.groups.set(seed.group, (found.groups.get(seed.group) ?? 0) + count);
      const same = found.object;
      const isSame = same?.name === name && same.namespace === namespace && same.kind === kind && same.group === group;
      if (objects !== 1 || !isSame) found.object = null;
    }
  }
  return [...columns.values()]
    .map(({ groups, ...column }) => ({ ...column, group: mostFrequent(groups) }))
    .toSorted(
      (a, b) =>
        groupRank(a.group, positionOf) - groupRank(b.group, positionOf) ||
        compareText(a.group, b.group) ||
        compareText(a.title, b.title) ||
        compareText(a.id, b.id),
    );
}

function mostFrequent(groups: ReadonlyMap<string, number>): string {
  const [best] = [...groups].toSorted(([a, n], [b, m]) => m - n || compareText(a, b));
  return best?.[0] ?? '';
}

/** A header that gathers both folders and resources stands where the last of them do, whichever row comes first. */
function later(known: HeaderPosition | undefined, position: HeaderPosition): HeaderPosition {
  return known !== undefined && positions.indexOf(known) > positions.indexOf(position) ? known : position;
}

function groupRank(group: string, positionOf: ReadonlyMap<string, HeaderPosition>): number {
  const early = first.indexOf(group);
  return early >= 0 ? early - first.length : positions.indexOf(positionOf.get(group) ?? 'folder');
}
