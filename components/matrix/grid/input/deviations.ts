import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import { deviates, type Cell, type Line } from '../grid.ts';

/** A cell that deviates: the ids of its row and its column. */
export interface Deviation {
  readonly line: string;
  readonly header: string;
}

/** All cells that deviate, worst first: silent ones, then by verdict, then as they stand. A row or column that is not seen at all is one stop. */
export function deviationsOf(lines: readonly Line[], headerIds: readonly string[]): readonly Deviation[] {
  const unseen = new Set<string>();
  const found: { readonly at: Deviation; readonly rank: number }[] = [];
  for (const line of lines) {
    line.cells.forEach((cell, index) => {
      const header = headerIds[index];
      if (header === undefined || !deviates(cell)) return;
      if (cell.verdict === 'unobserved' && cell.mark === null) {
        if (unseen.has(line.id) || unseen.has(header)) return;
        unseen.add(line.row === null ? header : line.id);
      }
      found.push({ at: { line: line.id, header }, rank: rankOf(cell) });
    });
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ at }) => at);
}

function rankOf(cell: Cell): number {
  const rank = cell.verdict === null ? 99 : verdictRank(cell.verdict);
  return cell.mark?.alarm === 'silent' ? rank - 100 : rank;
}

/** The next deviation after a cell, or the one before it; round and round. */
export function nextDeviation(all: readonly Deviation[], from: Deviation | null, step: 1 | -1): Deviation | null {
  if (all.length === 0) return null;
  const at = from === null ? -1 : all.findIndex((each) => each.line === from.line && each.header === from.header);
  if (at === -1) return all.at(step === 1 ? 0 : -1) ?? null;
  return all.at((at + step) % all.length) ?? null;
}
