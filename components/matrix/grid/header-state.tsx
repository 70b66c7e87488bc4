'use client';

import type { WireRow } from '#lib/api/fleet.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { useNow } from '../../ui/now.tsx';
import { rowState } from '../../ui/row-state.ts';

/** Sight of a cluster: "live", loud where it is not; or that work on it is planned, or that it is reached in a weak way. */
export function HeaderState({ row }: { readonly row: WireRow }) {
  // A large fleet has hundreds of rows in order: those do not follow the clock.
  if (row.state === 'live' && row.plannedWork === null && row.cautions.length === 0)
    return <span className="m-state">live</span>;
  return <Telling row={row} />;
}

function Telling({ row }: { readonly row: WireRow }) {
  const now = useNow();
  const { text, loud } = rowState(row, now);
  const why = [row.reason, plannedText(row.plannedWork, now), ...row.cautions]
    .filter((part) => part !== null)
    .join('; ');
  return (
    <span className={loud ? 'm-state loud' : 'm-state'} title={why === '' ? undefined : why}>
      {text}
    </span>
  );
}

function plannedText(work: WireRow['plannedWork'], now: number): string | null {
  const until = work === null ? null : parseTime(work.until);
  return work === null || until === null ? null : `planned work until ${formatTime(until, now)}: ${work.reason}`;
}
