'use client';

import type { ChangeView, SetFilter } from '../view-state.ts';

interface SetFiltersProps {
  readonly filters: readonly SetFilter[];
  readonly onChange: ChangeView;
}

/** The filters that narrow the matrix, each with its way out. */
export function SetFilters({ filters, onChange }: SetFiltersProps) {
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
