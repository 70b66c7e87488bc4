'use client';

import Link from 'next/link';
import type { WireCorrection, WireCorrectionList } from '#lib/api/correction.ts';
import { objectPath } from '#lib/api/paths.ts';
import { formatCount } from '#lib/format/number.ts';
import { ClusterCell, Ledger, type Column } from '../ui/tables/ledger.tsx';
import { ListedTime } from '../ui/time.tsx';
import { certaintyMeaning } from './correction-text.ts';
import { Section } from '../ui/page/page.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';
import { OfKind } from '../ui/of-kind.tsx';

const columns: readonly Column[] = [
  { name: 'when', width: '156px', title: 'When' },
  { name: 'name', width: '24%', title: 'Object' },
  { name: 'cluster', width: '124px', title: 'Cluster' },
  { name: 'sure', width: '92px', title: 'How sure' },
  { name: 'times', width: '92px', title: 'Times' },
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
              <OfKind of={ref} />
            </th>
            <ClusterCell cluster={ref.cluster} />
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

/** The objects that drift most, each with a bar beside its number. */
export function MostDrift({ list: { most, mostOf } }: { readonly list: WireCorrectionList }) {
  const [highest] = most;
  if (highest === undefined) return null;
  return (
    <Section
      id="most"
      title="Drift most"
      note={`at least, of every certainty${mostOf === null ? '' : `; of the newest ${formatCount(mostOf)} entries`}`}
    >
      <RecordTable className="most-drift" caption="The objects that drift most" titles={['Object', 'Undone', '']}>
        {most.map(({ ref, count, contested, href }) => (
          <tr key={objectPath(ref)}>
            <td>
              <Link className="link" href={objectPath(ref)} prefetch={false}>
                {ref.name}
              </Link>{' '}
              <span className="text-mute">
                {ref.kind} on {ref.cluster}
              </span>
            </td>
            <td className="whitespace-nowrap">
              <Link className="quiet-link" href={href} prefetch={false}>
                {formatCount(count)}
                {contested > 0 && (
                  <span className="text-mute">
                    {contested === count ? ', contested' : `, ${formatCount(contested)} contested`}
                  </span>
                )}
              </Link>
            </td>
            <td className="bar" aria-hidden="true">
              <i style={{ width: `${(count / highest.count) * 100}%` }} />
            </td>
          </tr>
        ))}
      </RecordTable>
    </Section>
  );
}
