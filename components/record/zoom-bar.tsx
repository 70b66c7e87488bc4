'use client';

import './zoom-bar.css';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { lasts, type Last } from '#lib/api/params.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { panned, periodFrom, zoomed, type ShownPeriod } from './shown-period.ts';

const text = parseAsString.withDefault('');
const parsers = { last: parseAsStringLiteral(lasts), from: text, to: text };

/** The period in the URL and how to choose another; choosing replaces the entry in the history. */
export function usePeriod(): readonly [ShownPeriod, (period: ShownPeriod) => void] {
  const [found, set] = useQueryStates(parsers, { history: 'replace' });
  return [
    periodFrom({ ...found, last: found.last ?? '' }),
    ({ last, from, to }) => void set({ last: last === '' ? null : last, from: from || null, to: to || null }),
  ];
}

interface ZoomBarProps {
  /** The period as it stands in the URL, and as it is shown (ms). */
  readonly asked: ShownPeriod;
  readonly period: Period;
  /** ms */
  readonly now: number;
  readonly change: (period: ShownPeriod) => void;
  /** Period that is shown where nothing is chosen. */
  readonly usual: Last;
}

const words: Readonly<Record<Last, string>> = { '6h': '6 h', '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' };

/** Period of the lanes: by name, nearer and farther, earlier and later. */
export function ZoomBar({ asked, period, now, change, usual }: ZoomBarProps) {
  const own = asked.from !== '' || asked.to !== '';
  const last = asked.last === '' ? usual : asked.last;
  const atNow = period.to >= now - 60_000;
  return (
    <fieldset className="zoom-bar screen-only" aria-label="Period">
      {lasts.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={!own && last === each}
          onClick={() => change({ last: each, from: '', to: '' })}
        >
          {words[each]}
        </button>
      ))}
      <span className="zoom-steps">
        <button type="button" onClick={() => change(panned(period, -0.5, now))}>
          Earlier
        </button>
        <button type="button" disabled={atNow} onClick={() => change(panned(period, 0.5, now))}>
          Later
        </button>
        <button type="button" aria-label="Shorter period" onClick={() => change(zoomed(period, 0.5, now))}>
          +
        </button>
        <button type="button" aria-label="Longer period" onClick={() => change(zoomed(period, 2, now))}>
          −
        </button>
      </span>
    </fieldset>
  );
}
