'use client';

import './fleet.css';
import { shownLabels, type FleetView, type WireFleet } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { listPath } from '#lib/api/paths.ts';
import { scopeOf, scopeParams } from '#lib/api/scope.ts';
import { formatBytes } from '#lib/format/number.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { formatCount, countOf } from '#lib/format/number.ts';
import { formatDay, parseTime } from '#lib/format/time.ts';
import { useFeedAge } from '../shell/live/feed-age.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { PageFrame, truthNow } from '../shell/page-frame.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { Causes } from './summary/causes.tsx';
import { ClusterList } from './cluster-list.tsx';
import { Legend } from '../ui/list/legend.tsx';
import { CommitLegend } from './by-commit/commit-legend.tsx';
import type { Shades } from './by-commit/shades.ts';
import { useShades } from './by-commit/use-shades.ts';
import { Matrix } from './grid/matrix.tsx';
import { SearchedCommit } from '../ui/list/searched-commit.tsx';
import { NameFilter } from './summary/name-filter.tsx';
import { Sentence } from './summary/sentence.tsx';
import { useAnnouncements, useFleet, type SentFleet } from './use-fleet.ts';
import {
  useColour,
  useLayout,
  filtersOf,
  paramsOf,
  shownVerdicts,
  useView,
  type ChangeView,
  type SetFilter,
} from './view-state.ts';
import { Weakened, weakenedFilter } from './summary/weakened.tsx';
import { ViewMenu } from './view-menu.tsx';
import { Wall } from './wall.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

/** The fleet: whether the sentence holds, why not, and every cluster by every column. */
export function FleetScreen({ sent, moment }: { readonly sent: SentFleet; readonly moment: Moment | null }) {
  const [view] = useView();
  return (
    <PageFrame
      title={null}
      tab="fleet"
      topic={{ topic: 'fleet', ...paramsOf(view) }}
      summary={sent.fleet.summary}
      scroll="inside"
      moment={moment}
    >
      <Fleet sent={sent} />
    </PageFrame>
  );
}

function Fleet({ sent }: { readonly sent: SentFleet }) {
  const [view, changeView] = useView();
  const layout = useLayout();
  const [colour, setColour] = useColour();
  const { fleet, waiting, error } = useFleet(view, sent);
  const age = useFeedAge();
  const truth = truthNow(fleet.summary, age);
  useAnnouncements(fleet);
  const { lead } = fleet.summary.guarantee;
  const title = (
    <PageTitle text={lead === '' ? 'Fleet' : lead.replace(/:$/, '')} truth={fleet.summary.guarantee.truth} />
  );
  if (layout === 'wall') {
    return (
      <>
        {title}
        <Wall fleet={fleet} truth={truth} lastKnown={age === 'dead'} />
      </>
    );
  }
  return (
    <>
      {title}
      <div className="pinned-left">
        <Sentence summary={fleet.summary} truth={truth} lastKnown={age === 'dead'}>
          <Causes summary={fleet.summary} scope={scopeOf(view)} />
        </Sentence>
        <Legend
          counts={fleet.summary.counts}
          declared={fleet.summary.guarantee.declared}
          shown={shownVerdicts(view)}
          onChange={(shown) => changeView({ verdict: shown.join(',') })}
        >
          <NameFilter value={view.q} onChange={(q) => changeView({ q })} />
          <SearchedCommit text={view.q} />
          <Link
            className="px-1 py-1 text-mute hover:text-ink"
            href={listPath({
              ...scopeParams(scopeOf(view)),
              ...(view.verdict === '' ? {} : { verdict: view.verdict }),
            })}
            prefetch={false}
          >
            Show as list
          </Link>
          <ViewMenu
            view={view}
            labels={fleet.labels}
            reconcilers={fleet.reconcilers}
            onChange={changeView}
            colour={colour}
            onColour={(to) => void setColour(to)}
          />
        </Legend>
        <SetFilters filters={filtersOf(view)} onChange={changeView} />
        {error !== null && <StickyLine tone="warn">{error.message} What stands here is the view before.</StickyLine>}
      </div>
      <div aria-busy={waiting} className={waiting ? 'fleet-body waiting' : 'fleet-body'}>
        {colour === null ? <Body fleet={fleet} view={view} shades={null} /> : <ByCommit fleet={fleet} view={view} />}
      </div>
    </>
  );
}

interface BodyProps {
  readonly fleet: WireFleet;
  readonly view: FleetView;
  readonly shades: Shades | null;
}

/** The matrix coloured by the commits that run, beneath what each colour stands for. */
function ByCommit(props: Omit<BodyProps, 'shades'>) {
  const { running, shades } = useShades();
  return (
    <>
      <CommitLegend rows={props.fleet.rows} running={running} shades={shades} />
      <Body {...props} shades={shades} />
    </>
  );
}

function Body({ fleet, view, shades }: BodyProps) {
  if (fleet.hint !== null) return <NoClusters hint={fleet.hint} />;
  if (fleet.rows.length === 0 || fleet.columns.length === 0) return <Nothing fleet={fleet} view={view} />;
  return (
    <>
      <a href="#after-matrix" className="skip">
        Skip the matrix
      </a>
      <Matrix
        key={shades === null ? 'verdict' : 'commit'}
        fleet={fleet}
        shades={shades}
        labels={shownLabels(view)}
        aside={<Weakened summary={fleet.summary} filter={weakenedFilter(fleet, view)} />}
      >
        <Missing fleet={fleet} />
      </Matrix>
      <ClusterList fleet={fleet} />
      <span id="after-matrix" tabIndex={-1} />
    </>
  );
}

/** Names of what the matrix cannot show at the moment. */
function Missing({ fleet }: { readonly fleet: WireFleet }) {
  const { clusters, objects, partial, record } = fleet.summary;
  const past = useMoment() !== null;
  const reading = clusters.synced < clusters.total;
  return (
    <>
      {reading && (
        <b className="font-medium">
          {formatCount(clusters.synced)} of {countOf(clusters.total, 'cluster')} read, {countOf(objects, 'object')}
        </b>
      )}
      {partial.length > 0 && <span className="truncate">{partial.join('; ')}</span>}
      {!reading && partial.length === 0 && (
        <span className="text-mute">
          {past ? 'Everything that was known then was being observed.' : 'Everything that is configured is being read.'}
        </span>
      )}
      {record !== null && <span className="hidden flex-none text-mute xl:inline">{recordText(record)}</span>}
    </>
  );
}

/** The record itself: "Record: 412 MB since 21 Aug 2026, kept 400 d" */
function recordText({ bytes, since, spans }: NonNullable<WireFleet['summary']['record']>): string {
  const from = since === null ? null : parseTime(since);
  return `Record: ${formatBytes(bytes)}${from === null ? '' : ` since ${formatDay(from, 'year')}`}, kept ${formatDuration(spans)}`;
}

function Nothing({ fleet, view }: { readonly fleet: WireFleet; readonly view: FleetView }) {
  const [, changeView] = useView();
  const filters = filtersOf(view);
  if (filters.length === 0) {
    const { clusters } = fleet.summary;
    return (
      <EmptyState
        title={
          clusters.synced < clusters.total
            ? `${formatCount(clusters.synced)} of ${countOf(clusters.total, 'cluster')} read; no object so far.`
            : `No reconciler reports on anything on ${countOf(clusters.total, 'cluster')}.`
        }
      />
    );
  }
  return (
    <EmptyState title={`Nothing matches ${filters.map((filter) => filter.text).join(' and ')}.`}>
      <p className="mt-3 flex flex-wrap gap-4">
        {filters.map(({ name, text, without }) => (
          <button key={name} type="button" className="link" onClick={() => changeView(without)}>
            Show again without: {text}
          </button>
        ))}
      </p>
    </EmptyState>
  );
}

/** Where no cluster is configured: exactly what to add, and where. */
function NoClusters({ hint }: { readonly hint: string }) {
  return (
    <EmptyState title="No cluster is read yet. Add one to plumbline.yaml:">
      <pre className="mt-3 overflow-x-auto border border-rule bg-raised px-3 py-2.5 leading-[1.5]">{hint}</pre>
      <p className="mt-2">
        <CopyButton text={hint} what="the YAML" />
      </p>
    </EmptyState>
  );
}

interface SetFiltersProps {
  readonly filters: readonly SetFilter[];
  readonly onChange: ChangeView;
}

/** The filters that narrow the matrix, each with its way out. */
function SetFilters({ filters, onChange }: SetFiltersProps) {
  if (filters.length === 0) return null;
  return (
    <p className="screen-only pinned-left flex flex-wrap items-center gap-x-4 border-b border-rule px-gutter py-1 text-mute">
      <span>Filtered by:</span>
      {filters.map(({ name, text, without }) => (
        <span key={name} className="text-ink">
          {text}{' '}
          <button type="button" className="link" onClick={() => onChange(without)} aria-label={`Remove: ${text}`}>
            remove
          </button>
        </span>
      ))}
    </p>
  );
}
