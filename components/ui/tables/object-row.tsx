'use client';

import type { ReactNode } from 'react';
import type { WireObject } from '#lib/api/object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { shortRevision } from '#lib/format/revision.ts';
import { lacksMeasure, unmeasuredText, verdictLabel } from '#lib/format/verdict-label.ts';
import { AlarmMark, AlarmText } from '../alarm.tsx';
import { Commit } from '../commit.tsx';
import { Duration } from '../time.tsx';
import { VerdictGlyph } from '../verdict-glyph.tsx';
import { PageLink as Link } from '../page-link.tsx';

/** The columns that not every table has: left out where no row would have anything in them. */
export interface Columns {
  readonly cluster: boolean;
  readonly runs: boolean;
  readonly alarm: boolean;
}

interface ObjectRowProps {
  readonly object: WireObject;
  readonly index: number;
  readonly columns: Columns;
  readonly measure?: (row: HTMLTableRowElement | null) => void;
}

/** One object in one row: verdict, name, what goes on, what runs, for how long, whether anybody was called. */
export function ObjectRow({ object, index, columns, measure }: ObjectRowProps) {
  const { verdict, alarm } = object;
  const good = verdict === 'converged';
  const silent = alarm.state === 'silent';
  const what = whatText(object);
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={good || verdict === 'unconfirmed' ? 'quiet' : undefined}
    >
      <td className="verdict">
        <span
          className={silent ? 'silent' : undefined}
          style={silent ? { background: `var(--${verdict})` } : undefined}
        >
          <VerdictGlyph verdict={verdict} plain={silent} /> {verdictLabel(verdict)}
        </span>
      </td>
      {columns.cluster && (
        <td className="cut cluster">
          <Link href={clusterPath(object.cluster)} prefetch={false} className="quiet-link">
            {object.cluster}
          </Link>
        </td>
      )}
      <td className="cut kind text-mute">{object.kind}</td>
      <th scope="row" className="cut name">
        <Link className="link" href={object.links.self} prefetch={false} data-row-link>
          {object.name}
        </Link>
        {object.namespace !== '' && <span className="text-mute"> in {object.namespace}</span>}
      </th>
      <td className="what" title={what === '' ? undefined : what}>
        {what !== '' && <span className="what-text">{what}</span>}
      </td>
      {columns.runs && <td className="cut commit">{runsOf(object)}</td>}
      <td className="right since">{!good && <Duration since={object.onset.time} bound={object.onset.bound} />}</td>
      {columns.alarm && (
        <td className="cut alarm">
          <AlarmMark state={alarm.state} />{' '}
          {alarm.state === 'unknown' ? <span className="sr-only">not known</span> : <AlarmText {...alarm} />}
        </td>
      )}
    </tr>
  );
}

/** Revision that runs, said only where it is not known to be the newest; null where there is nothing to say. */
export function runsOf({ commit, commitDiffers, revision, links }: WireObject): ReactNode {
  const { applied, offered } = revision;
  const isUnread = commitDiffers === 'unknown';
  const isOther = commit === null ? offered !== null && applied !== offered : commitDiffers === 'yes';
  if (!isOther && !isUnread) return null;
  if (commit === null && applied === null) return null;
  const runs =
    commit === null ? <code>{shortRevision(applied ?? '')}</code> : <Commit commit={commit} href={links.commit} />;
  if (!isUnread) return runs;
  return (
    <span title="What its source offers is not read.">
      {runs}
      <span aria-hidden="true">?</span>
      <span className="sr-only">, what its source offers is not read</span>
    </span>
  );
}

/** Words of a row on an object: nothing where it is in order, its sentence where it is not; and that its drift is not measured. */
export function whatText(object: Pick<WireObject, 'verdict' | 'sentence' | 'role' | 'drift'>): string {
  const said = object.verdict === 'converged' ? '' : object.sentence;
  if (!lacksMeasure(object, said)) return said;
  return said === '' ? unmeasuredText : `${said} ${unmeasuredText}`;
}
