'use client';

import Link from 'next/link';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import type { WireObject, WireObjectList } from '#lib/api/object.ts';
import { historyPath } from '#lib/api/paths.ts';
import { Legend } from '../ui/list/legend.tsx';
import { useMoment, useAtParam } from '../shell/moment/moment.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageLink } from '../ui/page-link.tsx';
import { FilterChoice, FilterField, FoldedFilters } from '../ui/list/filters.tsx';
import { filterParams, setParts, verdictsOf, type ListFilter, filterFrom } from './list-filter.ts';
import { listSentence, listTitle } from './list-sentence.ts';
import { Without, ListBody, ListSentence, ListNotices, MoreLine } from '../ui/list/list-page.tsx';
import { SearchedCommit } from '../ui/list/searched-commit.tsx';
import { ObjectTable } from '../ui/tables/object-table.tsx';
import { uniqueRows, usePagedList, type PagedList } from '../queries/use-paged-list.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import { objectsApi } from '#lib/api/object-filter.ts';
import { parseAsString, useQueryStates } from 'nuqs';

interface ListScreenProps {
  readonly sent: SentList;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

/** Objects of the whole fleet, filtered, worst first. */
export function ListScreen({ sent, summary, moment }: ListScreenProps) {
  return (
    <PageFrame title={null} tab="objects" summary={{ ...summary, asOf: sent.list.asOf }} moment={moment}>
      <List sent={sent} />
    </PageFrame>
  );
}

function List({ sent }: { readonly sent: SentList }) {
  const [filter, change] = useListFilter();
  const list = useObjects(filter, sent);
  const { pages, first, waiting } = list;
  const objects = uniqueRows(
    pages.flatMap((page) => page.objects),
    ({ links }) => links.self,
  );
  const parts = setParts(filter);
  return (
    <>
      <PageTitle text={listTitle(first, filter)} truth={first.truth} />
      <ListSentence>{listSentence(first, filter, parts)}</ListSentence>
      {first.filter !== null && (
        <p className="px-gutter pb-2">
          Filtered by <b>{first.filter.text}</b>.{' '}
          <PageLink className="link" href="/objects" prefetch={false}>
            {first.filter.outside}
          </PageLink>
        </p>
      )}
      <Legend
        counts={first.counts}
        declared={first.declared}
        shown={verdictsOf(filter.verdict)}
        onChange={(shown) => change({ verdict: shown.join(',') })}
      />
      <Filters filter={filter} change={change} objects={objects} reconcilers={first.reconcilers} />
      <ListNotices list={list} partial={first.partial} />
      <ListBody waiting={waiting}>
        {objects.length === 0 ? (
          <Nothing filter={filter} change={change} />
        ) : (
          <>
            <ObjectTable caption="Objects, worst first" objects={objects} total={first.total} withCluster />
            <MoreLine shown={objects.length} total={first.total} noun="object" list={list} />
            <AllAsCsv filter={filter} />
          </>
        )}
      </ListBody>
    </>
  );
}

interface FiltersProps {
  readonly filter: ListFilter;
  readonly change: ChangeFilter;
  readonly objects: readonly WireObject[];
  /** Reconcilers that own any object of the fleet. */
  readonly reconcilers: readonly string[];
}

function Filters({ filter, change, objects, reconcilers }: FiltersProps) {
  const values = (of: (object: WireObject) => string) =>
    [...new Set(objects.map(of))].filter((text) => text !== '').toSorted();
  return (
    <FoldedFilters
      first={<FilterField id="search" wide label="Search" value={filter.q} onChange={(q) => change({ q })} />}
    >
      <FilterField
        label="Cluster"
        value={filter.cluster}
        offer={values((object) => object.cluster)}
        onChange={(cluster) => change({ cluster })}
      />
      <FilterField label="Label" value={filter.label} onChange={(label) => change({ label })} />
      <FilterChoice
        label="Reconciler"
        value={filter.reconciler}
        offer={reconcilers}
        onChange={(reconciler) => change({ reconciler })}
      />
      <FilterField
        label="Group"
        value={filter.group}
        offer={values((object) => object.group)}
        onChange={(group) => change({ group })}
      />
      <FilterField
        label="Kind"
        value={filter.kind}
        offer={values((object) => object.kind)}
        onChange={(kind) => change({ kind })}
      />
      <FilterField
        label="Namespace"
        value={filter.namespace}
        offer={values((object) => object.namespace)}
        onChange={(namespace) => change({ namespace })}
      />
      <FilterField label="Name" value={filter.name} onChange={(name) => change({ name })} />
      <label className="flex min-h-6 items-center gap-1.5 text-small text-mute">
        <input
          type="checkbox"
          className="size-3.5 accent-ink"
          checked={filter.silent === 'true'}
          onChange={(event) => change({ silent: event.target.checked ? 'true' : '' })}
        />
        Nobody is being called
      </label>
      <SearchedCommit text={filter.q} />
      <TheirHistory filter={filter} />
    </FoldedFilters>
  );
}

/** Timelines of the same objects, where the record can be asked for them; they are of the present. */
function TheirHistory({ filter }: { readonly filter: ListFilter }) {
  const { q, reconciler, verdict, silent, label, guarantee, alarm, link, reach, cause, drift, ...named } =
    filterParams(filter);
  const moment = useMoment();
  // The record knows a group only with its kind.
  const group = named['kind'] === undefined ? named['group'] : undefined;
  const other = [q, reconciler, verdict, silent, label, guarantee, alarm, link, reach, cause, drift, group].some(
    (text) => text !== undefined,
  );
  if (other || moment !== null || Object.keys(named).length === 0) return null;
  return (
    <Link className="link py-1 text-small" href={historyPath(named)} prefetch={false}>
      Their history
    </Link>
  );
}

function Nothing({ filter, change }: { readonly filter: ListFilter; readonly change: ChangeFilter }) {
  const parts = setParts(filter);
  if (parts.length === 0) {
    return <EmptyState title="No object of a reconciler has been seen on any cluster yet." />;
  }
  return (
    <EmptyState title={`No object matches ${parts.map(({ text }) => text).join(' and ')}.`}>
      <Without parts={parts} take={(name) => change({ [name]: '' })} />
    </EmptyState>
  );
}

/** Everything that matches, as a file, with its suspects. */
function AllAsCsv({ filter }: { readonly filter: ListFilter }) {
  const params = { ...filterParams(filter), ...useAtParam(), suspects: 'true', format: 'csv' };
  return (
    <p className="screen-only pb-6">
      <a className="link" href={addressOf(objectsApi, params)} download>
        All as CSV
      </a>
    </p>
  );
}

/** List sent by the server with the page, and the filter that it answers. */
interface SentList {
  readonly filter: ListFilter;
  readonly list: WireObjectList;
}

/** The objects that a filter keeps, page by page. */
function useObjects(filter: ListFilter, sent: SentList): PagedList<WireObjectList> {
  const at = useAtParam();
  return usePagedList({
    endpoint: objectsApi,
    params: { ...filterParams(filter), ...at },
    sent: { params: { ...filterParams(sent.filter), ...at }, list: sent.list },
  });
}

const text = parseAsString.withDefault('');

const parsers = {
  q: text,
  cluster: text,
  label: text,
  reconciler: text,
  group: text,
  kind: text,
  namespace: text,
  name: text,
  verdict: text,
  silent: text,
  guarantee: text,
  alarm: text,
  link: text,
  reach: text,
  cause: text,
  drift: text,
};

type ChangeFilter = (change: Partial<ListFilter>) => void;

/** The filter in the URL, without what cannot be read there, and how to change it; changing it replaces the entry in the history. */
function useListFilter(): readonly [ListFilter, ChangeFilter] {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  return [filterFrom(filter), (change) => void setFilter(change)];
}
