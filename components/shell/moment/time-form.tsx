'use client';

import { useId, useState, type RefObject } from 'react';
import { momentText, readMoment } from '#lib/format/moment.ts';

interface TimeFormProps {
  /** Text in the field at first. */
  readonly value: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onEscape?: () => void;
}

/** A field for a moment, as people write it; the page is loaded anew as it was known then. */
export function TimeForm({ value, field, onEscape }: TimeFormProps) {
  const id = useId();
  const [trouble, setTrouble] = useState<string | null>(null);
  const go = (text: string) => {
    const now = Date.now();
    const at = readMoment(text, now);
    if (at === null)
      setTrouble('That cannot be read as a time. Write it as 21 Nov 03:12, 03:12 or 2026-11-21T03:12:00Z.');
    else if (at > now) setTrouble('That is not in the past.');
    else {
      const url = new URL(location.href);
      url.searchParams.set('at', momentText(at));
      location.assign(url.href.replaceAll('%3A', ':'));
    }
  };
  return (
    <form
      className="flex flex-wrap items-center gap-x-2 gap-y-1"
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
        go(field.current?.value ?? '');
      }}
    >
      <label htmlFor={id}>As known at</label>
      <input
        id={id}
        ref={field}
        name="at"
        type="text"
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        size={24}
        aria-describedby={trouble === null ? undefined : `${id}-trouble`}
        aria-invalid={trouble !== null}
        className="time-field"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.currentTarget.blur();
          onEscape?.();
        }}
      />
      <span>UTC</span>
      <button type="submit" className="time-button">
        Show
      </button>
      {trouble !== null && (
        <span id={`${id}-trouble`} role="alert">
          {trouble}
        </span>
      )}
    </form>
  );
}
