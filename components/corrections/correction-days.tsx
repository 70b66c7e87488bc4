'use client';

import { useState } from 'react';
import { type WireCorrectionDay, certainties } from '#lib/api/correction.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatDay, parseTime } from '#lib/format/time.ts';
import { useNow } from '../ui/now.tsx';
import { Section } from '../ui/page/page.tsx';
import { sumOf } from './correction-text.ts';

/** Number of corrections a day, as bars and as a table; a day (UTC) without any is there too. */
export function CorrectionDays({ days }: { readonly days: readonly WireCorrectionDay[] }) {
  const now = useNow();
  const [read, setRead] = useState<string | null>(null);
  const highest = Math.max(1, ...days.map(sumOf));
  const day = days.find((each) => each.day === read);
  const [first] = days;
  const last = days.at(-1);
  return (
    <Section
      id="days"
      title="By day"
      note={day === undefined ? `at least; at most ${formatCount(highest)} on one day` : dayWords(day, now)}
    >
      <div className="day-bars" aria-hidden="true" onPointerLeave={() => setRead(null)}>
        {days.map((each) => (
          <span key={each.day} onPointerEnter={() => setRead(each.day)}>
            {certainties.toReversed().map((certainty) => (
              <i key={certainty} className={certainty} style={{ height: `${(each[certainty] / highest) * 100}%` }} />
            ))}
          </span>
        ))}
      </div>
      <p className="day-axis" aria-hidden="true">
        <span>{first === undefined ? '' : dayOf(first, now)}</span>
        <span className="day-key">
          {certainties.map((certainty) => (
            <span key={certainty}>
              <i className={certainty} /> {certainty}
            </span>
          ))}
        </span>
        <span>{last === undefined ? '' : dayOf(last, now)}</span>
      </p>
      <table className="sr-only">
        <caption>Corrections a day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {certainties.map((certainty) => (
              <th key={certainty} scope="col">
                {certainty}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((each) => (
            <tr key={each.day}>
              <th scope="row">{dayOf(each, now)}</th>
              {certainties.map((certainty) => (
                <td key={certainty}>{each[certainty]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function dayOf({ day }: WireCorrectionDay, now: number): string {
  return formatDay(parseTime(day) ?? 0, now);
}

function dayWords(day: WireCorrectionDay, now: number): string {
  const parts = certainties
    .filter((certainty) => day[certainty] > 0)
    .map((certainty) => `${day[certainty]} ${certainty}`);
  return `${dayOf(day, now)}: ${sumOf(day) === 0 ? 'none' : `at least ${countOf(sumOf(day), 'correction')}, ${parts.join(', ')}`}`;
}
