'use client';

import { useSyncExternalStore, type ReactNode } from 'react';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { cellName } from './cell-view.tsx';
import type { Cell, Line } from './grid.ts';
import type { Spotlight } from './input/hover.ts';
import type { HeaderItem } from './items.ts';

interface ReadOutProps {
  readonly spotlight: Spotlight;
  readonly lineOf: (key: string) => Line | undefined;
  readonly headerOf: (key: string) => HeaderItem | undefined;
  /** True if any alarm is read. */
  readonly heard: boolean;
  /** Content of the line while no cell is read out. */
  readonly children: ReactNode;
  /** Content at its end, also meanwhile: whoever tabs on from a cell comes there. */
  readonly aside: ReactNode;
}

/** The one sticky line under the matrix: the cell under the pointer or the focus in full. */
export function ReadOut({ spotlight, lineOf, headerOf, heard, children, aside }: ReadOutProps) {
  const spotted = useSyncExternalStore(spotlight.subscribe, spotlight.get, () => null);
  const line = spotted === null ? undefined : lineOf(spotted.item);
  const head = spotted === null ? undefined : headerOf(spotted.head);
  const cell = head?.type === 'head' ? line?.cells[head.index] : undefined;
  return (
    <div className="m-foot screen-only" data-testid="read-out">
      {line !== undefined && head?.type === 'head' && cell !== undefined ? (
        <Said line={line} head={head} cell={cell} heard={heard} keys={spotlight.by() === 'focus'} />
      ) : (
        children
      )}
      {aside}
    </div>
  );
}

interface SaidProps {
  readonly line: Line;
  readonly head: Extract<HeaderItem, { type: 'head' }>;
  readonly cell: Cell;
  readonly heard: boolean;
  /** True if the cell answers to keys. */
  readonly keys: boolean;
}

function Said({ line, head, cell, heard, keys }: SaidProps) {
  const [what, where] = line.row === null ? [line.title, head.head.title] : [head.head.title, line.title];
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        {cell.verdict !== null && <VerdictGlyph verdict={cell.verdict} />}
        <span className="truncate">
          <b>
            {what} on {where}
          </b>
          : {cellName(cell, heard)}
        </span>
      </span>
      {keys && (
        <span className="text-mute">
          Enter opens it{cell.mark?.commitHref !== undefined && ', Shift+Enter the commit'}
        </span>
      )}
    </>
  );
}
