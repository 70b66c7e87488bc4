'use client';

import './alarms.css';
import { alarmsApi, type WireAlarms } from '#lib/api/alarm/alarms.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { boundsText } from '#lib/domain/alarm/alarming/bounds.ts';
import { findingTypes } from '#lib/domain/alarm/finding.ts';
import { formatCount } from '#lib/format/number.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useAtParam } from '../shell/moment/moment.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilterChoice, FilterField, FoldedFilters } from '../ui/list/filters.tsx';
import { ListBody, ListSentence, Without } from '../ui/list/list-page.tsx';
import { SaidParts } from '../ui/page-link.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { alarmsParams, setParts, type AlarmsFilter } from './alarms-filter.ts';
import { alarmsSentence, exampleSource, findingTitle, unreadTexts, type Part } from './alarms-text.ts';
import { Findings } from './findings.tsx';
import { KindTable } from './kind-table.tsx';
import { Notifications } from './notifications.tsx';
import { SilentObjects } from './silent-objects.tsx';
import { Sources } from './sources.tsx';
import { useAlarms, useAlarmsFilter, type ChangeFilter, type SentAlarms } from './use-alarms.ts';

interface AlarmsScreenProps {
  readonly sent: SentAlarms;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

/** Who would be called: objects for which nobody was, what weakens the alarms, how far each kind is covered, and where that is read. */
export function AlarmsScreen({ sent, summary, moment }: AlarmsScreenProps) {
  return (
    <PageFrame title="Alarms" tab="alarms" summary={{ ...summary, asOf: sent.answer.asOf }} moment={moment}>
      <Alarms key={moment?.at ?? 'now'} sent={sent} />
    </PageFrame>
  );
}

function Alarms({ sent }: { readonly sent: SentAlarms }) {
  const [filter, change] = useAlarmsFilter();
  const { answer, waiting, error } = useAlarms(filter, sent);
  const part: Part = {
    cluster: filter.cluster,
    kind: filter.kind,
    ...(filter.group === '' ? {} : { group: filter.group === '-' ? '' : filter.group }),
  };
  const sentence = alarmsSentence(answer, part);
  return (
    <>
      <ListSentence>
        <span className={answer.silentTotal > 0 ? 'font-semibold text-diverged' : undefined}>
          <SaidParts parts={sentence.lead} />
        </span>{' '}
        <SaidParts parts={sentence.body} />
      </ListSentence>
      {answer.unknown === null && <Filters filter={filter} change={change} answer={answer} />}
      {error !== null && <StickyLine tone="warn">{error.message} What stands here is from before.</StickyLine>}
      <Unread answer={answer} />
      <ListBody waiting={waiting}>
        {answer.unknown === null ? (
          <Known answer={answer} filter={filter} change={change} part={part} />
        ) : (
          <Unknown why={answer.unknown} />
        )}
        <Notifications answer={answer} />
      </ListBody>
    </>
  );
}

interface KnownProps {
  readonly answer: WireAlarms;
  readonly filter: AlarmsFilter;
  readonly change: ChangeFilter;
  readonly part: Part;
}

function Known({ answer, filter, change, part }: KnownProps) {
  const parts = setParts(filter);
  const nothing = answer.kinds.length === 0 && answer.findings.length === 0 && answer.sources.length === 0;
  if (nothing && parts.length > 0)
    return (
      <EmptyState title={`Nothing is known of ${parts.map(({ text }) => text).join(' and ')}.`}>
        <Without parts={parts} take={(name) => change({ [name]: '' })} />
      </EmptyState>
    );
  return (
    <>
      <SilentObjects answer={answer} part={part} />
      <Findings answer={answer} filter={filter} />
      <KindTable answer={answer} filter={filter} />
      <AllAsCsv filter={filter} />
      <Sources answer={answer} />
    </>
  );
}

function AllAsCsv({ filter }: { readonly filter: AlarmsFilter }) {
  const at = useAtParam();
  const { limit: _, ...params } = alarmsParams(filter, at);
  return (
    <p className="screen-only pt-3 text-mute">
      Every kind on every cluster:{' '}
      <a className="link" href={addressOf(alarmsApi, { ...params, format: 'csv' })} download>
        CSV
      </a>
    </p>
  );
}

/** To be known before the page is believed: sources that cannot be read, and that something was left out. */
function Unread({ answer: { sources, cut: kinds } }: { readonly answer: WireAlarms }) {
  const unread = unreadTexts(sources);
  const cut = sources.filter((source) => source.cut.length > 0);
  const shown = 4;
  return (
    <>
      {unread.length > 0 && (
        <StickyLine tone="warn">
          {unread.slice(0, shown).join('; ')}
          {unread.length > shown && `; and ${unread.length - shown} more`}: alarms that rest on it are not known.
        </StickyLine>
      )}
      {cut.length > 0 && (
        <StickyLine>
          Of {cut.map(({ name }) => name).join(', ')} not all is read: nothing is called missing there.
        </StickyLine>
      )}
      {kinds.map(({ kind, clusters, clustersTotal }) => (
        <StickyLine key={kind} tone="warn">
          Not every {kind} is read on {clusters.slice(0, shown).join(', ')}
          {clustersTotal > shown && ` and ${formatCount(clustersTotal - shown)} more`}: {boundsText}.
        </StickyLine>
      ))}
    </>
  );
}

/** Where nothing at all is known: what to write, or that it is not kept. */
function Unknown({ why }: { readonly why: NonNullable<WireAlarms['unknown']> }) {
  if (why === 'not-kept') return <p className="text-mute">The present page tells what they are now.</p>;
  if (why !== 'none')
    return <p className="text-mute">Nothing is called silent meanwhile, and nothing counts as called for.</p>;
  return (
    <div className="max-w-[74ch] pb-6">
      <p>
        Of what is away from git nobody knows whether somebody is called. Write into <code>plumbline.yaml</code> where
        alarms are evaluated and sent:
      </p>
      <pre className="alarms-example">{exampleSource}</pre>
      <p className="text-mute">Plumbline only reads there, with GET.</p>
    </div>
  );
}

function Filters({ filter, change, answer }: Pick<KnownProps, 'filter' | 'change' | 'answer'>) {
  const { sources, kinds } = answer;
  const clusters = new Set(kinds.flatMap((kind) => kind.clusters.map(({ cluster }) => cluster)));
  const chosen = findingTypes.find((type) => type === filter.finding);
  return (
    <FoldedFilters
      first={
        <FilterField
          id="search"
          wide
          label="Cluster"
          value={filter.cluster}
          offer={[...clusters].toSorted()}
          onChange={(cluster) => change({ cluster })}
        />
      }
    >
      <FilterField
        label="Kind"
        value={filter.kind}
        offer={[...new Set(kinds.map(({ kind }) => kind))].toSorted()}
        onChange={(kind) => change({ kind, group: '' })}
      />
      <FilterChoice
        label="Source"
        value={filter.source}
        offer={sources.map(({ name }) => name)}
        onChange={(source) => change({ source })}
      />
      <FilterChoice
        label="Findings"
        value={chosen === undefined ? (filter.finding === '' ? '' : 'several') : findingTitle[chosen]}
        offer={findingTypes.map((type) => findingTitle[type])}
        onChange={(title) => change({ finding: findingTypes.find((type) => findingTitle[type] === title) ?? '' })}
      />
    </FoldedFilters>
  );
}
