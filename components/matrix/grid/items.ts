import { countOf } from '#lib/format/number.ts';
import type { GridHeader, Line } from './grid.ts';
import { type RowPosition, silentSection } from './order.ts';
import { sharedPrefix, standsAbove } from './titles.ts';

/** Item of those that stand under each other in the matrix. `row` is its aria-rowindex; `height` in px. */
export type Item =
  | {
      readonly type: 'group';
      readonly key: string;
      readonly row: number;
      readonly height: number;
      readonly title: string;
      readonly note: string;
      readonly prefix: string;
    }
  | {
      readonly type: 'line';
      readonly key: string;
      readonly row: number;
      readonly height: number;
      readonly line: Line;
      readonly prefix: string;
    }
  | {
      readonly type: 'fold';
      readonly key: string;
      readonly row: number;
      readonly height: number;
      readonly section: string;
      readonly open: boolean;
      readonly text: string;
    };

/** A column of the matrix, or several that are in order and folded into one. */
export type HeaderItem =
  | {
      readonly type: 'header';
      readonly key: string;
      readonly column: number;
      readonly header: GridHeader;
      readonly index: number;
      readonly first: boolean;
    }
  | {
      readonly type: 'fold';
      readonly key: string;
      readonly column: number;
      readonly group: string;
      readonly indices: readonly number[];
      readonly first: boolean;
    };

export const rowHeight = 29;
const groupHeight = 30;
/** The two rows of column headers come before the first item. */
const headerRows = 2;

/** Rows in their sections (counted as `noun`s where that helps), the folded ones of each behind one line; with the number that the last row has. */
export function itemsOf(
  lines: readonly Line[],
  positions: readonly RowPosition[],
  opened: ReadonlySet<string>,
  noun: string | null,
): { readonly items: readonly Item[]; readonly rowCount: number } {
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const items: Item[] = [];
  let row = headerRows;
  for (const [section, members] of sectionsOf(positions)) {
    const inSection = members.flatMap((position) => lineOf.get(position.id) ?? []);
    // A row of what is only declared is no cluster.
    const declared = inSection.filter(({ row: own }) => own?.state === 'declared').length;
    const counted = members.length - declared;
    const prefix = sharedPrefix(inSection.map((line) => line.title));
    if (section !== '') {
      row += 1;
      items.push({
        type: 'group',
        key: `group ${section}`,
        row,
        height: groupHeight,
        title: sectionTitle(section),
        note: noun === null || counted === 0 ? '' : countOf(counted, noun),
        prefix,
      });
    }
    const shown = (folded: boolean) =>
      members.filter((position) => position.folded === folded).flatMap((position) => lineOf.get(position.id) ?? []);
    for (const line of shown(false)) {
      row += 1;
      items.push({ type: 'line', key: line.id, row, height: rowHeight, line, prefix });
    }
    const folded = shown(true);
    if (folded.length === 0) continue;
    const open = opened.has(section);
    row += 1;
    items.push({
      type: 'fold',
      key: `fold ${section}`,
      row,
      height: rowHeight,
      section,
      open,
      text: `${countOf(folded.length, noun ?? 'row')} converged`,
    });
    if (open)
      folded.forEach((line, at) =>
        items.push({ type: 'line', key: line.id, row: row + 1 + at, height: rowHeight, line, prefix }),
      );
    row += folded.length;
  }
  return { items, rowCount: row };
}

function sectionTitle(section: string): string {
  return section === silentSection ? 'away, and nobody is being called' : section;
}

function sectionsOf(positions: readonly RowPosition[]): ReadonlyMap<string, readonly RowPosition[]> {
  return Map.groupBy(positions, (position) => position.section);
}

/** Columns from which those in order fold, group by group. */
const foldColumnsFrom = 19;

/** The columns to show; where there are many, those of a group in which no cell deviates stand behind one "+14". */
export function headerItemsOf(
  headers: readonly GridHeader[],
  isQuiet: (index: number) => boolean,
  opened: ReadonlySet<string>,
): readonly HeaderItem[] {
  const fold = headers.length >= foldColumnsFrom;
  const indexed = headers.map((header, index) => ({ header, index, quiet: fold && isQuiet(index) }));
  return [...Map.groupBy(indexed, ({ header }) => header.group)].flatMap(([group, members]) => {
    const quiet = members.filter((member) => member.quiet);
    const folds = quiet.length > 1 && !opened.has(group);
    // Numbered as they stand: what is folded comes last in its group.
    const start = (members[0]?.index ?? 0) + 2;
    const single = members
      .filter((member) => !folds || !member.quiet)
      .map(({ header, index }, at): HeaderItem => ({
        type: 'header',
        key: header.id,
        column: start + at,
        header,
        index,
        first: at === 0,
      }));
    if (!folds) return single;
    const indices = quiet.map((member) => member.index);
    const column = start + single.length;
    return [
      ...single,
      { type: 'fold', key: `fold ${group}`, column, group, indices, first: single.length === 0 } satisfies HeaderItem,
    ];
  });
}

/** The group of a column, or of those that are folded into one. */
export function groupOf(item: HeaderItem): string {
  return item.type === 'header' ? item.header.group : item.group;
}

/** Number of columns that an item stands for. */
export function columnsOf(item: HeaderItem): number {
  return item.type === 'fold' ? item.indices.length : 1;
}

/** The groups whose names do not stand whole above their columns: they stand upright, beside the name of the first. */
export function uprightGroups(items: readonly HeaderItem[]): ReadonlySet<string> {
  const groups = Map.groupBy(items, groupOf);
  return new Set([...groups].flatMap(([group, members]) => (standsAbove(group, members.length) ? [] : [group])));
}
