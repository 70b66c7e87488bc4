'use client';

import './one/incident.css';
import { useRouter } from 'next/navigation';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { incidentApi, type WireIncident, type WireIncidentPage } from '#lib/api/incident.ts';
import type { Moment } from '#lib/api/moment.ts';
import { absencesPath, incidentsPath } from '#lib/api/paths.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { MoreOfList } from '../record/record-list.tsx';
import { uniqueRows, usePagedList } from '../queries/use-paged-list.ts';
import { cameFromHere } from '../shell/came-from.ts';
import { useKeys } from '../shell/keys/keys.ts';
import { useLead } from '../shell/moment/moment.tsx';
import { useFeedAge } from '../shell/live/feed-age.ts';
import { useSaidAloud } from '../shell/live/live-region.tsx';
import { useLive } from '../shell/live/live.tsx';
import { PageFrame, truthNow } from '../shell/page-frame.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { ListNotices } from '../ui/list/list-page.tsx';
import { useNow } from '../ui/now.tsx';
import { Page, PageHeader, Section, TwoColumns } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { OldLine, StickyLine } from '../ui/sticky-line.tsx';
import { IncidentSuspects } from '../suspects/incident-suspects.tsx';
import type { SentSuspects } from '../suspects/use-suspects.ts';
import { Time } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { knownUpTo, madeSentence, stateText } from './incident-text.ts';
import { IncidentCalls } from './one/incident-calls.tsx';
import { IncidentFacts } from './one/incident-facts.tsx';
import { IncidentHeadFigures, IncidentSentence } from './one/incident-head.tsx';
import { IncidentSteps } from './one/incident-steps.tsx';
import { MemberTable } from './one/member-table.tsx';
import { ReachChart } from './one/reach-chart.tsx';

/** The page as the server sent it, and what it answers. */
export interface SentIncident {
  readonly params: Readonly<Record<string, string>>;
  readonly page: WireIncidentPage;
  /** null or absent where the page came without. */
  readonly suspects?: SentSuspects | null;
}

interface IncidentScreenProps {
  readonly sent: SentIncident;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

const topic = { topic: 'incidents' };

/** One incident: what failed by one cause, how far, from when to when, and how it went on. */
export function IncidentScreen({ sent, summary, moment }: IncidentScreenProps) {
  return (
    <PageFrame
      title={null}
      tab="incidents"
      topic={topic}
      summary={{ ...summary, asOf: sent.page.asOf }}
      moment={moment}
    >
      <Incident key={moment?.at ?? 'now'} sent={sent} />
    </PageFrame>
  );
}

/** A step of this incident is heard, and of one that becomes part of it. */
function hears(frame: StreamFrame, { incident: { id }, made }: WireIncidentPage): boolean {
  switch (frame.type) {
    case 'incidents':
      return frame.news.some((news) => news.incident === id || news.into === id);
    case 'reset':
      return true;
    case 'tick':
      return made !== null;
    case 'summary':
    case 'rows':
    case 'cluster':
    case 'object':
    case 'removed':
      return false;
  }
}

function Incident({ sent: { params, page: list, suspects = null } }: { readonly sent: SentIncident }) {
  const now = useNow();
  const { summary } = useLive();
  const age = useFeedAge();
  const router = useRouter();
  const lead = useLead();
  useKeys({ Escape: () => (cameFromHere() ? router.back() : router.push(lead(incidentsPath()))) });
  const pages = usePagedList({ endpoint: incidentApi, params, sent: { params, list }, hears });
  const page = pages.first;
  const { incident, made } = page;
  const knownAt = knownUpTo(made, now);
  useSaidAloud(`${incident.title}: ${stateText(incident)}.`);
  const members = uniqueRows(
    pages.pages.flatMap((each) => each.members),
    (member) => member.links.self + member.from,
  );
  return (
    <>
      <PageTitle
        text={`${verdictLabel(incident.worst)}${incident.closedAt === null ? '' : ', over'}: ${incident.title}`}
        truth={truthNow(summary, age)}
      />
      <Notices page={page} now={now} />
      <OldLine gone={null} error={pages.error} />
      <ListNotices list={{ ...pages, error: null }} partial={[]} />
      <Page>
        <nav aria-label="Where this is" className="pt-3 text-mute [&_a:hover]:text-ink">
          <Link href={incidentsPath()}>incidents</Link> / <code>{incident.id}</code>
        </nav>
        <PageHeader>
          <VerdictGlyph verdict={incident.worst} size={15} />
          <h1>{incident.title}</h1>
          <span className="text-mute">incident, {incident.closedAt === null ? 'ongoing' : 'over'}</span>
        </PageHeader>
        <IncidentSentence incident={incident} knownAt={knownAt} />
        <IncidentHeadFigures incident={incident} knownAt={knownAt} />
        <ReachChart page={page} knownAt={knownAt} />
        <IncidentCalls page={page} knownAt={knownAt} />
        {incident.range !== null && <IncidentSuspects id={incident.id} sent={suspects} />}
        <TwoColumns>
          <IncidentSteps page={page} />
          <IncidentFacts page={page} />
        </TwoColumns>
        <Section id="members" title="Members" note={<MembersNote incident={incident} />}>
          <MemberTable members={members} cause={incident.cause} knownAt={knownAt} />
          <MoreOfList endpoint={incidentApi} params={params} list={pages} shown={members.length} noun="member" />
        </Section>
      </Page>
    </>
  );
}

/** Note on the members; absences are of whole clusters, so only of so many as are named. */
function MembersNote({
  incident: { clusters, clusterCount, openedAt, closedAt },
}: {
  readonly incident: WireIncident;
}) {
  const to = closedAt === null ? {} : { to: closedAt };
  return (
    <>
      each with its own time in it; those that are in it first
      {clusterCount === clusters.length && (
        <>
          ;{' '}
          <Link
            className="link"
            href={absencesPath({ cluster: clusters.join(','), from: openedAt, ...to })}
            prefetch={false}
          >
            every absence {clusterCount === 1 ? 'on its cluster' : 'on its clusters'} meanwhile
          </Link>
        </>
      )}
    </>
  );
}

/** Notices to know before believing the page: that its address was another's, and that history is still being made into incidents. */
function Notices({ page: { mergedFrom, made }, now }: { readonly page: WireIncidentPage; readonly now: number }) {
  const still = madeSentence(made, now);
  return (
    <>
      {mergedFrom !== null && (
        <StickyLine>
          <span>
            The incident of this address, <code>{mergedFrom.id}</code>, turned out to be one with this one at{' '}
            <Time at={mergedFrom.at} />.
          </span>
        </StickyLine>
      )}
      {still !== null && <StickyLine>{still}</StickyLine>}
    </>
  );
}
