'use client';

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { WireLane } from '#lib/api/history.ts';

interface VirtualLanesProps {
  readonly lanes: readonly WireLane[];
  readonly row: (lane: WireLane) => ReactNode;
}

const plainUpTo = 60;
const laneHeight = 34;

/** The lanes one under the other; of many only those in sight are there. */
export function VirtualLanes({ lanes, row }: VirtualLanesProps) {
  return lanes.length > plainUpTo ? <ShownLanes lanes={lanes} row={row} /> : <div>{lanes.map(row)}</div>;
}

function ShownLanes({ lanes, row }: VirtualLanesProps) {
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top;
    if (top !== undefined) setMargin(top + window.scrollY);
  }, []);
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count: lanes.length,
    estimateSize: () => laneHeight,
    overscan: 12,
    scrollMargin: margin,
    initialRect: { width: 1280, height: 1200 },
    getItemKey: (index) => lanes[index]?.key ?? index,
  });
  return (
    <div ref={body} style={{ height: rows.getTotalSize(), position: 'relative' }}>
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const lane = lanes[index];
        return (
          lane !== undefined && (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${start - margin}px)` }}
            >
              {row(lane)}
            </div>
          )
        );
      })}
    </div>
  );
}
