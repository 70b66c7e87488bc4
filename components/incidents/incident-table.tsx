'use client';

import './incidents.css';
import { useId, useState, type KeyboardEvent } from 'react';
import type { WireIncident } from '#lib/api/incident.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { RangeText } from '../ui/commit.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { suspectedIn } from '../suspects/suspected-in.ts';
import { SuspectLine } from '../suspects/suspect-line.tsx';
import { useSuspects, type KnownSuspicion, type SentSuspects } from '../suspects/use-suspects.ts';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';
import { ListedTime } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { calledText, isSilent } from './called-text.ts';
import { endText, incidentLength, nowText, reachText, returnsText } from './incident-text.ts';
import { MemberLines } from './member-lines.tsx';

const columns: readonly Column[] = [
  { name: 'worst', width: '104px', title: 'Worst' },
  { name: 'name', title: 'What failed' },
  { name: 'began', width: '190px', title: 'Began' },
  { name: 'length', width: '160px', title: 'For' },
  { name: 'reached', width: '196px', title: 'Reach at its worst, and now' },
  { name: 'commits', width: 'clamp(150px, 30vw - 170px, 236px)', title: 'Commits' },
];

interface IncidentTableProps {
  readonly rows: readonly WireIncident[];
  /** Time up to which they are known (ms). */
  readonly knownAt: number;
  /** Suspects as they came with the page; absent where it came without. */
  readonly suspects?: SentSuspects | null;
}

/** Incidents in the order given, one line a cause; what is in one unfolds beneath its line. */
export function IncidentTable({ rows, knownAt, suspects = null }: IncidentTableProps) {
  const suspicionOf = useSuspects({ incident: suspectedIn(rows) }, suspects);
  return (
    <Ledger name="incidents" caption="What failed, one line a cause" columns={columns} rows={rows.length}>
      <tbody>
        {rows.map((incident, index) => (
          <Row key={incident.id} incident={incident} index={index} knownAt={knownAt} known={suspicionOf(incident.id)} />
        ))}
      </tbody>
    </Ledger>
  );
}

interface RowProps extends Pick<IncidentTableProps, 'knownAt'> {
  readonly incident: WireIncident;
  readonly index: number;
  readonly known: KnownSuspicion;
}

function Row({ incident, index, knownAt, known }: RowProps) {
  const [open, setOpen] = useState(false);
  const beneath = useId();
  const { worst, title, closedAt, openedAt, bound, most, now, members, range, links } = incident;
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') setOpen(true);
    if (key === 'ArrowLeft') setOpen(false);
  };
  const lasts = closedAt === null;
  return (
    <>
      <tr data-index={index} className={open ? 'is-open' : undefined}>
        <td className="worst whitespace-nowrap">
          <VerdictGlyph verdict={worst} /> {verdictLabel(worst)}
        </td>
        <th scope="row" className="name">
          <button
            type="button"
            className="unfold screen-only"
            aria-expanded={open}
            aria-controls={open ? beneath : undefined}
            aria-label={`${countOf(members, 'member')} of ${title}`}
            onClick={() => setOpen(!open)}
            onKeyDown={onKeyDown}
          />
          <Link className="link" href={links.self} prefetch={false} onKeyDown={onKeyDown} data-row-link>
            {title}
          </Link>{' '}
          <Beside incident={incident} />{' '}
          <span className={isSilent(incident) ? 'called is-silent' : 'called'}>{calledText(incident)}</span>
        </th>
        <td className="began">
          {bound === 'at-least' && <span className="text-mute">before </span>}
          <ListedTime at={openedAt} />
        </td>
        <td className="length">
          {incidentLength(incident, knownAt)}
          <span className={lasts ? 'font-medium' : 'text-mute'}>, {endText(incident.ended)}</span>
        </td>
        <td className="reached">
          {reachText(most)}
          {lasts && <span className="text-mute">, {nowText(now, most)}</span>}
        </td>
        <td className="commits">
          {isKnown(range) && <RangeText range={range} />}
          <SuspectLine known={known} />
        </td>
      </tr>
      {open && (
        <tr id={beneath} className="beneath">
          <td colSpan={columns.length}>
            <MemberLines incident={incident} knownAt={knownAt} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Words beside its name: why, what it was taken for, that it came back, that it is planned. */
function Beside({ incident: { reason, takenFor, returns, planned } }: { readonly incident: WireIncident }) {
  const words = [
    reason,
    returnsText(returns),
    ...takenFor.map(({ title }) => `first taken for ${title}`),
    planned ? 'under planned work' : '',
  ];
  return <span className="text-mute">{words.filter((word) => word !== '').join('; ')}</span>;
}

/** True if a range names any commit: in a list, that none is known is a blank. */
function isKnown(range: WireIncident['range']): range is NonNullable<WireIncident['range']> {
  return range !== null && (range.lastGood !== null || range.firstBad !== null);
}
