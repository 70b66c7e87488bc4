'use client';

import './filters.css';
import { useEffect, useId, useState, type ChangeEvent, type KeyboardEvent, type ReactNode } from 'react';

interface FiltersProps {
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The bar of filters above a list. */
export function Filters({ label = 'Filters', className = '', children }: FiltersProps) {
  return (
    <search className={`filters screen-only ${className}`} aria-label={label}>
      {children}
    </search>
  );
}

interface FoldedFiltersProps {
  /** Always in sight. */
  readonly first: ReactNode;
  readonly children: ReactNode;
}

/** Filters of which a phone shows the first, and the others when they are asked for. */
export function FoldedFilters({ first, children }: FoldedFiltersProps) {
  const [open, setOpen] = useState(false);
  return (
    <Filters className={open ? '' : 'few-on-phone'}>
      {first}
      <button type="button" className="more-filters link py-1" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Fewer filters' : 'More filters'}
      </button>
      {children}
    </Filters>
  );
}

interface FilterLabelProps {
  readonly label: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A filter with its name before it. */
export function FilterLabel({ label, wide = false, children }: FilterLabelProps) {
  return (
    <label className={wide ? 'filter-field wide' : 'filter-field'}>
      <span>{label}</span>
      {children}
    </label>
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Values to offer. */
  readonly offer?: readonly string[];
  readonly id?: string;
  readonly wide?: boolean;
}

const pause = 250;

/** Attributes of a field for a text that counts when typing pauses for so long (ms), or at once with Enter; Escape leaves it. */
export function useDraft(value: string, onChange: (value: string) => void, pauseMs: number) {
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  if (from !== value) {
    setFrom(value);
    setText(value);
  }
  useEffect(() => {
    if (text === from) return;
    const timer = setTimeout(() => onChange(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, from, onChange, pauseMs]);
  return {
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      if (event.key === 'Escape') event.currentTarget.blur();
      if (event.key === 'Enter') onChange(text);
    },
  };
}

/** One filter as a text; it counts when typing pauses, or at once with Enter. */
export function FilterField({ label, value, onChange, offer = [], id, wide = false }: FilterFieldProps) {
  const draft = useDraft(value, onChange, pause);
  const list = useId();
  return (
    <FilterLabel label={label} wide={wide}>
      <input
        id={id}
        type="search"
        {...draft}
        list={offer.length === 0 ? undefined : list}
        autoComplete="off"
        spellCheck={false}
      />
      {offer.length > 0 && (
        <datalist id={list}>
          {offer.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
      )}
    </FilterLabel>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly offer: readonly string[];
  readonly onChange: (value: string) => void;
}

/** One filter as a choice; "any" takes it away. */
export function FilterChoice({ label, value, offer, onChange }: FilterChoiceProps) {
  const known = value === '' || offer.includes(value) ? offer : [value, ...offer];
  return (
    <FilterLabel label={label}>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">any</option>
        {known.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </FilterLabel>
  );
}
