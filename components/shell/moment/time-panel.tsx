'use client';

import './past.css';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useId, useState, type RefObject } from 'react';
import { momentText, readMoment } from '#lib/format/moment.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { addressAt } from '../address.ts';
import { useBrowserNow } from '../live/feed-age.ts';

const presets = [
  ['10 min ago', 600_000],
  ['1 h ago', hour],
  ['24 h ago', day],
  ['7 d ago', 7 * day],
] as const;

interface TimePanelProps {
  /** The moment that the page shows; '' for now. */
  readonly value: string;
  readonly onClose: () => void;
}

/** Opened by `t`: which moment to show. */
export function TimePanel({ value, onClose }: TimePanelProps) {
  const field = useRef<HTMLInputElement>(null);
  const now = useBrowserNow() ?? 0;
  const path = usePathname();
  const query = useSearchParams().toString();
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <section aria-label="Time" className="time-panel screen-only">
      <TimeForm key={value} value={value} field={field} onEscape={onClose} />
      <span className="flex flex-wrap gap-x-3">
        {presets.map(([words, ago]) => (
          <a key={words} className="link py-1" href={addressAt(path, query, momentText(now - ago))}>
            {words}
          </a>
        ))}
      </span>
      <button type="button" className="link ml-auto py-1" onClick={onClose}>
        Close
      </button>
    </section>
  );
}

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
      <button type="submit" className="min-h-[26px] rounded-[3px] border border-current px-2">
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
