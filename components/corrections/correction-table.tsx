'use client';

import Link from 'next/link';
import type { WireCorrection } from '#lib/api/correction.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { formatCount } from '#lib/format/number.ts';
import { useRowKeys } from '../list/use-row-keys.ts';
import { ListedTime } from '../ui/time.tsx';
import { certaintyMeaning } from './correction-text.ts';

/** The ledger, newest first: when, of what, how sure, how often, and what its reconciler said. */
export function CorrectionTable({ rows }: { readonly rows: readonly WireCorrection[] }) {
  const keys = useRowKeys<HTMLTableElement>(rows.length);
  return (
    <table {...keys} className="ledger corrections">
      <caption className="sr-only">Drift that was found and undone, newest first</caption>
      <colgroup>
        <col className="col-when" />
        <col className="col-name" />
        <col className="col-cluster" />
        <col className="col-sure" />
        <col className="col-times" />
        <col className="col-said" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Object</th>
          <th scope="col">Cluster</th>
          <th scope="col">How sure</th>
          <th scope="col">Times</th>
          <th scope="col">What was said</th>
        </tr>
      </thead>
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
    </table>
  );
}
