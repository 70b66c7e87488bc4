'use client';

import { countOf } from '#lib/format/number.ts';
import type { Grid } from './grid/grid.ts';
import { GridHeaders } from './grid/grid-headers.tsx';
import { ItemView } from './grid/item-view.tsx';
import { columnsOf, type HeaderItem, type Item } from './grid/items.ts';
import type { Shades } from './by-commit/shades.ts';
import { partsOf, sizesOf } from './sizes.ts';
import { useState, useSyncExternalStore } from 'react';

interface PaperMatrixProps {
  readonly grid: Grid;
  readonly headers: readonly HeaderItem[];
  readonly items: readonly Item[];
  readonly labels: readonly string[];
  /** True if any alarm is read. */
  readonly alarmsRead: boolean;
  readonly shades: Shades | null;
}

/** So many rows are printed, in the order of the screen: more than anybody reads on paper. */
const mostRows = 200;

function nothing(): void {
  // Paper is not pressed.
}

/** A matrix that is too large for one page, in parts that stand on pages of their own; what is not printed is counted. */
export function PaperMatrix(props: PaperMatrixProps) {
  const printing = usePrinting();
  const { grid, headers, items } = props;
  if (!printing) return <p className="paper-only">{unprintedText(grid, headers)}</p>;
  const rows = items.slice(0, mostRows);
  const left = items.slice(mostRows).filter((item) => item.type === 'line').length;
  const parts = partsOf(grid, headers, props.labels.length);
  return (
    <div className="paper-only">
      {parts.map((part, index) => (
        <section key={part[0]?.key} className="matrix-part">
          {parts.length > 1 && <p className="text-mute">{partWords(parts, index)}</p>}
          <Part {...props} headers={part} items={rows} />
        </section>
      ))}
      {left > 0 && (
        <p>
          {countOf(left, 'more row')} {left === 1 ? 'is' : 'are'} not printed: the list of objects has them all.
        </p>
      )}
    </div>
  );
}

function Part({ grid, headers, items, labels, alarmsRead, shades }: PaperMatrixProps) {
  const columns = { headers, lefts: null };
  return (
    <table
      className="matrix"
      data-by-commit={shades === null ? undefined : ''}
      data-transposed={grid.transposed ? '' : undefined}
      style={sizesOf(grid, headers, labels.length)}
    >
      <GridHeaders
        all={headers}
        columns={columns}
        transposed={grid.transposed}
        labels={labels}
        stop={null}
        onUnfold={nothing}
      />
      <tbody className="m-body">
        {items.map((item) => (
          <ItemView
            key={item.key}
            item={item}
            top={null}
            columns={columns}
            span={headers.length + 1}
            stop={null}
            alarmsRead={alarmsRead}
            shades={shades}
            onToggle={nothing}
            onUnfold={nothing}
          />
        ))}
      </tbody>
    </table>
  );
}

function width(headers: readonly HeaderItem[]): number {
  return headers.reduce((sum, header) => sum + columnsOf(header), 0);
}

/** "Columns 1 to 30 of 60"; what is folded into one is counted as what it stands for. */
function partWords(parts: readonly (readonly HeaderItem[])[], index: number): string {
  const before = width(parts.slice(0, index).flat());
  return `Columns ${before + 1} to ${before + width(parts[index] ?? [])} of ${width(parts.flat())}`;
}

/** Said where a browser prints without saying so first. */
function unprintedText(grid: Grid, headers: readonly HeaderItem[]): string {
  const size = `${countOf(grid.lines.length, 'row')} by ${countOf(width(headers), 'column')}`;
  return `The matrix, ${size}, is too large for this page and is not printed: the list of objects has them all.`;
}

function createPrinting() {
  let printing = false;
  return {
    subscribe(changed: () => void): () => void {
      const tell = (to: boolean) => () => {
        printing = to;
        changed();
      };
      const [begins, ends] = [tell(true), tell(false)];
      window.addEventListener('beforeprint', begins);
      window.addEventListener('afterprint', ends);
      return () => {
        window.removeEventListener('beforeprint', begins);
        window.removeEventListener('afterprint', ends);
      };
    },
    now: () => printing,
  };
}

/** True if the page is being printed: what is drawn for it stands before the browser lays out the paper. */
function usePrinting(): boolean {
  const [printing] = useState(createPrinting);
  return useSyncExternalStore(printing.subscribe, printing.now, () => false);
}
