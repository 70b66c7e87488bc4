'use client';

import './mini-map.css';
import { useMemo, type PointerEvent, type RefObject } from 'react';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { deviates } from './grid.ts';
import type { Item } from './items.ts';

interface MiniMapProps {
  readonly grid: RefObject<HTMLElement | null>;
  readonly items: readonly Item[];
  readonly columns: number;
}

/** All rows at a glance, 120 px wide: only what deviates is drawn. A click leads there; the keys "]" and "[" do the same. */
export function MiniMap({ grid, items, columns }: MiniMapProps) {
  const paths = useMemo(() => pathsOf(items), [items]);
  function lead(event: PointerEvent<SVGSVGElement>): void {
    const scroller = grid.current?.closest('.scroller');
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    if (scroller !== null && scroller !== undefined)
      scroller.scrollTop = share * scroller.scrollHeight - scroller.clientHeight / 2;
  }
  return (
    <div className="minimap screen-only" aria-hidden="true">
      <svg viewBox={`0 0 ${columns} ${items.length}`} preserveAspectRatio="none" onPointerDown={lead}>
        {paths.map(({ verdict, d }) => (
          <path key={verdict} d={d} fill={`var(--${verdict})`} opacity={verdict === 'unobserved' ? 0.3 : 1} />
        ))}
      </svg>
    </div>
  );
}

/** One path a verdict, a box a cell; drawn taller than a row where rows are thinner than a pixel. */
function pathsOf(items: readonly Item[]): readonly { readonly verdict: Verdict; readonly d: string }[] {
  const boxes = new Map<Verdict, string[]>();
  const height = Math.max(1, items.length / 300);
  items.forEach((item, y) => {
    if (item.type !== 'line') return;
    item.line.cells.forEach((cell, x) => {
      if (cell.verdict === null || !deviates(cell)) return;
      const list = boxes.get(cell.verdict) ?? [];
      list.push(`M${x} ${y}h1.5v${height}h-1.5Z`);
      boxes.set(cell.verdict, list);
    });
  });
  return verdicts.toReversed().flatMap((verdict) => {
    const list = boxes.get(verdict);
    return list === undefined ? [] : [{ verdict, d: list.join('') }];
  });
}
