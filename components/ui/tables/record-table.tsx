import './tables.css';
import type { ReactNode } from 'react';

interface RecordTableProps {
  readonly caption: string;
  /** The titles of the columns; '' for one that only draws. */
  readonly titles: readonly string[];
  /** Each row is a few lines of text on a phone. */
  readonly stacked?: boolean;
  /** Classes of its page. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** Lines of the record: plain rows beneath small heads. */
export function RecordTable({ caption, titles, stacked = false, className = '', children }: RecordTableProps) {
  return (
    <table className={`record ${stacked ? 'stacked' : ''} ${className}`}>
      <caption className="sr-only">{caption}</caption>
      <thead className={stacked ? 'max-[641px]:sr-only' : undefined}>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col" aria-hidden={title === '' || undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
