'use client';

import { useSyncExternalStore, type ReactNode } from 'react';
import { useCommitName } from '../../queries/use-commit-name.ts';
import { commitTitle } from '#lib/format/git/commit-title.ts';
import { useNow } from '../../ui/now.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { cellName } from './cell-view.tsx';
import type { Shades } from '../by-commit/shades.ts';
import { comparison } from '../by-commit/comparison.ts';
import type { Cell, Grid, Line } from './grid.ts';
import type { Spotlight } from './input/hover.ts';
import type { HeaderItem } from './items.ts';

interface ReadOutProps {
  readonly spotlight: Spotlight;
  readonly lineOf: (key: string) => Line | undefined;
  readonly headerOf: (key: string) => HeaderItem | undefined;
  /** True if any alarm is read. */
  readonly alarmsRead: boolean;
  readonly shades: Shades | null;
  readonly grid: Grid;
  /** Content of the line while no cell is read out. */
  readonly children: ReactNode;
  /** Content at its end, also meanwhile: whoever tabs on from a cell comes there. */
  readonly aside: ReactNode;
}

/** The one sticky line under the matrix: the cell under the pointer or the focus in full. */
export function ReadOut({ spotlight, lineOf, headerOf, alarmsRead, shades, grid, children, aside }: ReadOutProps) {
  const spotted = useSyncExternalStore(spotlight.subscribe, spotlight.get, () => null);
  const line = spotted === null ? undefined : lineOf(spotted.item);
  const header = spotted === null ? undefined : headerOf(spotted.header);
  const cell = header?.type === 'header' ? line?.cells[header.index] : undefined;
  return (
    <div className="m-foot screen-only" data-testid="read-out">
      {line !== undefined && header?.type === 'header' && cell !== undefined ? (
        <Said
          line={line}
          header={header}
          cell={cell}
          alarmsRead={alarmsRead}
          shades={shades}
          grid={grid}
          keys={spotlight.by() === 'focus'}
        />
      ) : (
        children
      )}
      {aside}
    </div>
  );
}

interface SaidProps {
  readonly line: Line;
  readonly header: Extract<HeaderItem, { type: 'header' }>;
  readonly cell: Cell;
  readonly alarmsRead: boolean;
  readonly shades: Shades | null;
  readonly grid: Grid;
  /** True if the cell answers to keys. */
  readonly keys: boolean;
}

function Said({ line, header, cell, alarmsRead, shades, grid, keys }: SaidProps) {
  const name = useCommitName(cell.commit);
  const now = useNow();
  const [what, where] = line.row === null ? [line.title, header.header.title] : [header.header.title, line.title];
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        {cell.verdict !== null && <VerdictGlyph verdict={cell.verdict} />}
        <span className="truncate">
          <b>
            {what} on {where}
          </b>
          : {cellName(cell, alarmsRead, shades, (line.row ?? header.header.row)?.cluster ?? null)}
          {shades !== null && comparison(grid, line, header.index, cell)}
          {name !== null && <span className="text-mute"> ({commitTitle(name, now)})</span>}
        </span>
      </span>
      {keys && (
        <span className="text-mute">
          Enter opens it{(name !== null || cell.mark?.commitHref !== undefined) && ', Shift+Enter the commit'}
        </span>
      )}
    </>
  );
}
