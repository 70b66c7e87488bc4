'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import type { Changed } from '#lib/api/change.ts';
import { changesPath } from '#lib/api/paths.ts';
import { momentText, readMoment } from '#lib/format/moment.ts';
import { parseTime } from '#lib/format/time.ts';
import { hour } from '#lib/domain/time/length.ts';

type Period = Pick<Changed, 'asOf' | 'from' | 'to' | 'upToNow' | 'cluster' | 'clusters'>;

const presets = [
  ['last hour', hour],
  ['last 6 h', 6 * hour],
  ['last 24 h', 24 * hour],
  ['last 7 d', 7 * 24 * hour],
] as const;

/** From when to when, and on which cluster; all of it stands in the address. */
export function PeriodForm({ period }: { readonly period: Period }) {
  const { asOf, from, to, upToNow, cluster, clusters } = period;
  const form = useRef<HTMLFormElement>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const now = parseTime(asOf) ?? 0;
  const show = () => {
    const data = new FormData(form.current ?? undefined);
    const [begin, end] = ['from', 'to'].map((name) => textIn(data, name));
    const times = [begin ?? '', end ?? ''].map((text) => (text === '' ? null : readMoment(text, now)));
    const unread = [begin, end].find((text, index) => text !== '' && times[index] === null);
    if (unread !== undefined) {
      setTrouble(`"${unread}" cannot be read as a time. Write it as 21 Nov 03:12 or 2026-11-21T03:12:00Z.`);
      return;
    }
    const [first, last] = times;
    location.assign(
      changesPath({
        from: momentText(first ?? now - 24 * hour),
        ...(last === null || last === undefined ? {} : { to: momentText(last) }),
        ...(textIn(data, 'cluster') === '' ? {} : { cluster: textIn(data, 'cluster') }),
      }),
    );
  };
  return (
    <div className="screen-only">
      <form
        ref={form}
        method="get"
        action="/changes"
        className="period-form"
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <Field label="From" name="from" value={wholeSecond(from)} />
        <Field label="to" name="to" value={upToNow ? '' : wholeSecond(to)} placeholder="now" />
        <label className="flex items-center gap-2">
          on
          <select name="cluster" defaultValue={cluster} className="period-field">
            <option value="">every cluster</option>
            {[...new Set([...clusters, ...(cluster === '' ? [] : [cluster])])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button type="submit" className="rounded-[3px] border border-field px-2 py-0.5">
          Show
        </button>
        <span className="flex flex-wrap gap-x-3">
          {presets.map(([words, length]) => (
            <Link
              key={words}
              className="link py-1"
              href={changesPath({ from: momentText(now - length), ...(cluster === '' ? {} : { cluster }) })}
              prefetch={false}
            >
              {words}
            </Link>
          ))}
        </span>
      </form>
      {trouble !== null && (
        <p role="alert" className="mt-1">
          {trouble}
        </p>
      )}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly placeholder?: string;
}

function Field({ label, name, value, placeholder }: FieldProps) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        key={value}
        name={name}
        type="text"
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        size={24}
        className="period-field"
      />
    </label>
  );
}

/** The second in which a moment lies: finer than anybody asks. */
function wholeSecond(time: string): string {
  return momentText(Math.floor((parseTime(time) ?? 0) / 1000) * 1000);
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
