'use client';

import './cluster.css';
import type { WireClusterPage } from '#lib/api/cluster.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { alarmsPath, clusterPath } from '#lib/api/paths.ts';
import type { Moment } from '#lib/api/moment.ts';
import { isClockOff } from '#lib/domain/time/clock-skew.ts';
import { countsObserved } from '#lib/domain/verdict/only-declared.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { clockLabel, least } from '#lib/format/duration.ts';
import { formatCount } from '#lib/format/number.ts';
import { rowState } from '../ui/row-state.ts';
import { SaidParts, PageLink } from '../ui/page-link.tsx';
import { ClusterHistory, type SentHistory } from '../history/history-section.tsx';
import { ClusterIncidents, type SentClusterIncidents } from '../incidents/incident-section.tsx';
import { Crumbs, Page, PageHeader, Say } from '../ui/page/page.tsx';
import { useFeedAge } from '../shell/live/feed-age.ts';
import { useSaidAloud } from '../shell/live/live-region.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { Duration, Time } from '../ui/time.tsx';
import { useNow } from '../ui/now.tsx';
import { OldLine, StickyLine } from '../ui/sticky-line.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { ClusterObjects } from './cluster-objects.tsx';
import { GraphView } from './graph-view.tsx';
import { LagSection } from './lag-section.tsx';
import { PlannedWork } from '../ui/planned-work.tsx';
import { TrustBand } from './trust-band.tsx';
import { useCluster } from './use-cluster.ts';

interface ClusterScreenProps {
  readonly page: WireClusterPage;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
  readonly record: ClusterRecord;
}

/** Record of a cluster; null of a row of what is only declared. */
type ClusterRecord = { readonly history: SentHistory; readonly incidents: SentClusterIncidents } | null;

/** One cluster: whether the sentence holds there, how well it is known, and everything on it. */
export function ClusterScreen({ page, summary, moment, record }: ClusterScreenProps) {
  const { name } = page.cluster;
  return (
    <PageFrame
      title={null}
      tab={null}
      topic={{ topic: 'cluster', cluster: name }}
      summary={{ ...summary, asOf: page.asOf }}
      moment={moment}
    >
      <ClusterBody key={moment?.at ?? 'now'} sent={page} caption={summary.guarantee.caption} record={record} />
    </PageFrame>
  );
}

interface ClusterBodyProps {
  readonly sent: WireClusterPage;
  readonly caption: string;
  readonly record: ClusterRecord;
}

function ClusterBody({ sent, caption, record }: ClusterBodyProps) {
  const { page, removed, error } = useCluster(sent);
  const { cluster, sentence } = page;
  const age = useFeedAge();
  useSaidAloud(sentence);
  return (
    <>
      <PageTitle text={titleOf(page)} truth={page.truth} />
      <OldLine gone={removed ? 'This cluster is no longer configured.' : null} error={error} />
      <Unseen cluster={cluster} />
      <Page className="max-w-none pb-0">
        <Crumbs cluster={cluster} />
        <PageHeader>
          {cluster.worst !== null && <VerdictGlyph verdict={cluster.worst} size={15} />}
          <h1>{cluster.name}</h1>
          <State cluster={cluster} />
          <span className="text-mute">
            {Object.entries(cluster.labels)
              .map(([key, value]) => `${key}=${value}`)
              .join(', ')}
          </span>
        </PageHeader>
        <p className="text-small text-mute">{caption}</p>
        {page.filter !== null && (
          <p className="my-px">
            Filtered by <b>{page.filter.text}</b>.{' '}
            <PageLink className="link" href={clusterPath(cluster.name)} prefetch={false}>
              {page.filter.outside}
            </PageLink>
          </p>
        )}
        <Say>
          {age === 'dead' && <b>That cannot be said now. Last known: </b>}
          <SaidParts parts={page.said} />
        </Say>
        <p className="mb-2">
          <PageLink className="link" href={alarmsPath({ cluster: cluster.name })} prefetch={false}>
            Who would be called here
          </PageLink>
        </p>
        {cluster.plannedWork !== null && (
          <p className="mb-2 max-w-[74ch]">
            <PlannedWork where="" work={cluster.plannedWork} />
          </p>
        )}
        {cluster.cautions.map((caution) => (
          <p key={caution} className="mb-2 max-w-[74ch]">
            <b>Caution:</b> {caution}
          </p>
        ))}
        {isClockOff(cluster.clockAheadMs) && (
          <p className="mb-2 max-w-[74ch]">
            The clock of its API server is {clockLabel(cluster.clockAheadMs)} Plumbline’s. Its times are shown on
            Plumbline’s clock.
          </p>
        )}
        {cluster.protocol === 'http/1.1' && (
          <p className="mb-2 max-w-[74ch] text-mute">
            Something between here and the API server speaks HTTP/1.1 only, so every kind needs a connection of its own.
          </p>
        )}
        {cluster.state !== 'declared' && <TrustBand cluster={cluster} />}
      </Page>
      <ClusterObjects page={page} />
      <Page className="max-w-none pb-0">
        <LagSection cluster={cluster.name} />
        <GraphView page={page} />
        {record !== null && <ClusterHistory cluster={cluster.name} sent={record.history} />}
        {record !== null && <ClusterIncidents sent={record.incidents} />}
      </Page>
    </>
  );
}

/** The worst first: "2 diverged: eu-west-3", "unreachable: eu-west-3". */
function titleOf({ cluster: { name, state }, ...page }: WireClusterPage): string {
  const counts = countsObserved(page.counts, page.declared);
  const worst = verdicts.find((verdict) => (counts[verdict] ?? 0) > 0) ?? null;
  if (state === 'declared') return name;
  if (state !== 'live') return `${state}: ${name}`;
  return worst === null || worst === 'converged' ? name : `${formatCount(counts[worst] ?? 0)} ${worst}: ${name}`;
}

function State({ cluster }: { readonly cluster: WireClusterPage['cluster'] }) {
  const { text, loud } = rowState(cluster, useNow());
  return <span className={loud ? 'font-semibold text-diverged' : 'text-mute'}>{text}</span>;
}

/** Why the cluster is not seen, for how long, and when it last spoke. */
function Unseen({ cluster }: { readonly cluster: WireClusterPage['cluster'] }) {
  if (cluster.state === 'live' || cluster.state === 'declared') return null;
  return (
    <StickyLine tone="warn">
      <span>
        <b>{cluster.state === 'connecting' ? 'Being connected' : `Not seen (${cluster.state})`}</b> for{' '}
        {cluster.state !== 'connecting' && least(cluster)}
        <Duration since={cluster.since} />
        {cluster.reason !== null && <>: {cluster.reason}</>}.{' '}
        {cluster.lastWordAt === null ? (
          'It has not been heard since it is watched.'
        ) : (
          <>
            Its last word was at <Time at={cluster.lastWordAt} />.
          </>
        )}
      </span>
    </StickyLine>
  );
}
