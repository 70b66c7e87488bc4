import type { WireFleet } from '#lib/api/fleet.ts';
import type { StreamFrame } from '#lib/api/stream.ts';

/** The fleet after a frame; the same one where the frame says nothing of it, 'again' where everything must be asked for again. */
export function applyFleetFrame(fleet: WireFleet, frame: StreamFrame): WireFleet | 'again' {
  switch (frame.type) {
    case 'reset':
      return 'again';
    case 'head':
      return { ...fleet, head: frame.head };
    case 'rows':
      return withRows(fleet, frame);
    case 'tick':
    case 'cluster':
    case 'object':
    case 'removed':
      return fleet;
  }
}

type RowsFrame = Extract<StreamFrame, { type: 'rows' }>;

function withRows(fleet: WireFleet, frame: RowsFrame): WireFleet | 'again' {
  const columns = frame.columns ?? fleet.columns;
  const base = frame.columns === null ? fleet.rows : [];
  const rows = new Map(base.map((row) => [row.cluster, row]));
  for (const row of frame.rows) rows.set(row.cluster, row);
  if (frame.order === null) return { ...fleet, columns, rows: [...rows.values()] };
  const ordered = frame.order.flatMap((cluster) => rows.get(cluster) ?? []);
  return ordered.length === frame.order.length ? { ...fleet, columns, rows: ordered } : 'again';
}
