import type { WireRow } from '#lib/api/fleet.ts';
/** Where a row stands: in which section, and whether it is folded away with what is in order. */
export interface RowPosition {
  readonly id: string;
  readonly section: string;
  readonly folded: boolean;
}

/**
 * Positions while the order is frozen: rows stay where they were, new ones come last, gone ones go.
 * A folded row that now deviates is shown at once: nothing wrong may hide.
 */
export function frozenPositions(before: readonly RowPosition[], now: readonly RowPosition[]): readonly RowPosition[] {
  const next = new Map(now.map((position) => [position.id, position]));
  const kept = before.flatMap((position) => {
    const fresh = next.get(position.id);
    next.delete(position.id);
    return fresh === undefined ? [] : [{ ...position, folded: position.folded && fresh.folded }];
  });
  return [...kept, ...next.values()];
}

/** Least number of rows to move to come from the one to the other (both hold the same rows): all but the longest run in order. */
export function movesBetween(shown: readonly RowPosition[], now: readonly RowPosition[]): number {
  const target = new Map(now.map((position, index) => [position.id, { position, index }]));
  const tails: number[] = [];
  for (const position of shown) {
    const to = target.get(position.id);
    if (to === undefined || to.position.section !== position.section || to.position.folded !== position.folded)
      continue;
    const spot = tails.findIndex((tail) => tail > to.index);
    tails[spot === -1 ? tails.length : spot] = to.index;
  }
  return shown.length - tails.length;
}

/** The section of rows that are away and silent, above all groups. No label can have this value. */
export const silentSection = '\u0000silent';

/** From so many rows on, silent ones are pinned above all groups: in a shorter matrix they are in sight where they belong. */
const pinFrom = 25;
/** From so many rows on, those in order are folded. */
const foldFrom = 61;

/** Where each row of a fleet belongs, in the server's order: silent ones first, then groups. */
export function positionsOf(rows: readonly WireRow[]): readonly RowPosition[] {
  const pin = rows.length >= pinFrom;
  const fold = rows.length >= foldFrom;
  const positions = rows.map((row): RowPosition => {
    const silent = pin && row.silent > 0;
    return { id: row.cluster, section: silent ? silentSection : row.group, folded: fold && inOrder(row) };
  });
  return [...positions.filter(isSilent), ...positions.filter((position) => !isSilent(position))];
}

function isSilent(position: RowPosition): boolean {
  return position.section === silentSection;
}

/** True if a cluster is seen and everything on it that can be observed is converged at the newest commit. */
function inOrder(row: WireRow): boolean {
  return (
    row.state === 'live' &&
    (row.worst === null || row.worst === 'converged') &&
    row.marks.every((mark) => mark.declared === true)
  );
}
