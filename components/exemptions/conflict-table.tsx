'use client';

import Link from 'next/link';
import { Fragment } from 'react';
import type { WireConflict } from '#lib/api/object.ts';
import type { ConflictKind } from '#lib/domain/observation/conflict.ts';
import { conflictTitle } from '#lib/format/exemption-label.ts';
import { formatCount } from '#lib/format/number.ts';
import { ClusterCell, Ledger, type Column } from '../ui/tables/ledger.tsx';
import { Duration } from '../ui/time.tsx';
import { OfKind } from '../ui/of-kind.tsx';

interface ConflictTableProps {
  readonly rows: readonly WireConflict[];
  readonly countOfKind: (kind: ConflictKind) => number;
}

const columns: readonly Column[] = [
  { name: 'name', width: '28%', title: 'Resource' },
  { name: 'cluster', width: '124px', title: 'Cluster' },
  { name: 'owners', width: '26%', title: 'Managed by' },
  { name: 'meaning', title: 'Why' },
  { name: 'at', title: 'Seen for', right: true },
];

/** Conflicts of ownership, kind by kind: the resource, who manages it, how that is known, since when. */
export function ConflictTable({ rows, countOfKind }: ConflictTableProps) {
  const indexed = rows.map((row, index) => ({ row, index }));
  return (
    <Ledger name="conflicts" caption="Conflicts of ownership by kind" columns={columns} rows={rows.length}>
      {[...Map.groupBy(indexed, ({ row }) => row.kind)].map(([kind, members]) => (
        <tbody key={kind}>
          <tr className="ledger-group">
            <th scope="rowgroup" colSpan={5}>
              {conflictTitle[kind]} <span className="font-normal text-mute">{formatCount(countOfKind(kind))}</span>
            </th>
          </tr>
          {members.map(({ row, index }) => (
            <ConflictLine key={conflictId(row)} row={row} index={index} />
          ))}
        </tbody>
      ))}
    </Ledger>
  );
}

/** Key that tells one row from another. */
export function conflictId({ kind, cluster, resource, owners }: WireConflict): string {
  const { group, kind: ofKind, namespace, name } = resource;
  return [kind, cluster, group, ofKind, namespace, name, ...owners.map((owner) => owner.href ?? owner.name)].join(' ');
}

function ConflictLine({ row, index }: { readonly row: WireConflict; readonly index: number }) {
  const { cluster, resource, owners, why, since } = row;
  const { name, href } = resource;
  return (
    <tr data-index={index}>
      <th scope="row" className="name">
        {href === null ? (
          name
        ) : (
          <Link className="link" href={href} prefetch={false}>
            {name}
          </Link>
        )}{' '}
        <OfKind of={resource} />
      </th>
      <ClusterCell cluster={cluster} rowLink />
      <td className="owners">
        <Owners owners={owners} here={cluster} />
      </td>
      <td className="meaning text-mute">{why}</td>
      <td className="right at">
        <Duration since={since} bound="at-least" />
      </td>
    </tr>
  );
}

interface OwnersProps {
  readonly owners: WireConflict['owners'];
  /** The cluster that is not named again. */
  readonly here: string;
}

/** Who manages it, each with its page where it has one: "base and on-other". */
export function Owners({ owners, here }: OwnersProps) {
  return owners.map((owner, index) => {
    const { name, namespace, cluster, href } = owner;
    const namesake = owners.some((other) => other !== owner && other.name === name && other.cluster === cluster);
    return (
      <Fragment key={href ?? name}>
        {index > 0 && (index === owners.length - 1 ? ' and ' : ', ')}
        {href === null ? (
          <code>{name}</code>
        ) : (
          <Link className="link" href={href} prefetch={false} title={owner.kind ?? undefined}>
            {namesake && namespace !== '' && `${namespace}/`}
            {name}
          </Link>
        )}
        {cluster !== null && cluster !== here && ` on ${cluster}`}
      </Fragment>
    );
  });
}
