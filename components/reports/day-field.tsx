'use client';

import { useState } from 'react';
import { FilterLabel } from '../ui/list/filters.tsx';

interface DayFieldProps {
  readonly label: string;
  /** RFC 3339 or a day; its UTC day is shown. */
  readonly value: string;
  /** A day: 2026-10-01. */
  readonly onChange: (day: string) => void;
}

/** A UTC day, as the browser lets days be chosen; it counts when it is whole and left, or with Enter. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const given = value.slice(0, 10);
  const [from, setFrom] = useState(given);
  const [day, setDay] = useState(given);
  if (from !== given) {
    setFrom(given);
    setDay(given);
  }
  const take = () => {
    if (day !== '' && day !== given) onChange(day);
  };
  return (
    <FilterLabel label={label}>
      <input
        type="date"
        value={day}
        onChange={(event) => setDay(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
        }}
      />
    </FilterLabel>
  );
}
