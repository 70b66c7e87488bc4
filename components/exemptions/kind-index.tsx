'use client';

import { formatCount } from '#lib/format/number.ts';

/** One kind of what the list holds. */
export interface IndexedKind {
  readonly id: string;
  readonly title: string;
  readonly count: number;
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
