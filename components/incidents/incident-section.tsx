'use client';

import './incidents.css';
import Link from 'next/link';
import { incidentsApi, type WireIncidentList } from '#lib/api/incident.ts';
import { incidentsPath } from '#lib/api/paths.ts';
import { usePagedList } from '../queries/use-paged-list.ts';
import { Section } from '../ui/page/page.tsx';
import { incidentsSentence } from './incident-text.ts';
import { IncidentTable, type IncidentColumns } from './incident-table.tsx';

/** Question to the API, and its answer as it came with the page; null where the record could not be read. */
export interface SentIncidentSection {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireIncidentList | null;
}

interface IncidentSectionProps {
  readonly columns: IncidentColumns;
  readonly sent: SentIncidentSection;
}

/** The newest incidents of one object or cluster, with the way to all of them. */
export function IncidentSection({ columns, sent: { params, list } }: IncidentSectionProps) {
  // The list of all is a page of the present.
  const { limit: _few, at: _then, ...all } = params;
  return (
    <Section
      id="incidents"
      title="Incidents"
      note={
        <>
          in the last 90 days;{' '}
          <Link className="link" href={incidentsPath(all)} prefetch={false}>
            all of them
          </Link>
        </>
      }
    >
      {list === null ? (
        <p className="text-mute">The record cannot be read now.</p>
      ) : (
        <Newest columns={columns} sent={{ params, list }} />
      )}
    </Section>
  );
}

interface NewestProps extends Pick<IncidentSectionProps, 'columns'> {
  readonly sent: { readonly params: Readonly<Record<string, string>>; readonly list: WireIncidentList };
}

function Newest({ columns, sent }: NewestProps) {
  const { first: list, error } = usePagedList({ endpoint: incidentsApi, params: sent.params, sent });
  return (
    <>
      {error !== null && <p className="text-mute">{error.message} What stands here is from before.</p>}
      <p className="max-w-[74ch] pb-2">{incidentsSentence(list)}</p>
      {list.rows.length > 0 && <IncidentTable rows={list.rows} columns={columns} />}
    </>
  );
}
