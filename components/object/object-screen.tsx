'use client';

import './object.css';
import type { Truth, WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import type { WireObjectPage } from '#lib/api/object.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { OldLine, StickyLine } from '../ui/sticky-line.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { ChangesBefore } from './changes-before.tsx';
import { Crumbs, Page, PageHeader, TwoColumns, Section } from '../ui/page/page.tsx';
import { DeclaredStack } from './relations/declared-stack.tsx';
import { Evidence } from './said/evidence.tsx';
import { Figures } from './figures.tsx';
import { AlarmSection } from './alarm/alarm-section.tsx';
import { AlarmShort } from './alarm/alarm-short.tsx';
import { Drift, Suspended, Weakens } from './guarantee.tsx';
import { ObjectHistory, type SentHistory } from '../history/history-section.tsx';
import { AbsenceDetail, type SentAbsenceSection } from '../absences/absence-section.tsx';
import { ObjectIncidents, type SentMemberships } from '../incidents/incident-section.tsx';
import { ObjectSentence } from './said/object-sentence.tsx';
import { Ownership } from './relations/ownership.tsx';
import { Relations, RootCause } from './relations/relations.tsx';
import { InGit, Says } from './said/says.tsx';
import { Transitions } from './transitions.tsx';
import { useObject, useObjectKeys, useVerdictVoice } from './use-object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { PlannedWork } from '../ui/planned-work.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { useMoment } from '../shell/moment/moment.tsx';
import { ObjectSuspects } from '../suspects/object-suspects.tsx';
import type { SentSuspects } from '../suspects/use-suspects.ts';
import { CopyButton } from '../ui/copy-button.tsx';

/** Truth of the sentence for one object, as the tab's plumb line shows it. */
const truthOf: Readonly<Record<WireObjectPage['object']['guarantee'], Truth>> = {
  holds: 'holds',
  broken: 'broken',
  off: 'unknown',
  unknown: 'unknown',
  planned: 'unknown',
  declared: 'unknown',
};

/** Record of the object. */
interface ObjectRecord {
  readonly history: SentHistory;
  readonly memberships: SentMemberships;
  readonly absences: SentAbsenceSection;
  /** null or absent where the page came without. */
  readonly suspects?: SentSuspects | null;
}

interface ObjectScreenProps {
  readonly page: WireObjectPage;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
  readonly record: ObjectRecord;
}

/** One object: what is wrong, since when, because of what, what runs, what else broke with it. */
export function ObjectScreen({ page, summary, moment, record }: ObjectScreenProps) {
  const { cluster, group, kind, namespace, name } = page.object;
  return (
    <PageFrame
      title={null}
      tab={null}
      topic={{ topic: 'object', cluster, group, kind, namespace, name }}
      summary={{ ...summary, asOf: page.asOf }}
      moment={moment}
    >
      <ObjectBody key={moment?.at ?? 'now'} sent={page} record={record} />
    </PageFrame>
  );
}

function ObjectBody({ sent, record }: { readonly sent: WireObjectPage; readonly record: ObjectRecord }) {
  const { page, removed, error } = useObject(sent);
  const { object } = page;
  useVerdictVoice(object);
  useObjectKeys(object);
  const { verdict, name, cluster, guarantee } = object;
  const isDeclared = object.role === 'declared';
  // The row of what is on no cluster is called by a name of its own, such as "not on a cluster".
  const where = page.cluster.state === 'declared' ? `, ${cluster}` : ` on ${cluster}`;
  return (
    <>
      <PageTitle text={`${verdictLabel(verdict)}: ${name}${where}`} truth={truthOf[guarantee]} />
      <OldLine gone={removed ? 'The cluster no longer has this object.' : null} error={error} />
      <ClusterNotice cluster={page.cluster} />
      <Page>
        <Crumbs cluster={page.cluster} />
        <PageHeader>
          <VerdictGlyph verdict={object.verdict} size={15} />
          <h1>
            {name}
            {where}
          </h1>
          <span className="text-mute">
            {object.kind}
            {isDeclared ? (
              ', declared'
            ) : object.namespace === '' ? (
              ', cluster-scoped'
            ) : (
              <>
                {' '}
                in <code>{object.namespace}</code>
              </>
            )}
          </span>
        </PageHeader>
        {isDeclared ? <DeclaredStack page={page} /> : <Findings page={page} record={record} />}
      </Page>
    </>
  );
}

/** Findings about an object that a reconciler looks after. */
function Findings({ page, record }: { readonly page: WireObjectPage; readonly record: ObjectRecord }) {
  return (
    <>
      <ObjectSentence page={page} />
      <AlarmShort page={page} />
      <Figures page={page} suspects={record.suspects ?? null} />
      <Suspended page={page} />
      {page.object.range !== null && <ObjectSuspects object={page.object} sent={record.suspects ?? null} />}
      <TwoColumns>
        <div>
          <Says page={page} />
          <InGit page={page} />
          <Evidence page={page} />
        </div>
        <div>
          <RootCause page={page} />
          <Relations page={page} />
          <Weakens page={page} />
          <Ownership page={page} />
        </div>
      </TwoColumns>
      <TwoColumns>
        <AlarmSection page={page} />
        <Drift page={page} />
      </TwoColumns>
      <ObjectHistory object={page.object} sent={record.history} />
      <ObjectIncidents sent={record.memberships}>
        <AbsenceDetail sent={record.absences} />
      </ObjectIncidents>
      <ChangesBefore page={page} />
      <Transitions page={page} />
      <Commands commands={page.commands} />
    </>
  );
}

/** Says that the object's cluster is not seen now, and why; and that work on it is planned. */
function ClusterNotice({ cluster }: { readonly cluster: WireObjectPage['cluster'] }) {
  const { state, plannedWork } = cluster;
  return (
    <>
      {state !== 'live' && state !== 'declared' && <Unseen cluster={cluster} />}
      {plannedWork !== null && (
        <StickyLine>
          <PlannedWork where={` on ${cluster.name}`} work={{ ...plannedWork, objects: 0 }} />
        </StickyLine>
      )}
    </>
  );
}

function Unseen({ cluster }: { readonly cluster: WireObjectPage['cluster'] }) {
  return (
    <StickyLine tone="warn">
      <span>
        <b>
          <Link className="link" href={clusterPath(cluster.name)} prefetch={false}>
            {cluster.name}
          </Link>{' '}
          is {cluster.state === 'connecting' ? 'being connected' : cluster.state}
        </b>
        {cluster.reason !== null && <>: {cluster.reason}</>}. What stands here is what was last seen.
      </span>
    </StickyLine>
  );
}

/** Commands to copy. They only read. */
function Commands({ commands }: { readonly commands: readonly string[] }) {
  // They look at the cluster as it is now.
  const past = useMoment() !== null;
  if (commands.length === 0 || past) return null;
  return (
    <Section id="commands" title="Look closer" note="they only read; the context is called as the cluster is here">
      <ul>
        {commands.map((command) => (
          <li key={command} className="line">
            <code className="line-what wrap-anywhere">{command}</code>
            <CopyButton text={command} what={`the command ${command}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
