'use client';

import { useEffect, useId, useState } from 'react';

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

/** One filter as a text; it counts when typing pauses, or at once with Enter. */
export function FilterField({ label, value, onChange, offer = [], id, wide = false }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  const list = useId();
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
    <label className={wide ? 'filter-field wide' : 'filter-field'}>
      <span>{label}</span>
      <input
        id={id}
        type="search"
        value={text}
        list={offer.length === 0 ? undefined : list}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key === 'Enter') onChange(text);
        }}
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
    </label>
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
    <label className="filter-field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">any</option>
        {known.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
