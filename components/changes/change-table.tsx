import Link from 'next/link';
import type { WireCause, WireChange } from '#lib/api/object.ts';
import type { WireNotedTransition } from '#lib/api/transition.ts';
import { objectPath, pathAt } from '#lib/api/paths.ts';
import { momentText } from '#lib/format/moment.ts';
import { countOf } from '#lib/format/number.ts';
import { formatClock, parseTime } from '#lib/format/time.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { CauseLink } from '../ui/page-link.tsx';
import { Commit } from '../ui/commit.tsx';
import { Arrow, ChangeText } from '../ui/change-text.tsx';
import { ListedTime } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { clustersIn, type ChangeGroup } from './change-groups.ts';
import { RecordTable } from '../ui/tables/record-table.tsx';

interface ChangeTableProps {
  readonly groups: readonly ChangeGroup[];
  /** Left out where all of it is on one. */
  readonly withCluster: boolean;
}

/** Events, newest first, one line for what happened alike; every time leads to what was known then. */
export function ChangeTable({ groups, withCluster }: ChangeTableProps) {
  return (
    <RecordTable
      stacked
      className="changes-table"
      caption="What changed, newest first"
      titles={['When', 'What', 'Of', 'Why, or by whom']}
    >
      {groups.map((group) => (
        <tr key={group.key}>
          <td className="whitespace-nowrap">
            <Link className="link" href={pathAt('/', momentText(group.at))} prefetch={false}>
              <ListedTime at={momentText(group.at)} />
            </Link>
            {group.at - group.since > 1000 && <span className="block text-mute">from {formatClock(group.since)}</span>}
          </td>
          <td className="wrap-anywhere">{whatOf(group)}</td>
          <td className="wrap-anywhere">
            <Of group={group} withCluster={withCluster} />
          </td>
          <td className="wrap-anywhere">{whyOf(group)}</td>
        </tr>
      ))}
    </RecordTable>
  );
}

function whatOf(group: ChangeGroup) {
  if (group.type === 'change') {
    const [first] = group.changes;
    return first === undefined ? null : <ChangeText change={first} quiet />;
  }
  const [first] = group.transitions;
  if (first === undefined) return null;
  const { from, to } = first;
  return (
    <>
      {from !== null && (
        <span className="text-mute">
          {verdictLabel(from)} <Arrow />{' '}
        </span>
      )}
      {to === null ? (
        'Gone'
      ) : (
        <>
          <VerdictGlyph verdict={to} /> {verdictLabel(to)}
        </>
      )}
      {from === null && <span className="text-mute">, first seen</span>}
    </>
  );
}

/** The page of a cause as it was at a moment (ms); null where it has none. */
function causePath({ href }: WireCause, at: number): string | null {
  return href === null ? null : pathAt(href, momentText(at));
}

function whyOf(group: ChangeGroup) {
  if (group.type === 'change') {
    const by = group.changes[0]?.by ?? null;
    return by === null ? null : <code>{by}</code>;
  }
  const [first] = group.transitions;
  if (first === undefined || first.to === null) return null;
  const { commit } = first;
  return (
    <>
      {group.cause === null ? (
        reasonOf(group)
      ) : (
        <CauseLink className="link" href={causePath(group.cause, group.at)} title={group.cause.title} />
      )}
      {commit !== null && group.transitions.length === 1 && (
        <span className="text-mute">
          {' '}
          runs <Commit commit={commit} href={null} />
        </span>
      )}
    </>
  );
}

/** The one reason of all of them; '' where they have several, or it says no more than the verdict. */
function reasonOf({ transitions }: Extract<ChangeGroup, { type: 'verdict' }>): string {
  const reasons = new Set(transitions.map(({ reason }) => reason));
  const [reason = ''] = reasons;
  return reasons.size > 1 || reason.toLowerCase() === transitions[0]?.to ? '' : reason;
}

interface Thing {
  readonly key: string;
  readonly name: string;
  readonly kind: string;
  readonly cluster: string;
  readonly href: string;
}

function Of({ group, withCluster }: { readonly group: ChangeGroup; readonly withCluster: boolean }) {
  const things = group.type === 'verdict' ? group.transitions.map(thingOf) : group.changes.map(thingChanged);
  const [only] = things;
  if (only === undefined) return null;
  if (things.length === 1) return <OneOf thing={only} withCluster={withCluster} />;
  const clusters = clustersIn(group);
  const where =
    clusters.length === 1 ? (withCluster ? ` on ${clusters[0]}` : '') : ` on ${countOf(clusters.length, 'cluster')}`;
  const noun = new Set(things.map(({ kind }) => kind)).size === 1 ? only.kind : 'object';
  return (
    <details>
      <summary className="link w-fit cursor-pointer">
        {countOf(things.length, noun === '' ? 'change' : noun)}
        {where}
      </summary>
      <ul>
        {things.map((thing) => (
          <li key={thing.key} className="py-0.5">
            <OneOf thing={thing} withCluster={withCluster} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function OneOf({ thing, withCluster }: { readonly thing: Thing; readonly withCluster: boolean }) {
  const { name, kind, cluster, href } = thing;
  return (
    <>
      <Link className="link" href={href} prefetch={false}>
        {name}
      </Link>
      {withCluster && name !== cluster && ` on ${cluster}`} <span className="text-mute">{kind}</span>
    </>
  );
}

/** The object as it was known then; of one that went, as it was just before. */
function thingOf({ ref, noticedAt, to }: WireNotedTransition): Thing {
  const at = (parseTime(noticedAt) ?? 0) - (to === null ? 1 : 0);
  const href = pathAt(objectPath(ref), momentText(at));
  return { key: `${href} ${to}`, name: ref.name, kind: ref.kind, cluster: ref.cluster, href };
}

/** It is dated before it was noticed: what was known of it then is shown of when it was noticed. */
function thingChanged({ ref, cluster, href, noticedAt, type, at }: WireChange): Thing {
  const shown = (parseTime(noticedAt) ?? 0) - (type === 'deleted' ? 1 : 0);
  const path = pathAt(href, momentText(shown));
  return { key: `${path} ${type} ${at}`, name: ref?.name ?? cluster, kind: ref?.kind ?? '', cluster, href: path };
}
