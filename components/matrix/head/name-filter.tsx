'use client';

import { useEffect, useState } from 'react';

interface NameFilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const pause = 200;

/** Narrows the matrix to clusters and columns whose name holds a text; `/` leads here. */
export function NameFilter({ value, onChange }: NameFilterProps) {
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  if (from !== value) {
    setFrom(value);
    setText(value);
  }
  useEffect(() => {
    if (text === from) return;
    const timer = setTimeout(() => onChange(text), pause);
    return () => clearTimeout(timer);
  }, [text, from, onChange]);
  return (
    <input
      id="search"
      type="search"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter') onChange(text);
      }}
      placeholder="Cluster or column"
      aria-label="Cluster or column name"
      className="h-6 w-40 max-[1501px]:w-32 rounded-[3px] border border-field bg-paper px-2 placeholder:text-mute"
    />
  );
}
