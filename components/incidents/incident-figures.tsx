'use client';

import type { ReactNode } from 'react';
import type { WireIncidentFigures } from '#lib/api/incident.ts';
import { incidentsPath } from '#lib/api/paths.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { PageLink as Link } from '../ui/page-link.tsx';

interface IncidentFiguresProps {
  readonly figures: WireIncidentFigures;
  /** Filter of the page as its address has it: each number leads to what it counts. */
  readonly address: Readonly<Record<string, string>>;
}

/** Numbers that account for every incident of the period, and how fast they were noticed and over. */
export function IncidentFigures({ figures, address }: IncidentFiguresProps) {
  const { opened, openAtStart, closed, gone, open, large, members } = figures;
  const to = (part: Readonly<Record<string, string>>) => incidentsPath({ ...address, ...part });
  return (
    <dl className="accounts">
      <Count name="Began" count={opened} note={countOf(members, 'member')} />
      <Count name="From before" count={openAtStart} sign="+" note="lasted as it began" />
      <Count name="Over" count={closed} sign="=" href={to({ open: 'false' })} note="converged, or seen again" />
      <Count name="Gone" count={gone} sign="+" href={to({ open: 'false' })} note="removed, suspended, not watched" />
      <Count name="Ongoing" count={open} sign="+" href={to({ open: 'true' })} note="as the period ends" />
      <Count name="Large" count={large} href={to({ objects: '5' })} note="5 objects or more at once" apart />
      <Median
        name="To converge"
        value={figures.medianToConverge}
        least={figures.medianToConvergeAtLeast}
        note={closed === 1 ? 'of the one that is over' : `median of ${formatCount(closed)}`}
      />
      <Median name="To notice" value={figures.medianToNotice} note="median, from its true beginning" />
    </dl>
  );
}

interface CountProps {
  readonly name: string;
  readonly count: number;
  /** Sign that stands before it in the sum. */
  readonly sign?: '+' | '=';
  /** Where what it counts is listed. */
  readonly href?: string;
  readonly note: string;
  /** It is no part of the sum. */
  readonly apart?: true;
}

function Count({ name, count, sign, href, note, apart }: CountProps) {
  const digits = formatCount(count);
  return (
    <Account name={name} note={note} apart={apart}>
      {sign !== undefined && (
        <span className="account-sign" aria-hidden="true">
          {sign}
        </span>
      )}
      {href === undefined || count === 0 ? (
        digits
      ) : (
        <Link className="quiet-link" href={href} prefetch={false}>
          {digits}
        </Link>
      )}
    </Account>
  );
}

interface MedianProps {
  readonly name: string;
  /** ms; null of none. */
  readonly value: number | null;
  readonly least?: boolean;
  readonly note: string;
}

function Median({ name, value, least = false, note }: MedianProps) {
  if (value === null)
    return (
      <Account name={name} note="none to tell it of">
        –
      </Account>
    );
  return (
    <Account name={name} note={note}>
      {least && <small>at least </small>}
      {formatDuration(value)}
    </Account>
  );
}

interface AccountProps {
  readonly name: string;
  readonly note: string;
  readonly apart?: true | undefined;
  readonly children: ReactNode;
}

function Account({ name, note, apart, children }: AccountProps) {
  return (
    <div className={apart && 'apart'}>
      <dt>{name}</dt>
      <dd className="account-value">{children}</dd>
      <dd className="account-note">{note}</dd>
    </div>
  );
}
