'use client';

import { brokenText } from '#lib/domain/alarm/alarm-text.ts';
import type { WireObject, WireObjectPage } from '#lib/api/object.ts';
import { objectPath } from '#lib/api/paths.ts';
import { countOf } from '#lib/format/number.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { Section } from '../../ui/page/page.tsx';
import { CauseLink, PageLink as Link } from '../../ui/page-link.tsx';
import type { ReactNode } from 'react';
import { alarmLabel, lacksMeasure, verdictLabel } from '#lib/format/verdict-label.ts';
import { Duration } from '../../ui/time.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';

const most = 12;

/** Objects that it depends on, those that depend on it and are not in order, and those that fail alike elsewhere. */
export function Relations({ page }: { readonly page: WireObjectPage }) {
  const { object, upstreams, waitsForThis, dependents, alike } = page;
  const past = useMoment() !== null;
  return (
    <>
      <Section
        id="depends-on"
        title="What it depends on"
        note={past ? 'source and delivery; other ties are not kept' : undefined}
      >
        {upstreams.length === 0 ? (
          <p className="text-mute">Nothing else that is read here.</p>
        ) : (
          <ul>
            {upstreams.map(({ relation, object: other, ref }) =>
              other === null ? (
                <li key={objectPath(ref)} className="line">
                  <span className="line-blind" aria-hidden="true" />
                  <span className="line-what">
                    {ref.name}{' '}
                    <span className="text-mute">
                      {ref.kind}, {relation}
                    </span>
                  </span>
                  <span className="line-end">not seen here</span>
                </li>
              ) : (
                <ObjectLine key={objectPath(ref)} object={other} here={object.cluster} relation={relation} />
              ),
            )}
          </ul>
        )}
      </Section>
      <Section
        id="waits"
        title="What depends on it"
        note={dependents === 0 ? undefined : `${countOf(dependents, 'object')} in all`}
      >
        <Lines
          objects={waitsForThis}
          here={object.cluster}
          nothing={dependents === 0 ? 'Nothing that is read here.' : 'All of it is in order.'}
        />
      </Section>
      <Section
        id="alike"
        title="Fails alike"
        note={alike.length === 0 ? undefined : 'the same error, with a cause in common'}
      >
        <Lines objects={alike} here={object.cluster} nothing="Nothing else in the fleet fails like it." />
      </Section>
    </>
  );
}

interface LinesProps {
  readonly objects: readonly WireObject[];
  readonly here: string;
  readonly nothing: string;
}

function Lines({ objects, here, nothing }: LinesProps) {
  if (objects.length === 0) return <p className="text-mute">{nothing}</p>;
  const more = objects.length - most;
  return (
    <>
      <ul>
        {objects.slice(0, most).map((other) => (
          <ObjectLine key={other.links.self} object={other} here={here} />
        ))}
      </ul>
      {more > 0 && (
        <details className="mt-1">
          <summary className="link w-fit cursor-pointer py-1">and {countOf(more, 'more object')}</summary>
          <ul>
            {objects.slice(most).map((other) => (
              <ObjectLine key={other.links.self} object={other} here={here} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Where the fault lies, when it does not lie here. */
export function RootCause({ page }: { readonly page: WireObjectPage }) {
  const { rootCause } = page.object;
  if (rootCause === null) return null;
  const cause = page.upstreams.find(({ object }) => object?.links.self === rootCause.href)?.object;
  const passed = cause?.verdict === 'converged';
  return (
    <Section id="root-cause" title="Root cause">
      <p>
        <CauseLink className="link font-medium" href={rootCause.href} title={rootCause.title} />{' '}
        <span className="text-mute">
          {passed
            ? 'has converged by now: the next pass here should take it up.'
            : `${causeLabel[rootCause.type]}: the fault lies there, not here.`}
        </span>
      </p>
    </Section>
  );
}

const causeLabel: Readonly<Record<NonNullable<WireObject['rootCause']>['type'], string>> = {
  object: 'another object',
  controller: 'a controller',
  cluster: 'the cluster itself',
  feed: 'a kind that cannot be read',
  'shared-error': 'the same error on everything that uses it',
  outside: 'something that you may not see',
};

interface ObjectLineProps {
  readonly object: WireObject;
  /** Its cluster is left out where the reader is on it already. */
  readonly here: string;
  /** Relation to the page's object. */
  readonly relation?: string;
  readonly children?: ReactNode;
}

/** One other object in one line: glyph, name, kind, since when, whether anybody was called. */
function ObjectLine({ object, here, relation }: ObjectLineProps) {
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
        {alarm.state === 'silent' && alarm.broken !== null && ` (${brokenText[alarm.broken]})`}
      </span>
    </li>
  );
}
