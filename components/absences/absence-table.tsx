'use client';

import Link from 'next/link';
import type { WireAbsence } from '#lib/api/absence.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { CauseLink } from '../ui/page-link.tsx';
import { ClusterCell, Ledger, type Column } from '../ui/tables/ledger.tsx';
import { useNow } from '../ui/now.tsx';
import { RangeText } from '../ui/commit.tsx';
import { ListedTime } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { alarmText, endingText, lengthText, notCalledWhy } from './absence-text.ts';
import { OfKind } from '../ui/of-kind.tsx';

/** Page of one object has no need of its name and its cluster. */
type AbsenceColumns = 'all' | 'of-object';

interface AbsenceTableProps {
  readonly rows: readonly WireAbsence[];
  readonly columns: AbsenceColumns;
}

/** Absences in the order given: what, since when, for how long, because of what, and whether anybody was called. */
export function AbsenceTable(props: AbsenceTableProps) {
  const why = notCalledWhy(props.rows);
  return (
    <>
      <Rows {...props} />
      {why !== null && <p className="pt-2 text-mute">{why}</p>}
    </>
  );
}

function shownColumns(columns: AbsenceColumns): readonly Column[] {
  return [
    { name: 'worst', width: '104px', title: 'Worst' },
    ...(columns === 'all'
      ? [
          { name: 'name', width: '19%', title: 'Object' },
          { name: 'cluster', width: '112px', title: 'Cluster' },
        ]
      : []),
    { name: 'began', width: '150px', title: 'Began' },
    { name: 'length', width: '104px', title: 'For' },
    { name: 'why', title: 'Why' },
    { name: 'commits', width: 'clamp(160px, 34vw - 200px, 290px)', title: 'Commits' },
    { name: 'alarm', width: '82px', title: 'Called' },
  ];
}

function Rows({ rows, columns }: AbsenceTableProps) {
  return (
    <Ledger
      name={`absences ${columns}`}
      caption="Absences: from leaving converged until it was converged again"
      columns={shownColumns(columns)}
      rows={rows.length}
    >
      <tbody>
        {rows.map((row, index) => (
          <Row key={row.links.self + row.openedAt} row={row} index={index} columns={columns} />
        ))}
      </tbody>
    </Ledger>
  );
}

/** True if a range names any commit: in a list, that none is known is a blank. */
function isKnown(range: WireAbsence['range']): range is NonNullable<WireAbsence['range']> {
  return range !== null && (range.lastGood !== null || range.firstBad !== null);
}

interface RowProps extends Pick<AbsenceTableProps, 'columns'> {
  readonly row: WireAbsence;
  readonly index: number;
}

function Row({ row, index, columns }: RowProps) {
  const now = useNow();
  const { ref, worst, openedAt, bound, closedAt, reason, cause, range, links } = row;
  const end = endingText(row);
  return (
    <tr data-index={index}>
      <td className="worst whitespace-nowrap">
        <VerdictGlyph verdict={worst} /> {verdictLabel(worst)}
      </td>
      {columns === 'all' && (
        <th scope="row" className="name">
          <Link className="link" href={links.self} prefetch={false}>
            {ref.name}
          </Link>{' '}
          <OfKind of={ref} />
        </th>
      )}
      {columns === 'all' && <ClusterCell cluster={ref.cluster} />}
      <td className="began">
        {bound === 'at-least' && <span className="text-mute">before </span>}
        <Link href={links.history} prefetch={false} className="quiet-link" data-row-link>
          <ListedTime at={openedAt} />
        </Link>
      </td>
      <td className="length">
        {lengthText(row, now)}
        {end !== '' && <span className={closedAt === null ? 'font-medium' : 'text-mute'}>, {end}</span>}
      </td>
      <td className="why">
        {reason}
        {cause !== null && (
          <>
            {reason === '' ? '' : ', '}because of <CauseLink className="link" href={cause.href} title={cause.title} />
          </>
        )}
      </td>
      <td className="commits">{isKnown(range) && <RangeText range={range} />}</td>
      <td className="alarm text-mute">{alarmText(row)}</td>
    </tr>
  );
}
