'use client';

import type { WireObjectChanges, WireObjectPage } from '#lib/api/object.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';
import { BroughtCommits } from '../suspects/brought-commits.tsx';
import { ChangeText } from '../ui/change-text.tsx';
import { useNow } from '../ui/now.tsx';
import { Section } from '../ui/page/page.tsx';
import { Time } from '../ui/time.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';

/** Changes in the half hour before the object broke, or since it was made; of one that is converged, in the last day. */
export function ChangesBefore({ page }: { readonly page: WireObjectPage }) {
  const { before } = page;
  if (before === null)
    return (
      <Section id="before" title="What changed before">
        <p className="text-mute">The record of changes cannot be read now.</p>
      </Section>
    );
  return (
    <Section
      id="before"
      title={before.span === 'before-away' ? 'What changed before' : 'Changes'}
      note={<SpanNote page={page} before={before} />}
    >
      <BroughtCommits object={page.object} before={before} />
      {before.changes.length === 0 ? (
        <Nothing before={before} />
      ) : (
        <Changes before={before} here={page.object.cluster} />
      )}
      <Blind before={before} />
    </Section>
  );
}

type BeforeProps = { readonly before: WireObjectChanges };

/** Of which time the changes are. */
function SpanNote({ page, before }: BeforeProps & { readonly page: WireObjectPage }) {
  switch (before.span) {
    case 'before-away': {
      const { bound } = page.object.awaySince ?? page.object.onset;
      return (
        <>
          in the 30 min before <Time at={before.to} as="clock" />, when it{' '}
          {bound === 'exact' ? 'left converged' : 'had left converged already'}
        </>
      );
    }
    case 'since-made':
      return (
        <>
          since it was made, <Time at={before.from} />
        </>
      );
    case 'last-day':
      return 'in the last 24 h';
  }
}

/** Half an hour is on one day. */
function timeAs(span: WireObjectChanges['span']): 'clock' | 'full' {
  return span === 'before-away' ? 'clock' : 'full';
}

/** Says what was looked at, so that nothing found means something. */
function Nothing({ before }: BeforeProps) {
  const since = parseTime(before.recordedSince ?? '');
  if (since === null || since >= (parseTime(before.to) ?? 0)) return null;
  return (
    <p className="max-w-[74ch] text-mute">Nothing is recorded: no change of it, nor of {listOf(before.searched)}.</p>
  );
}

const named = 8;

function listOf(words: readonly string[]): string {
  const more = words.length - named;
  const all = more > 1 ? [...words.slice(0, named), `${more} more`] : words;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** Where nobody looked in a part of the time, what was changed then may be missing. */
function Blind({ before }: BeforeProps) {
  const { span, from, to, gaps, recordedSince } = before;
  const since = parseTime(recordedSince ?? '');
  const late = since === null || since > (parseTime(from) ?? 0);
  if (!late && gaps.length === 0) return null;
  return (
    <ul className="mt-2 max-w-[74ch] text-mute">
      {recordedSince === null && <li>No changes are recorded here: nothing here has been read.</li>}
      {late && recordedSince !== null && (
        <li>
          Changes here are recorded since <Time at={recordedSince} />: what was changed before that is not known.
        </li>
      )}
      {gaps.map((gap) => (
        <li key={gap.from}>
          Nobody looked from <Time at={gap.from > from ? gap.from : from} as={timeAs(span)} /> to{' '}
          <Time at={gap.to === null || gap.to > to ? to : gap.to} as={timeAs(span)} /> ({gap.reason ?? gap.state}): what
          was changed then was found only afterwards.
        </li>
      ))}
    </ul>
  );
}

function Changes({ before, here }: BeforeProps & { readonly here: string }) {
  return (
    <>
      <RecordTable stacked caption="What was changed, newest first" titles={['When', 'What', 'Of', 'By']}>
        {changeRows(before.changes).map((row) => (
          <Row key={row.key} row={row} before={before} here={here} />
        ))}
      </RecordTable>
      {before.more && <p className="mt-2 text-mute">There were more; the newest are listed.</p>}
    </>
  );
}

interface RowProps extends BeforeProps {
  readonly row: ChangeRow;
  readonly here: string;
}

function Row({ row, before, here }: RowProps) {
  const { first, changes } = row;
  return (
    <tr>
      <td>
        <When row={row} before={before} />
      </td>
      <td className="wrap-anywhere">
        {changes.map((change, index) => (
          <span key={change.type + change.text}>
            {index > 0 && '; '}
            <ChangeText change={change} />
          </span>
        ))}
      </td>
      <td className="wrap-anywhere">
        <Of change={first} here={here} />
      </td>
      <td className="wrap-anywhere">
        {first.by !== null && <code>{first.by}</code>}
        {first.by === null && handed.has(first.type) && <span className="text-mute">by whom is not known</span>}
      </td>
    </tr>
  );
}

/** Types of changes made by somebody's hand, so that it matters whose it was. */
const handed: ReadonlySet<WireObjectChanges['changes'][number]['type']> = new Set([
  'spec-edited',
  'suspended',
  'resumed',
  'exemption-added',
  'exemption-removed',
]);

function When({ row, before }: Omit<RowProps, 'here'>) {
  const now = useNow();
  const { at, notBefore } = row.first;
  const ago = now - (parseTime(at) ?? now);
  return (
    <>
      <span className="whitespace-nowrap">
        {at !== notBefore && <span className="text-mute">by </span>}
        <Time at={at} as={timeAs(before.span)} />
      </span>{' '}
      <span className="text-mute">
        {before.span === 'before-away'
          ? beforeText(row.first, parseTime(before.to) ?? 0)
          : `${formatDuration(ago)} ago`}
      </span>
    </>
  );
}

function Of({ change, here }: { readonly change: ChangeRow['first']; readonly here: string }) {
  const { ref, relation, cluster, href } = change;
  const there = cluster === here ? '' : ` on ${cluster}`;
  if (relation === 'itself') return 'this object';
  if (ref === null)
    return (
      <Link className="link" href={href} prefetch={false}>
        {cluster}
      </Link>
    );
  return (
    <>
      <Link className="link" href={href} prefetch={false}>
        {ref.name}
      </Link>
      {there}{' '}
      <span className="text-mute">
        {ref.kind}, {relation}
      </span>
    </>
  );
}

type ListedChange = WireObjectChanges['changes'][number];

/** One line of the table: what one hand did to one thing at one moment. */
interface ChangeRow {
  readonly key: string;
  readonly first: ListedChange;
  readonly changes: readonly ListedChange[];
}

/** Changes of one thing, by one hand, at one moment as one line: an edit of a spec that suspends is both. */
export function changeRows(changes: readonly ListedChange[]): readonly ChangeRow[] {
  const rows = new Map<string, { first: ListedChange; changes: ListedChange[] }>();
  for (const change of changes) {
    const key = [change.href, change.ref === null ? change.text : '', change.at, change.by].join(' ');
    const row = rows.get(key);
    if (row) row.changes.push(change);
    else rows.set(key, { first: change, changes: [change] });
  }
  return [...rows].map(([key, row]) => ({ key, ...row }));
}

/**
 * Time before a moment (ms) at which it was: "4 min before"; "between 12 min and 4 min before" where it is not dated
 * ("about 5 min before" where that is the same), and "up to 12 min before" where it was found only after that moment.
 */
export function beforeText({ at, notBefore }: Pick<ListedChange, 'at' | 'notBefore'>, moment: number): string {
  const latest = moment - (parseTime(at) ?? moment);
  const earliest = moment - (parseTime(notBefore) ?? moment);
  if (earliest < 1000) return 'at that moment';
  if (earliest - latest < 1000) return `${formatDuration(latest)} before`;
  if (latest < 1000) return `up to ${formatDuration(earliest)} before`;
  const [from, to] = [formatDuration(earliest), formatDuration(latest)];
  return from === to ? `about ${to} before` : `between ${from} and ${to} before`;
}
