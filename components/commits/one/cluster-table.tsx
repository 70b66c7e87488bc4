'use client';

import { useId, useState, type KeyboardEvent } from 'react';
import { clusterPath, commitPath } from '#lib/api/paths.ts';
import { timesNotKnownWords } from '#lib/api/git/times-not-known.ts';
import type { WaveState } from '#lib/draw/wave/wave-cluster.ts';
import { afterText, waveWord } from '#lib/draw/wave/wave-text.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';

import { parseTime } from '#lib/format/time.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { useNow } from '../../ui/now.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { Ledger, type Column } from '../../ui/tables/ledger.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import type { ShownCluster, ShownObject } from '../commit-view.ts';
import { FateGlyph } from '../fate-glyph.tsx';

const columns: readonly Column[] = [
  { name: 'state', width: '108px', title: 'State' },
  { name: 'name', width: '20%', title: 'Cluster' },
  { name: 'offered', width: '150px', title: 'Offered' },
  { name: 'first', width: '112px', title: 'First object' },
  { name: 'last', width: '112px', title: 'Last object' },
  { name: 'why', title: 'Why' },
];

interface ClusterTableProps {
  readonly clusters: readonly ShownCluster[];
  readonly committedAt: number;
  /** Objects of one state are what is looked for: every line stands open. */
  readonly opened: boolean;
}

/** Clusters that the commit concerns, one line each; the objects on one unfold beneath, and stand open where something fails. */
export function ClusterTable({ clusters, committedAt, opened }: ClusterTableProps) {
  return (
    <Ledger name="standing" caption="The commit on each cluster" columns={columns} rows={clusters.length}>
      <tbody>
        {clusters.map((cluster, index) => (
          <Row key={cluster.cluster} of={cluster} index={index} committedAt={committedAt} opened={opened} />
        ))}
      </tbody>
    </Ledger>
  );
}

/** So many clusters where something fails stand open at first: more of them would bury the rest. */
const openAtFirst = 3;

interface RowProps extends Pick<ClusterTableProps, 'committedAt' | 'opened'> {
  readonly of: ShownCluster;
  readonly index: number;
}

function Row({ of, index, committedAt, opened }: RowProps) {
  const { cluster, environment, state, offeredAt, firstAt, lastAt, notKnown, why, since, objects, count } = of;
  const none = notKnown ? <Mute text={timesNotKnownWords[notKnown]} /> : '';
  const [open, setOpen] = useState(opened || (isFailing(state) && index < openAtFirst));
  const beneath = useId();
  const now = useNow();
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') setOpen(true);
    if (key === 'ArrowLeft') setOpen(false);
  };
  return (
    <>
      <tr data-index={index} className={open ? 'is-open' : undefined}>
        <td className="state whitespace-nowrap">
          <FateGlyph state={state} /> {upper(waveWord[state])}
        </td>
        <th scope="row" className="name">
          <button
            type="button"
            className="unfold screen-only"
            aria-expanded={open}
            aria-controls={open ? beneath : undefined}
            aria-label={`${countOf(count, 'object')} on ${cluster}`}
            onClick={() => setOpen(!open)}
            onKeyDown={onKeyDown}
          />
          <Link className="link" href={clusterPath(cluster)} prefetch={false} onKeyDown={onKeyDown} data-row-link>
            {cluster}
          </Link>{' '}
          <span className="text-mute">{environment}</span>
        </th>
        <td className="offered">
          {offeredAt === null ? none || <Mute text="not known" /> : afterText(offeredAt, committedAt)}
        </td>
        <td className="first">{firstAt === null ? none : afterText(firstAt, committedAt)}</td>
        <td className="last">{lastAt === null ? none : afterText(lastAt, committedAt)}</td>
        <td className="why">
          {why}
          {since !== null && <span className="text-mute"> for {formatDuration(now - since)}</span>}
        </td>
      </tr>
      {open && (
        <tr id={beneath} className="beneath">
          <td colSpan={columns.length}>
            <ul className="standing-objects">
              {objects.map((object) => (
                <ObjectLine key={object.href} of={object} now={now} />
              ))}
              {count > objects.length && (
                <li className="text-mute">and {countOf(count - objects.length, 'more object')}</li>
              )}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

function Mute({ text }: { readonly text: string }) {
  return <span className="text-mute">{text}</span>;
}

/** One object: where it stands, its verdict where it is away, why, and the commit that came after. */
function ObjectLine({ of, now }: { readonly of: ShownObject; readonly now: number }) {
  const { ref, href, state, verdict, why, by } = of;
  const { kind, namespace, name } = ref;
  const since = parseTime(of.since ?? '');
  return (
    <li>
      <span className="whitespace-nowrap">
        <FateGlyph state={state} /> {upper(waveWord[state])}
      </span>
      <span>
        <Link className="link" href={href} prefetch={false}>
          {name}
        </Link>{' '}
        <span className="text-mute">
          {kind}
          {namespace !== '' && ` in ${namespace}`}
        </span>
      </span>
      <span className="whitespace-nowrap">
        <VerdictGlyph verdict={verdict} /> {verdictLabel(verdict)}
      </span>
      <span className="standing-why">
        {why}
        {since !== null && isFailing(state) && ` for ${formatDuration(now - since)}`}
        {by !== null && (
          <>
            {why === '' ? 'by ' : '; superseded by '}
            <Link className="link" href={commitPath(by.sha)} prefetch={false}>
              <code>{shortCommit(by.sha)}</code>
              {by.subject !== null && ` ${by.subject}`}
            </Link>
          </>
        )}
      </span>
    </li>
  );
}

function isFailing(state: WaveState): boolean {
  return state === 'stuck' || state === 'failed-later';
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
