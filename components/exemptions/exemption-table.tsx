'use client';

import Link from 'next/link';
import type { WireExemptionRow } from '#lib/api/exemption.ts';
import type { ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import { exemptionTitle } from '#lib/format/exemption-label.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { ClusterCell, Ledger, type Column } from '../ui/tables/ledger.tsx';
import { ListedTime } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { OfKind } from '../ui/of-kind.tsx';

interface ExemptionTableProps {
  readonly rows: readonly WireExemptionRow[];
  /** Number of a kind that match, in the rows or not. */
  readonly countOfKind: (kind: ExemptionKind) => number;
}

const columns: readonly Column[] = [
  { name: 'name', width: '28%', title: 'Object' },
  { name: 'cluster', width: '124px', title: 'Cluster' },
  { name: 'field', title: 'Field' },
  { name: 'reach', width: '64px', title: 'Covers', right: true },
  { name: 'by', title: 'Set by' },
  { name: 'at', title: 'Set, at the latest' },
];

/** Exemptions, kind by kind: the object, the field, what it means, how far it reaches, who set it. */
export function ExemptionTable({ rows, countOfKind }: ExemptionTableProps) {
  const indexed = rows.map((row, index) => ({ row, index }));
  return (
    <Ledger name="exemptions" caption="Exemptions by kind" columns={columns} rows={rows.length}>
      {[...Map.groupBy(indexed, ({ row }) => row.exemption.kind)].map(([kind, members]) => (
        <Group key={kind} kind={kind} count={countOfKind(kind)} members={members} />
      ))}
    </Ledger>
  );
}

interface GroupProps {
  readonly kind: ExemptionKind;
  readonly count: number;
  readonly members: readonly { readonly row: WireExemptionRow; readonly index: number }[];
}

/** One kind under its heading; what it means is said there once where it means the same on every line. */
function Group({ kind, count, members }: GroupProps) {
  const meanings = new Set(members.map(({ row }) => row.exemption.meaning));
  const [meaning] = meanings.size === 1 ? meanings : [];
  return (
    <tbody>
      <tr className="ledger-group">
        <th scope="rowgroup" colSpan={6}>
          {exemptionTitle[kind]}{' '}
          <span className="font-normal text-mute">
            {formatCount(count)}
            {meaning !== undefined && <span className="ml-3">{meaning}</span>}
          </span>
        </th>
      </tr>
      {members.map(({ row, index }) => (
        <ExemptionLine
          key={`${row.links.self} ${row.exemption.field}`}
          row={row}
          index={index}
          withMeaning={meaning === undefined}
        />
      ))}
    </tbody>
  );
}

interface ExemptionLineProps {
  readonly row: WireExemptionRow;
  readonly index: number;
  readonly withMeaning: boolean;
}

function ExemptionLine({ row, index, withMeaning }: ExemptionLineProps) {
  const { object, exemption, links } = row;
  const { field, meaning, reach, by, at } = exemption;
  return (
    <tr data-index={index}>
      <th scope="row" className="name">
        <VerdictGlyph verdict={object.verdict} />{' '}
        <Link className="link" href={links.self} prefetch={false} data-row-link>
          {object.name}
        </Link>{' '}
        <OfKind of={object} />
      </th>
      <ClusterCell cluster={object.cluster} />
      <td className="field">
        <code>{field}</code>
        {withMeaning && <span className="text-mute"> {meaning}</span>}
      </td>
      <td className="right reach" title={reach === null ? undefined : `covers ${countOf(reach, 'object')}`}>
        {reach === null ? <span className="sr-only">itself</span> : formatCount(reach)}
      </td>
      <td className="by">{by ?? <span className="text-mute">not told</span>}</td>
      <td className="at text-mute">{at !== null && <ListedTime at={at} />}</td>
    </tr>
  );
}
