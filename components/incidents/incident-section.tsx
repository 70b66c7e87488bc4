'use client';

import './incidents.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  incidentsApi,
  membershipsApi,
  type MadeUpTo,
  type WireIncident,
  type WireIncidentList,
  type WireMemberships,
} from '#lib/api/incident.ts';
import { incidentsPath } from '#lib/api/paths.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { usePagedList } from '../queries/use-paged-list.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useNow } from '../ui/now.tsx';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';
import { ListedTime } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { IncidentTable } from './incident-table.tsx';
import {
  endText,
  incidentsSentence,
  knownUpTo,
  lengthText,
  madeSentence,
  ownText,
  reachText,
} from './incident-text.ts';

/** Question to the API, and its answer as it came with the page; null where the record could not be read. */
interface Sent<Answer> {
  readonly params: Readonly<Record<string, string>>;
  readonly list: Answer | null;
}

export type SentClusterIncidents = Sent<WireIncidentList>;
export type SentMemberships = Sent<WireMemberships>;

/** The newest incidents with a member on a cluster, with the way to all of them. */
export function ClusterIncidents({ sent: { params, list } }: { readonly sent: SentClusterIncidents }) {
  const { limit: _few, at: _then, ...all } = params;
  return (
    <Section
      id="incidents"
      title="Incidents"
      note={
        <>
          with anything on this cluster, in the last 90 days;{' '}
          <Link className="link" href={incidentsPath(all)} prefetch={false}>
            all of them
          </Link>
        </>
      }
    >
      {list === null ? <Unread /> : <Newest params={params} list={list} />}
    </Section>
  );
}

interface IncidentsAroundProps {
  /** null where they cannot be read. */
  readonly rows: readonly WireIncident[] | null;
  /** Said where there is none. */
  readonly nothing: string;
}

/** Some incidents that were known at some time, one line a cause. */
export function IncidentsAround({ rows, nothing }: IncidentsAroundProps) {
  const now = useNow();
  if (rows === null) return <Unread />;
  return rows.length === 0 ? <p>{nothing}</p> : <IncidentTable rows={rows} knownAt={now} />;
}

function Unread() {
  return <p className="text-mute">The record cannot be read now.</p>;
}

function Newest({
  params,
  list,
}: {
  readonly params: SentClusterIncidents['params'];
  readonly list: WireIncidentList;
}) {
  const now = useNow();
  const { first, error } = usePagedList({ endpoint: incidentsApi, params, sent: { params, list } });
  return (
    <>
      <Before error={error} made={first.made} now={now} />
      <p className="max-w-[74ch] pb-2">{incidentsSentence(first, false)}</p>
      {first.rows.length > 0 && <IncidentTable rows={first.rows} knownAt={knownUpTo(first.made, now)} />}
    </>
  );
}

interface BeforeProps {
  readonly error: Error | null;
  readonly made: MadeUpTo;
  readonly now: number;
}

/** Notices to read before such a list is believed. */
function Before({ error, made, now }: BeforeProps) {
  const still = madeSentence(made, now);
  return (
    <>
      {error !== null && <p className="text-mute">{error.message} What stands here is from before.</p>}
      {still !== null && <p className="text-mute">{still}</p>}
    </>
  );
}

interface ObjectIncidentsProps {
  readonly sent: SentMemberships;
  /** The same times one by one, beneath. */
  readonly children: ReactNode;
}

/** The incidents that an object was part of, each with its own time in it; its absences beneath. */
export function ObjectIncidents({ sent: { params, list }, children }: ObjectIncidentsProps) {
  return (
    <Section id="incidents" title="Incidents" note="that it was part of, each with its own time in it">
      {list === null ? <Unread /> : <Memberships params={params} list={list} />}
      {children}
    </Section>
  );
}

const pause = 3000;

function Memberships({ params, list }: { readonly params: SentMemberships['params']; readonly list: WireMemberships }) {
  const now = useNow();
  const options = endpointQuery(membershipsApi, params);
  const { data, error } = useQuery({ ...options, initialData: list });
  const refetch = useRefetch(options.queryKey, pause);
  const { rows, more, made } = data;
  useFrames(({ type }) => {
    if (type === 'object' || type === 'summary' || type === 'reset' || (type === 'tick' && made !== null)) refetch();
  });
  return (
    <>
      <Before error={error} made={made} now={now} />
      {rows.length === 0 ? (
        <p>{made === null ? 'It was part of none that is known.' : 'It was part of none that is known so far.'}</p>
      ) : (
        <MembershipTable rows={rows} knownAt={knownUpTo(made, now)} />
      )}
      {more && <p className="pt-2 text-mute">These are the newest {countOf(rows.length, 'time')}; there were more.</p>}
    </>
  );
}

const columns: readonly Column[] = [
  { name: 'worst', width: '104px', title: 'It was' },
  { name: 'name', title: 'Incident' },
  { name: 'began', width: '190px', title: 'From' },
  { name: 'length', width: '160px', title: 'For' },
  { name: 'why', width: '20%', title: 'Why' },
  { name: 'most', width: '190px', title: 'In all, at its worst' },
];

function MembershipTable({ rows, knownAt }: Pick<WireMemberships, 'rows'> & { readonly knownAt: number }) {
  return (
    <Ledger
      name="memberships"
      caption="Incidents that it was part of, the newest first"
      columns={columns}
      rows={rows.length}
    >
      <tbody>
        {rows.map(({ member, incident }, index) => (
          <tr key={incident.id + member.from} data-index={index}>
            <td className="worst whitespace-nowrap">
              <VerdictGlyph verdict={member.verdict} /> {verdictLabel(member.verdict)}
            </td>
            <th scope="row" className="name">
              <Link className="link" href={incident.links.self} prefetch={false} data-row-link>
                {incident.title}
              </Link>
            </th>
            <td className="began">
              {member.bound === 'at-least' && <span className="text-mute">before </span>}
              <ListedTime at={member.from} />
            </td>
            <td className="length">
              {lengthText(member, knownAt)}
              <span className={member.to === null ? 'font-medium' : 'text-mute'}>, {endText(member.ended)}</span>
            </td>
            <td className="why">
              {ownText(member)}
              {!member.own && <span className="text-mute">{member.reason === '' ? 'beneath it' : ', beneath it'}</span>}
            </td>
            <td className="most">{reachText(incident.most)}</td>
          </tr>
        ))}
      </tbody>
    </Ledger>
  );
}
