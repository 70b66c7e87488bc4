'use client';

import { useQuery } from '@tanstack/react-query';
import { incidentApi, type WireIncident, type WireMember } from '#lib/api/incident.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { OfKind } from '../ui/of-kind.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { ListedTime } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { endText, lengthText, ownText } from './incident-text.ts';

const first = 50;

interface MemberLinesProps {
  readonly incident: WireIncident;
  /** Time up to which the list knows (ms). */
  readonly knownAt: number;
}

/** The first members of an incident, beneath its line, asked for when they are unfolded. */
export function MemberLines({ incident, knownAt }: MemberLinesProps) {
  const { id, members, noticedAt, closedAt, now, returns, links } = incident;
  const options = endpointQuery(incidentApi, { id, limit: String(first), ...useAtParam() });
  // The line above has changed: so may have what is beneath it.
  const seen = [members, closedAt, now.objects, returns, noticedAt].join();
  const { data, error } = useQuery({ ...options, queryKey: [...options.queryKey, seen] });
  if (error !== null) return <p className="member-say">{error.message}</p>;
  if (data === undefined) return <p className="member-say">{countOf(members, 'member')}, being read.</p>;
  return (
    <>
      <ul className="member-lines">
        {data.members.map((member) => (
          <MemberLine key={member.links.self + member.from} member={member} knownAt={knownAt} />
        ))}
      </ul>
      {data.nextCursor !== null && (
        <p className="member-say">
          {first} of {formatCount(members)};{' '}
          <Link className="link" href={`${links.self}#members`} prefetch={false}>
            all of them
          </Link>
        </p>
      )}
    </>
  );
}

function MemberLine({ member, knownAt }: { readonly member: WireMember; readonly knownAt: number }) {
  const { verdict, from, bound, ended } = member;
  return (
    <li>
      <span className="member-verdict">
        <VerdictGlyph verdict={verdict} /> {verdictLabel(verdict)}
      </span>
      <span className="member-name">
        <MemberName member={member} />
      </span>
      <span className="member-cluster">{member.cluster}</span>
      <span className="member-from">
        {bound === 'at-least' && 'before '}
        <ListedTime at={from} />
      </span>
      <span className="member-length">
        {lengthText(member, knownAt)}, {endText(ended)}
      </span>
      <span className="member-why">{ownText(member)}</span>
    </li>
  );
}

/** A member by its name: an object, or a cluster that is lost as a whole. */
export function MemberName({ member: { ref, cluster, objects, links } }: { readonly member: WireMember }) {
  return (
    <>
      <Link className="link" href={links.self} prefetch={false} data-row-link>
        {ref === null ? `all of ${cluster}` : ref.name}
      </Link>{' '}
      {ref === null ? <span className="text-mute">{countOf(objects, 'object')}</span> : <OfKind of={ref} />}
    </>
  );
}
