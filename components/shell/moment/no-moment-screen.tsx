'use client';

import './past.css';
import { usePathname, useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { NoMoment } from '#lib/api/moment.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { addressAt } from '../address.ts';
import { PageFrame } from '../page-frame.tsx';
import { TimeForm } from './time-panel.tsx';

interface NoMomentScreenProps {
  readonly why: NoMoment;
  /** Of now. */
  readonly summary: WireFleetSummary;
}

/** The page of a moment of which nothing can be shown: why, since when there is a record, and the ways on. */
export function NoMomentScreen({ why, summary }: NoMomentScreenProps) {
  return (
    <PageFrame title="No record" tab={null} summary={summary}>
      <EmptyState whole title={titleOf(why)}>
        <Ways why={why} />
      </EmptyState>
    </PageFrame>
  );
}

function titleOf(why: NoMoment): string {
  switch (why.type) {
    case 'no-time':
      return `"${why.text}" cannot be read as a time.`;
    case 'future':
      return `${timeText(why.at)} is not in the past: nothing is known of it.`;
    case 'before-record':
      return why.since === null
        ? 'Nothing is recorded yet.'
        : `The record begins at ${timeText(why.since)}: nothing is known of ${timeText(why.at)}.`;
    case 'unreadable':
      return 'The record cannot be read now: what was known then cannot be shown.';
  }
}

function Ways({ why }: { readonly why: NoMoment }) {
  const path = usePathname();
  const query = useSearchParams().toString();
  const field = useRef<HTMLInputElement>(null);
  const since = why.type === 'before-record' ? why.since : null;
  return (
    <>
      <div className="mt-4">
        <TimeForm value={why.type === 'no-time' ? why.text : why.at} field={field} />
      </div>
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1">
        {since !== null && (
          <a className="link py-1" href={addressAt(path, query, since)}>
            The beginning of the record
          </a>
        )}
        <a className="link py-1" href={addressAt(path, query, null)}>
          Now
        </a>
      </p>
    </>
  );
}

function timeText(at: string): string {
  const ms = parseTime(at);
  return ms === null ? at : formatTime(ms, 0);
}
