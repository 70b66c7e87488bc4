'use client';

import Link from 'next/link';
import type { WireCorrection } from '#lib/api/correction.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { formatCount } from '#lib/format/number.ts';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';
import { ListedTime } from '../ui/time.tsx';
import { certaintyMeaning } from './correction-text.ts';

const columns: readonly Column[] = [
  { name: 'when', title: 'When' },
  { name: 'name', title: 'Object' },
  { name: 'cluster', title: 'Cluster' },
  { name: 'sure', title: 'How sure' },
  { name: 'times', title: 'Times' },
  { name: 'said', title: 'What was said' },
];

/** The ledger, newest first: when, of what, how sure, how often, and what its reconciler said. */
export function CorrectionTable({ rows }: { readonly rows: readonly WireCorrection[] }) {
  return (
    <Ledger
      name="corrections"
      caption="Drift that was found and undone, newest first"
      columns={columns}
      rows={rows.length}
    >
      <tbody>
        {rows.map(({ ref, at, certainty, said, count, links }, index) => (
          <tr key={links.self + at} data-index={index}>
            <td className="when">
              <ListedTime at={at} />
            </td>
            <th scope="row" className="name">
              <Link className="link" href={links.self} prefetch={false} data-row-link>
                {ref.name}
              </Link>{' '}
              <span className="text-mute">
                {ref.kind}
                {ref.namespace !== '' && ` in ${ref.namespace}`}
              </span>
            </th>
            <td className="cluster">
              <Link href={clusterPath(ref.cluster)} prefetch={false} className="quiet-link">
                {ref.cluster}
              </Link>
            </td>
            <td className="sure" title={certaintyMeaning[certainty]}>
              {certainty}
            </td>
            <td className="times">at least {formatCount(count)}</td>
            <td className="meaning">
              <code>{said}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </Ledger>
  );
}
