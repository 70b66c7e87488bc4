'use client';

import type { ReactNode } from 'react';
import { conflictsApi } from '#lib/api/conflict.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import { exemptionsApi } from '#lib/api/exemption.ts';
import { apiParams, setParts, type OwnershipFilter, type Tab } from './ownership-filter.ts';
import type { ChangeFilter, IndexedKind } from './ownership-filters.tsx';
import { formatCount } from '#lib/format/number.ts';

interface ListFrameProps {
  readonly tab: Tab;
  readonly filter: OwnershipFilter;
  readonly change: ChangeFilter;
  readonly waiting: boolean;
  readonly empty: boolean;
  /** Sentence where nothing matches and nothing narrows the list. */
  readonly nothing: string;
  readonly index: ReactNode;
  readonly children: ReactNode;
}

/** The index of kinds beside the list, the list's export beneath, and what stands there while there is nothing. */
export function ListFrame({ tab, filter, change, waiting, empty, nothing, index, children }: ListFrameProps) {
  return (
    <div className={waiting ? 'ownership opacity-55' : 'ownership'} aria-busy={waiting}>
      {index}
      <div className="min-w-0">
        {empty && <Nothing tab={tab} filter={filter} change={change} text={nothing} />}
        {!empty && children}
        {!empty && <Export tab={tab} filter={filter} />}
      </div>
    </div>
  );
}

type NothingProps = Pick<ListFrameProps, 'tab' | 'filter' | 'change'> & { readonly text: string };

function Nothing({ tab, filter, change, text }: NothingProps) {
  const parts = setParts(tab, filter);
  return (
    <div className="max-w-[74ch] py-6">
      <p className="text-mute">{parts.length === 0 ? text : 'Nothing matches all of these:'}</p>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {parts.map(({ name, text: part }) => (
          <li key={name}>
            <button type="button" className="link py-1" onClick={() => change({ [name]: '' })}>
              Look without {part}
            </button>
          </li>
        ))}
      </ul>
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

interface KindIndexProps {
  readonly label: string;
  readonly groups: readonly { readonly title: string | null; readonly kinds: readonly IndexedKind[] }[];
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
