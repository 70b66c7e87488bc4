'use client';

import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { incidentsPath } from '#lib/api/paths.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';

interface MissingIncidentProps {
  readonly id: string;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

/** The page of an incident that is not there: why that may be, and where to look. */
export function MissingIncident({ id, summary, moment }: MissingIncidentProps) {
  return (
    <PageFrame title="Not found" tab="incidents" summary={summary} moment={moment}>
      <EmptyState whole title={`${moment === null ? 'There is' : 'As known then, there was'} no incident ${id}.`}>
        <p className="mt-2 text-mute">
          {moment === null
            ? 'The address may be cut short, or be of another Plumbline. What is older than the record is kept is gone.'
            : 'It may have been noticed later.'}
        </p>
        <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1">
          <Link className="link py-1" href={incidentsPath({ last: '90d' })}>
            Incidents of the last 90 days
          </Link>
          <Link className="link py-1" href="/">
            Fleet
          </Link>
        </p>
      </EmptyState>
    </PageFrame>
  );
}
