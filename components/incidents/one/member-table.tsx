'use client';

import type { WireMember } from '#lib/api/incident.ts';
import type { WireCause } from '#lib/api/object.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { CauseLink } from '../../ui/page-link.tsx';
import { ClusterCell, Ledger, type Column } from '../../ui/tables/ledger.tsx';
import { ListedTime } from '../../ui/time.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { endText, lengthText, ownText } from '../incident-text.ts';
import { MemberName } from '../member-lines.tsx';

const columns: readonly Column[] = [
  { name: 'worst', width: '104px', title: 'Verdict' },
  { name: 'name', title: 'What' },
  { name: 'cluster', width: '124px', title: 'Cluster' },
  { name: 'began', width: '190px', title: 'From' },
  { name: 'to', width: '148px', title: 'To' },
  { name: 'length', width: '132px', title: 'For' },
  { name: 'why', width: '18%', title: 'Why' },
];

interface MemberTableProps {
  readonly members: readonly WireMember[];
  /** Cause of the incident: what lies beneath it has no need of its name. */
  readonly cause: WireCause;
  /** Time up to which they are known (ms). */
  readonly knownAt: number;
}

/** Everything that is, or was, in an incident: each from when to when, and whether the fault is its own. */
export function MemberTable({ members, cause, knownAt }: MemberTableProps) {
  return (
    <Ledger name="members" caption="What is and was in the incident" columns={columns} rows={members.length}>
      <tbody>
        {members.map((member, index) => (
          <Row key={member.links.self + member.from} member={member} index={index} beneath={cause} knownAt={knownAt} />
        ))}
      </tbody>
    </Ledger>
  );
}

interface RowProps extends Pick<MemberTableProps, 'knownAt'> {
  readonly member: WireMember;
  readonly index: number;
  readonly beneath: WireCause;
}

function Row({ member, index, beneath, knownAt }: RowProps) {
  const { verdict, cluster, from, bound, to, ended } = member;
  return (
    <tr data-index={index}>
      <td className="worst whitespace-nowrap">
        <VerdictGlyph verdict={verdict} /> {verdictLabel(verdict)}
      </td>
      <th scope="row" className="name">
        <MemberName member={member} />
      </th>
      <ClusterCell cluster={cluster} />
      <td className="began">
        {bound === 'at-least' && <span className="text-mute">before </span>}
        <ListedTime at={from} />
      </td>
      <td className="to">{to === null ? <b className="font-medium">still in it</b> : <ListedTime at={to} />}</td>
      <td className="length">
        {lengthText(member, knownAt)}
        {ended !== null && <span className="text-mute">, {endText(ended)}</span>}
      </td>
      <td className="why">
        {ownText(member)}
        <Whose member={member} beneath={beneath} />
      </td>
    </tr>
  );
}

/** Words on what carries a member's fault; nothing of its own. */
function Whose({ member: { cause, reason }, beneath }: Pick<RowProps, 'member' | 'beneath'>) {
  if (cause === null) return null;
  const comma = reason === '' ? '' : ', ';
  if (cause.href === beneath.href && cause.title === beneath.title)
    return <span className="text-mute">{comma}beneath it</span>;
  return (
    <span className="text-mute">
      {comma}because of <CauseLink className="link" href={cause.href} title={cause.title} />
    </span>
  );
}
