'use client';

import Link from 'next/link';
import type { WireCorrectionList } from '#lib/api/correction.ts';
import { objectPath } from '#lib/api/paths.ts';
import { formatCount } from '#lib/format/number.ts';
import { SectionHeading } from '../ui/section-heading.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';

/** The objects that drift most, each with a bar beside its number. */
export function MostDrift({ list: { most, mostOf } }: { readonly list: WireCorrectionList }) {
  const [highest] = most;
  if (highest === undefined) return null;
  return (
    <section aria-labelledby="most">
      <SectionHeading
        id="most"
        note={`at least, of every certainty${mostOf === null ? '' : `; of the newest ${formatCount(mostOf)} entries`}`}
      >
        Drift most
      </SectionHeading>
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
    </section>
  );
}
