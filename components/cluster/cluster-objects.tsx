'use client';

import { parseAsBoolean, parseAsString, useQueryState, useQueryStates } from 'nuqs';
import type { WireClusterPage } from '#lib/api/cluster.ts';
import { listPath } from '#lib/api/paths.ts';
import { scopeOf, scopeParams, wholeFleet } from '#lib/api/scope.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { FilterChoice, FilterField, Filters } from '../ui/list/filters.tsx';
import { ObjectTable } from '../ui/tables/object-table.tsx';
import { ListBody, Without } from '../ui/list/list-page.tsx';
import { Legend } from '../ui/list/legend.tsx';
import { PageLink } from '../ui/page-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { foldQuiet, foldedText, namedVerdicts, type ClusterFilter } from './cluster-filter.ts';
import { clusterScopeParsers } from './use-cluster.ts';

const parsers = { ...clusterScopeParsers, verdict: parseAsString.withDefault('') };

/** The objects of one cluster, worst first, narrowed by the filters in the URL. */
export function ClusterObjects({ page }: { readonly page: WireClusterPage }) {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  const change = (part: Partial<ClusterFilter>) => void setFilter(part);
  const { objects, total, cluster } = page;
  const wanted = namedVerdicts(filter.verdict);
  const shown = wanted.length === 0 ? objects : objects.filter(({ verdict }) => wanted.includes(verdict));
  const [all, setAll] = useQueryState('all', parseAsBoolean.withDefault(false).withOptions({ history: 'replace' }));
  const { rows, folded } = foldQuiet(shown, filter.verdict === '' && !all);
  return (
    <section aria-labelledby="objects">
      <h2 id="objects" className="px-gutter pt-5 pb-2 font-semibold">
        Objects
        <span className="ml-2 text-small font-normal text-mute">
          {shown.length === cluster.objects
            ? countOf(cluster.objects, 'object')
            : `${formatCount(shown.length)} of ${countOf(cluster.objects, 'object')}`}
          {page.declared > 0 && ` (${formatCount(page.declared)} declared)`}, worst first
        </span>
      </h2>
      <Legend
        counts={page.counts}
        declared={page.declared}
        shown={wanted}
        onChange={(verdicts) => change({ verdict: verdicts.join(',') })}
      />
      <ObjectFilters filter={filter} offer={page.offer} change={change} />
      {total > objects.length && (
        <StickyLine>
          <span>
            The {formatCount(objects.length)} worst of {countOf(total, 'object')} are here.
          </span>
          <PageLink
            className="link"
            href={listPath(scopeParams(scopeOf({ ...wholeFleet, ...filter, cluster: cluster.name })))}
            prefetch={false}
          >
            All of them as a list
          </PageLink>
        </StickyLine>
      )}
      <ListBody className="pb-0">
        {shown.length === 0 ? (
          <Nothing filter={filter} total={cluster.objects} change={change} />
        ) : (
          <>
            {rows.length > 0 && (
              <ObjectTable
                caption={`Objects on ${cluster.name}, worst first`}
                objects={rows}
                total={shown.length}
                withCluster={false}
              />
            )}
            {folded.length > 0 && (
              <p className="flex flex-wrap items-center gap-x-4 py-2 text-mute">
                <span>
                  {rows.length === 0 ? 'Nothing is away from git; folded: ' : 'Folded: '}
                  {foldedText(folded)}
                </span>
                <button type="button" className="link screen-only" onClick={() => void setAll(true)}>
                  Show them
                </button>
              </p>
            )}
            {all && (
              <button type="button" className="link screen-only mt-2" onClick={() => void setAll(false)}>
                Fold what is not away from git
              </button>
            )}
          </>
        )}
      </ListBody>
    </section>
  );
}

interface FiltersProps {
  readonly filter: ClusterFilter;
  readonly offer: WireClusterPage['offer'];
  readonly change: (part: Partial<ClusterFilter>) => void;
}

function ObjectFilters({ filter, offer, change }: FiltersProps) {
  return (
    <Filters>
      <FilterField id="search" wide label="Search" value={filter.q} onChange={(q) => change({ q })} />
      <FilterChoice label="Kind" value={filter.kind} offer={offer.kinds} onChange={(kind) => change({ kind })} />
      <FilterChoice
        label="Namespace"
        value={filter.namespace}
        offer={offer.namespaces}
        onChange={(namespace) => change({ namespace })}
      />
    </Filters>
  );
}

interface NothingProps {
  readonly filter: ClusterFilter;
  readonly total: number;
  readonly change: (part: Partial<ClusterFilter>) => void;
}

function Nothing({ filter, total, change }: NothingProps) {
  if (total === 0) return <EmptyState title="No object of a reconciler is known here." />;
  const parts = [
    { name: 'q', text: `text "${filter.q}"` },
    { name: 'verdict', text: filter.verdict.split(',').join(' or ') },
    { name: 'kind', text: `kind ${filter.kind}` },
    { name: 'namespace', text: `namespace ${filter.namespace}` },
  ] as const;
  const set = parts.filter(({ name }) => filter[name] !== '');
  return (
    <EmptyState title={`No object here matches ${set.map(({ text }) => text).join(' and ')}.`}>
      <Without parts={set} take={(name) => change({ [name]: '' })} />
    </EmptyState>
  );
}
