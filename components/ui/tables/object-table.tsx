'use client';

import './tables.css';
import './object-table.css';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState } from 'react';
import type { WireObject } from '#lib/api/object.ts';
import { ObjectRow, runsOf, type Columns } from './object-row.tsx';
import { useRowKeys } from './use-row-keys.ts';

interface ObjectTableProps {
  readonly caption: string;
  readonly objects: readonly WireObject[];
  /** Number in all, where `objects` is a part of them. */
  readonly total: number;
  /** Left out on the page of one cluster. */
  readonly withCluster: boolean;
}

const plainUpTo = 200;
const rowHeight = 29;

/** Objects as a table, in the order given; beyond 200 rows only those in sight are there. */
export function ObjectTable({ caption, objects, total, withCluster }: ObjectTableProps) {
  const Body = objects.length > plainUpTo ? VirtualBody : PlainBody;
  const columns: Columns = {
    cluster: withCluster,
    runs: objects.some((object) => runsOf(object) !== null),
    alarm: objects.some(({ alarm }) => alarm.state !== 'unknown' && alarm.state !== 'not-due'),
  };
  return (
    <table className={classOf(columns)} aria-rowcount={total + 1}>
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        <col className="col-verdict" />
        {columns.cluster && <col style={{ width: '124px' }} />}
        <col className="col-kind" />
        <col style={{ width: '21%' }} />
        <col className="col-what" />
        {columns.runs && <col style={{ width: '84px' }} />}
        <col className="col-since" />
        {columns.alarm && <col className="col-alarm" />}
      </colgroup>
      <thead className="max-[641px]:sr-only">
        <tr aria-rowindex={1}>
          <th scope="col">Verdict</th>
          {columns.cluster && <th scope="col">Cluster</th>}
          <th scope="col">Kind</th>
          <th scope="col">Name</th>
          <th scope="col">What</th>
          {columns.runs && <th scope="col">Runs</th>}
          <th scope="col" className="right">
            For
          </th>
          {columns.alarm && <th scope="col">Alarm</th>}
        </tr>
      </thead>
      <Body objects={objects} columns={columns} />
    </table>
  );
}

function classOf({ cluster, alarm }: Columns): string {
  return ['objects', cluster ? 'with-cluster' : '', alarm ? 'with-alarm' : ''].filter((part) => part !== '').join(' ');
}

interface BodyProps {
  readonly objects: readonly WireObject[];
  readonly columns: Columns;
}

function PlainBody({ objects, columns }: BodyProps) {
  const keys = useRowKeys<HTMLTableSectionElement>(objects.length);
  return (
    <tbody {...keys}>
      {objects.map((object, index) => (
        <ObjectRow key={object.links.self} object={object} index={index} columns={columns} />
      ))}
    </tbody>
  );
}

function VirtualBody({ objects, columns }: BodyProps) {
  const [margin, setMargin] = useState(0);
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count: objects.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: margin,
    initialRect: { width: 1280, height: 1200 },
    getItemKey: (index) => objects[index]?.links.self ?? index,
  });
  const keys = useRowKeys<HTMLTableSectionElement>(objects.length, (index) => rows.scrollToIndex(index));
  const body = keys.ref;
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top;
    if (top !== undefined) setMargin(top + window.scrollY);
  }, [body]);
  const items = rows.getVirtualItems();
  const before = (items[0]?.start ?? margin) - margin;
  const after = rows.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  const width = 5 + Number(columns.cluster) + Number(columns.runs) + Number(columns.alarm);
  return (
    <tbody {...keys}>
      <Spacer height={before} columns={width} />
      {items.map(({ key, index }) => {
        const object = objects[index];
        return (
          object !== undefined && (
            <ObjectRow key={key} object={object} index={index} columns={columns} measure={rows.measureElement} />
          )
        );
      })}
      <Spacer height={after} columns={width} />
    </tbody>
  );
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={columns} style={{ height }}>
        {' '}
      </td>
    </tr>
  );
}
