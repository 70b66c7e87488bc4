'use client';

import type { ReactNode } from 'react';
import type { WireIncidentPage } from '#lib/api/incident.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { RangeText, RangeWords } from '../../ui/commit.tsx';
import { Section } from '../../ui/page/page.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { ListedTime } from '../../ui/time.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';

/** Cause of an incident, its commits, its clusters, and when nobody looked. */
export function IncidentFacts({ page }: { readonly page: WireIncidentPage }) {
  const { worst, reason, range, clusters, clusterCount } = page.incident;
  const more = clusterCount - clusters.length;
  return (
    <Section id="cause" title="Cause">
      <dl className="facts">
        <Fact name="Cause">
          <CauseLink page={page} />
        </Fact>
        <Fact name="Worst">
          <VerdictGlyph verdict={worst} /> {verdictLabel(worst)}
          {reason !== '' && <span className="text-mute">, {reason}</span>}
        </Fact>
        {range !== null && (
          <Fact name="Commits">
            It <RangeText range={range} />.
            <RangeWords range={range} />
          </Fact>
        )}
        <Fact name={clusterCount === 1 ? 'Cluster' : 'Clusters'}>
          {clusters.map((cluster, index) => (
            <span key={cluster}>
              {index > 0 && ', '}
              <Link className="link" href={clusterPath(cluster)} prefetch={false}>
                {cluster}
              </Link>
            </span>
          ))}
          {more > 0 && ` and ${countOf(more, 'more cluster')}`}
        </Fact>
        <Blind page={page} />
      </dl>
    </Section>
  );
}

/** The cause leads to its page, where one page shows it. */
function CauseLink({ page }: { readonly page: WireIncidentPage }) {
  const { title, links } = page.incident;
  if (links.cause === null) return title;
  return (
    <Link className="link" href={links.cause} prefetch={false}>
      {title}
    </Link>
  );
}

/** Times in which one of its clusters was not being observed: what that leaves open. */
function Blind({ page: { blind, blindLeftOut } }: { readonly page: WireIncidentPage }) {
  if (blind.length === 0) return null;
  return (
    <Fact name="Not observed">
      <ul>
        {blind.map(({ cluster, from, to, reason }) => (
          <li key={`${cluster} ${from}`}>
            {cluster}: from <ListedTime at={from} />{' '}
            {to === null ? (
              'until now'
            ) : (
              <>
                to <ListedTime at={to} />
              </>
            )}
            {reason !== '' && <span className="text-mute">, {reason}</span>}
          </li>
        ))}
      </ul>
      <p className="text-mute">
        {blindLeftOut && 'There were more. '}Meanwhile it may have begun, ended, or been over for a while.
      </p>
    </Fact>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
