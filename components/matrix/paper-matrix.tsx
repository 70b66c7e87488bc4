'use client';

import { countOf } from '#lib/format/number.ts';
import type { Grid } from './grid/grid.ts';
import { GridHeaders } from './grid/grid-headers.tsx';
import { ItemView } from './grid/item-view.tsx';
import { columnsOf, type HeaderItem, type Item } from './grid/items.ts';
import { partsOf, sizesOf } from './sizes.ts';
import { useState, useSyncExternalStore } from 'react';

interface PaperMatrixProps {
  readonly grid: Grid;
  readonly heads: readonly HeaderItem[];
  readonly items: readonly Item[];
  readonly labels: readonly string[];
  /** True if any alarm is read. */
  readonly heard: boolean;
}

/** So many rows are printed, in the order of the screen: more than anybody reads on paper. */
const mostRows = 200;

function nothing(): void {
  // Paper is not pressed.
}

/** A matrix that is too large for one page, in parts that stand on pages of their own; what is not printed is counted. */
export function PaperMatrix(props: PaperMatrixProps) {
  const printing = usePrinting();
  const { grid, heads, items } = props;
  if (!printing) return <p className="paper-only">{unprintedText(grid, heads)}</p>;
  const rows = items.slice(0, mostRows);
  const left = items.slice(mostRows).filter((item) => item.type === 'line').length;
  const parts = partsOf(grid, heads, props.labels.length);
  return (
    <div className="paper-only">
      {parts.map((part, index) => (
        <section key={part[0]?.key} className="matrix-part">
          {parts.length > 1 && <p className="text-mute">{partWords(parts, index)}</p>}
          <Part {...props} heads={part} items={rows} />
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

function Part({ grid, heads, items, labels, heard }: PaperMatrixProps) {
  const columns = { heads, lefts: null };
  return (
    <table
      className="matrix"
      data-transposed={grid.transposed ? '' : undefined}
      style={sizesOf(grid, heads, labels.length)}
    >
      <GridHeaders
        all={heads}
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
            span={heads.length + 1}
            stop={null}
            heard={heard}
            onToggle={nothing}
            onUnfold={nothing}
          />
        ))}
      </tbody>
    </table>
  );
}

function width(heads: readonly HeaderItem[]): number {
  return heads.reduce((sum, head) => sum + columnsOf(head), 0);
}

/** "Columns 1 to 30 of 60"; what is folded into one is counted as what it stands for. */
function partWords(parts: readonly (readonly HeaderItem[])[], index: number): string {
  const before = width(parts.slice(0, index).flat());
  return `Columns ${before + 1} to ${before + width(parts[index] ?? [])} of ${width(parts.flat())}`;
}

/** Said where a browser prints without saying so first. */
function unprintedText(grid: Grid, heads: readonly HeaderItem[]): string {
  const size = `${countOf(grid.lines.length, 'row')} by ${countOf(width(heads), 'column')}`;
  return `The matrix, ${size}, is too large for this page and is not printed: the list of objects has them all.`;
}

function createPrinting() {
  let printing = false;
  return {
    subscribe(heard: () => void): () => void {
      const tell = (to: boolean) => () => {
        printing = to;
        heard();
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
