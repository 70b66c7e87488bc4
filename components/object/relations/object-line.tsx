'use client';

import type { ReactNode } from 'react';
import type { WireObject } from '#lib/api/object.ts';
import { lacksMeasure } from '#lib/format/drift-label.ts';
import { alarmLabel, verdictLabel } from '#lib/format/verdict-label.ts';
import { Duration } from '../../ui/duration.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';

interface ObjectLineProps {
  readonly object: WireObject;
  /** Its cluster is left out where the reader stands on it already. */
  readonly here: string;
  /** Relation to the page's object. */
  readonly relation?: string;
  readonly children?: ReactNode;
}

/** One other object in one line: glyph, name, kind, since when, whether anybody was called. */
export function ObjectLine({ object, here, relation }: ObjectLineProps) {
  const { verdict, alarm } = object;
  const quiet = verdict === 'converged' || verdict === 'unconfirmed';
  return (
    <li className="line">
      <VerdictGlyph verdict={verdict} />
      <span className="line-what">
        <Link className="link" href={object.links.self} prefetch={false}>
          {object.name}
        </Link>
        {object.cluster !== here && ` on ${object.cluster}`}{' '}
        <span className="text-mute">
          {object.kind}
          {relation !== undefined && `, ${relation}`}
          {lacksMeasure(object, '') && ', drift not measured'}
        </span>
      </span>
      <span className="line-end">
        {verdictLabel(verdict).toLowerCase()}
        {!quiet && (
          <>
            {' '}
            <Duration since={object.onset.time} bound={object.onset.bound} />
          </>
        )}
        {alarmLabel[alarm.state] !== '' && alarm.state !== 'unknown' && `, ${alarmLabel[alarm.state]}`}
      </span>
    </li>
  );
}
