'use client';

import './past.css';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { momentText } from '#lib/format/moment.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { addressAt } from './address-at.ts';
import { useBrowserNow } from '../live/feed-age.ts';
import { TimeForm } from './time-form.tsx';

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
