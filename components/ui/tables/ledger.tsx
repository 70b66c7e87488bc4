'use client';

import './tables.css';
import './ledger.css';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { clusterPath } from '#lib/api/paths.ts';
import { useRowKeys } from './use-row-keys.ts';

/** A column of a ledger; `width` as in CSS: what is left where absent. */
export interface Column {
  readonly name: string;
  readonly title: string;
  readonly width?: string;
  readonly right?: true;
}

interface LedgerProps {
  /** Its class: what the widths and the lines of its columns hang on. */
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Number of rows with a data-index, which keys walk. */
  readonly rows: number;
  readonly children: ReactNode;
}

/** A table of entries, each of several lines where it needs them; its rows are walked by keys. */
export function Ledger({ name, caption, columns, rows, children }: LedgerProps) {
  const keys = useRowKeys<HTMLTableElement>(rows);
  return (
    <table {...keys} className={`ledger ${name}`}>
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        {columns.map(({ name: of, width }) => (
          <col key={of} className={`col-${of}`} style={{ width }} />
        ))}
      </colgroup>
      <thead className="not-print:max-[761px]:sr-only">
        <tr>
          {columns.map(({ name: of, title, right }) => (
            <th key={of} scope="col" className={right && 'right'}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

/** Cell with the cluster of an entry, which leads to its page. `rowLink`: it is where keys stop in this row. */
export function ClusterCell({ cluster, rowLink }: { readonly cluster: string; readonly rowLink?: true }) {
  return (
    <td className="cluster">
      <Link href={clusterPath(cluster)} prefetch={false} className="quiet-link" data-row-link={rowLink}>
        {cluster}
      </Link>
    </td>
  );
}
