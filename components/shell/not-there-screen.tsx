'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { namesSaid, notThereSentence, type WireNotThere } from '#lib/api/refusals/not-there.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { addressWith } from './address.ts';
import { PageFrame } from './page-frame.tsx';
import type { PageTab } from './top-bar.tsx';

interface NotThereScreenProps {
  /** The tab's title: "Absences". */
  readonly title: string;
  readonly tab: PageTab;
  readonly names: readonly WireNotThere[];
  readonly summary: WireFleetSummary;
  readonly moment?: Moment | null;
}

/** The page of names that nothing has: an empty list would read as good news. What may have been meant, and the way on. */
export function NotThereScreen({ title, tab, names, summary, moment }: NotThereScreenProps) {
  return (
    <PageFrame title={title} tab={tab} summary={summary} moment={moment}>
      <EmptyState whole title={notThereSentence(names)}>
        {names.slice(0, namesSaid).map((name) => (
          <Ways key={`${name.parameter} ${name.value}`} name={name} />
        ))}
      </EmptyState>
    </PageFrame>
  );
}

function Ways({ name: { parameter, value, nearest } }: { readonly name: WireNotThere }) {
  const path = usePathname();
  const query = useSearchParams().toString();
  return (
    <div className="mt-3">
      {nearest.length > 0 && <p className="text-mute">Nearest to {value}:</p>}
      <ul className="flex flex-wrap gap-x-4">
        {nearest.map((near) => (
          <li key={near}>
            <a className="link inline-block py-1" href={addressWith(path, query, parameter, value, near)}>
              {near}
            </a>
          </li>
        ))}
        <li>
          <a className="link inline-block py-1" href={addressWith(path, query, parameter, value, null)}>
            Without {parameter === 'by' ? 'manager' : parameter} {value}
          </a>
        </li>
      </ul>
    </div>
  );
}
