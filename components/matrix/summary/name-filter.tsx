'use client';

import { useDraft } from '../../ui/list/filters.tsx';

interface NameFilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const pause = 200;

/** Narrows the matrix to clusters and columns whose name holds a text; `/` leads here. */
export function NameFilter({ value, onChange }: NameFilterProps) {
  return (
    <input
      id="search"
      type="search"
      {...useDraft(value, onChange, pause)}
      placeholder="Cluster or column"
      aria-label="Cluster or column name"
      className="h-6 w-40 max-[1501px]:w-32 rounded-[3px] border border-field bg-paper px-2 placeholder:text-mute"
    />
  );
}
