'use client';

import { periodPresets, usualPeriod, type PeriodPreset } from '#lib/domain/time/report-period.ts';
import { FilterField, Filters, FilterLabel } from '../ui/list/filters.tsx';
import type { Asked } from './requested-report.ts';
import type { ChangeRequested } from './use-requested.ts';
import { useState } from 'react';

const words: Readonly<Record<PeriodPreset, string>> = {
  'last-month': 'Last month',
  'this-month': 'This month',
  'last-7-days': 'Last 7 days',
  'last-30-days': 'Last 30 days',
  'last-90-days': 'Last 90 days',
};

/** Names to offer for the scope. */
export interface ScopeOffer {
  readonly clusters: readonly string[];
  /** key=value */
  readonly labels: readonly string[];
}

interface ReportControlsProps {
  readonly asked: Asked;
  readonly change: ChangeRequested;
  readonly offer: ScopeOffer;
  /** The period that is shown, RFC 3339; null where none is. */
  readonly shown: { readonly from: string; readonly to: string } | null;
}

/** Period and scope of a report. */
export function ReportControls({ asked, change, offer, shown }: ReportControlsProps) {
  const named = asked.from === '' ? asked.period || usualPeriod : null;
  return (
    <Filters label="Period and scope" className="report-controls">
      <fieldset className="periods">
        <legend className="sr-only">Period</legend>
        {periodPresets.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={preset === named}
            onClick={() => change({ period: preset, from: '', to: '' })}
          >
            {words[preset]}
          </button>
        ))}
      </fieldset>
      <DayField
        label="From"
        value={asked.from || (shown?.from ?? '')}
        onChange={(from) => change({ period: '', from, to: asked.to || (shown?.to ?? '') })}
      />
      <DayField
        label="to"
        value={asked.to || (shown?.to ?? '')}
        onChange={(to) => change({ period: '', from: asked.from || (shown?.from ?? ''), to })}
      />
      <FilterField
        id="search"
        label="Cluster"
        value={asked.cluster}
        offer={offer.clusters}
        onChange={(cluster) => change({ cluster })}
      />
      <FilterField label="Label" value={asked.label} offer={offer.labels} onChange={(label) => change({ label })} />
      {asked.kind !== '' && (
        <button type="button" className="link" onClick={() => change({ group: '', kind: '' })}>
          All kinds, not {asked.kind} alone
        </button>
      )}
    </Filters>
  );
}

interface DayFieldProps {
  readonly label: string;
  /** RFC 3339 or a day; its UTC day is shown. */
  readonly value: string;
  /** A day: 2026-10-01. */
  readonly onChange: (day: string) => void;
}

/** A UTC day, as the browser lets days be chosen; it counts when it is whole and left, or with Enter. */
function DayField({ label, value, onChange }: DayFieldProps) {
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
