'use client';

import './ledger.css';
import type { ReactNode } from 'react';
import { useRowKeys } from './use-row-keys.ts';

/** A column of a ledger; its width hangs on the class col-NAME. */
export interface Column {
  readonly name: string;
  readonly title: string;
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
        {columns.map((column) => (
          <col key={column.name} className={`col-${column.name}`} />
        ))}
      </colgroup>
      <thead>
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
