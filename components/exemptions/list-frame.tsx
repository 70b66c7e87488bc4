'use client';

import type { ReactNode } from 'react';
import { ListNotices, ListSentence, MoreLine, Without } from '../ui/list/list-page.tsx';
import type { PagedList } from '../queries/use-paged-list.ts';
import { conflictsApi } from '#lib/api/conflict.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import { exemptionsApi } from '#lib/api/exemption.ts';
import { wordsOf } from '#lib/api/params.ts';
import { apiParams, setParts, type OwnershipFilter, type Tab } from './ownership-filter.ts';
import { OwnershipFilters, type ChangeFilter, type IndexedKind, type Offer } from './ownership-filters.tsx';
import { formatCount } from '#lib/format/number.ts';

interface ListFrameProps {
  readonly tab: Tab;
  readonly filter: OwnershipFilter;
  readonly change: ChangeFilter;
  readonly list: PagedList<{ readonly total: number; readonly partial: readonly string[] }>;
  /** Length of the part of the list that stands here. */
  readonly shown: number;
  readonly sentence: string;
  /** Values to offer, from what stands in the list. */
  readonly offer: Offer;
  readonly kinds: readonly IndexedKind[];
  /** The same kinds under their titles, for the index beside the list. */
  readonly groups: KindGroups;
  /** Sentence where nothing matches and nothing narrows the list. */
  readonly nothing: string;
  /** To be known before the list is believed. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

const words = {
  exemptions: { kindOf: 'exemption', byLabel: 'Set by', index: 'Kinds of exemptions' },
  conflicts: { kindOf: 'conflict', byLabel: 'Managed by', index: 'Kinds of conflicts' },
} as const;

/** One of the two lists under its sentence and filters, the index of kinds beside it, its export beneath; and what stands there while there is nothing. */
export function ListFrame(props: ListFrameProps) {
  const { tab, filter, change, list, shown, sentence, offer, kinds, groups, nothing, note, children } = props;
  const { kindOf, byLabel, index } = words[tab];
  const { first, waiting } = list;
  return (
    <>
      <ListSentence>{sentence}</ListSentence>
      <OwnershipFilters filter={filter} change={change} offer={offer} byLabel={byLabel} kinds={kinds} kindOf={kindOf} />
      <ListNotices list={list} partial={first.partial} />
      {note}
      <div className={waiting ? 'ownership opacity-55' : 'ownership'} aria-busy={waiting}>
        <KindIndex
          label={index}
          groups={groups}
          shown={wordsOf(filter[kindOf])}
          onChange={(next) => change({ [kindOf]: next.join(',') })}
        />
        <div className="min-w-0">
          {shown === 0 ? (
            <Nothing tab={tab} filter={filter} change={change} text={nothing} />
          ) : (
            <>
              {children}
              <MoreLine shown={shown} total={first.total} noun={kindOf} list={list} />
              <Export tab={tab} filter={filter} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

type NothingProps = Pick<ListFrameProps, 'tab' | 'filter' | 'change'> & { readonly text: string };

function Nothing({ tab, filter, change, text }: NothingProps) {
  const parts = setParts(tab, filter);
  return (
    <div className="max-w-[74ch] py-6">
      <p className="text-mute">{parts.length === 0 ? text : 'Nothing matches all of these:'}</p>
      <Without parts={parts} take={(name) => change({ [name]: '' })} className="mt-2" />
    </div>
  );
}

const endpoints = { exemptions: exemptionsApi, conflicts: conflictsApi } as const;

/** Everything that matches, as a file. */
function Export({ tab, filter }: { readonly tab: Tab; readonly filter: OwnershipFilter }) {
  const of = (more: Readonly<Record<string, string>>): string =>
    addressOf(endpoints[tab], { ...apiParams(tab, filter), ...more });
  return (
    <p className="screen-only flex gap-4 pb-6 text-mute">
      All that match:
      <a className="link" href={of({ format: 'csv' })} download>
        CSV
      </a>
      <a className="link" href={of({ limit: '2000' })}>
        JSON
      </a>
    </p>
  );
}

type KindGroups = readonly { readonly title: string | null; readonly kinds: readonly IndexedKind[] }[];

interface KindIndexProps {
  readonly label: string;
  readonly groups: KindGroups;
  /** The kinds that are shown; empty for all. */
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
}

/** Every kind with its count, under what it takes from the sentence; pressing one shows only what is of it. */
export function KindIndex({ label, groups, shown, onChange }: KindIndexProps) {
  const all = groups.flatMap(({ kinds }) => kinds);
  const sum = all.reduce((total, { count }) => total + count, 0);
  function toggle(id: string): void {
    onChange(all.map((kind) => kind.id).filter((each) => (each === id) !== shown.includes(each)));
  }
  return (
    <div className="kind-index screen-only">
      <button type="button" aria-pressed={shown.length === 0} onClick={() => onChange([])} className="kind">
        <span>All kinds</span> <b>{formatCount(sum)}</b>
      </button>
      {groups.map(({ title, kinds }) =>
        kinds.length === 0 ? null : (
          <fieldset key={title ?? ''} aria-label={title === null ? label : undefined}>
            {title !== null && <legend className="kind-sort">{title}</legend>}
            {kinds.map((kind) => (
              <button
                key={kind.id}
                type="button"
                aria-pressed={shown.includes(kind.id)}
                onClick={() => toggle(kind.id)}
                className="kind"
              >
                <span>{kind.title}</span> <b>{formatCount(kind.count)}</b>
              </button>
            ))}
          </fieldset>
        ),
      )}
    </div>
  );
}
