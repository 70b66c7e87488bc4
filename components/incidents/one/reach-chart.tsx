'use client';

import type { WireIncidentPage } from '#lib/api/incident.ts';
import { reachPath } from '#lib/draw/incident/reach-steps.ts';
import { countOf } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { Section } from '../../ui/page/page.tsx';
import { TimeAxis, TimeGrid } from '../../ui/time-axis.tsx';

const box = { width: 1000, height: 72 };

interface ReachChartProps {
  readonly page: WireIncidentPage;
  /** Time up to which the page knows (ms). */
  readonly knownAt: number;
}

/** Number of objects that were away by an incident from its beginning on, as a picture and as a table. */
export function ReachChart({ page, knownAt }: ReachChartProps) {
  const { incident, steps, stepsLeftOut, blind } = page;
  const period = shownPeriod(page, knownAt);
  const unseen = blind.filter(
    ({ from, to }) => (parseTime(from) ?? 0) < period.to && (parseTime(to ?? '') ?? period.to) > period.from,
  );
  const reach = steps.map(({ at, objects }) => ({ at: parseTime(at) ?? 0, objects }));
  const path = reachPath(reach, period, box);
  const end = incident.closedAt === null && knownAt === period.to ? 'now' : formatTime(period.to, knownAt);
  return (
    <Section
      id="reach"
      title="Reach"
      note={`objects away by it, as it was known; at most ${countOf(incident.most.objects, 'object')} at once${stepsLeftOut ? '; earlier steps are not listed' : ''}`}
    >
      <div className="reach" style={{ '--mark': `var(--${incident.worst})` }} aria-hidden="true">
        <TimeGrid period={period} />
        <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none">
          <path className="reach-area" d={path} />
          <path className="reach-line" d={path} />
        </svg>
        {unseen.map(({ cluster, from, to }) => (
          <i key={`${cluster} ${from}`} className="reach-blind" style={placeOf(from, to, period)} />
        ))}
      </div>
      <TimeAxis period={period} end={end} />
      {unseen.length > 0 && (
        <p className="reach-key">
          <i aria-hidden="true" /> One of its clusters was not being observed.
        </p>
      )}
      <table className="sr-only">
        <caption>Reach over time</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Objects</th>
            <th scope="col">Clusters</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ at, type, objects, clusters }) => (
            <tr key={`${at} ${type} ${objects}`}>
              <th scope="row">{formatTime(parseTime(at) ?? 0, knownAt)}</th>
              <td>{objects}</td>
              <td>{clusters}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** From its beginning to its end and the last that was noted of it, or up to now; never of less than a minute, nor of what is to come. */
function shownPeriod({ incident, steps }: WireIncidentPage, knownAt: number): Period {
  const from = parseTime(incident.openedAt) ?? 0;
  const last = parseTime(steps.at(-1)?.at ?? '') ?? from;
  const to = incident.closedAt === null ? knownAt : Math.max(last, parseTime(incident.closedAt) ?? from);
  return { from: Math.min(from, to - minute), to };
}

/** Where a time lies in the picture, in shares of it. */
function placeOf(from: string, to: string | null, period: Period) {
  const share = (at: number): number => Math.min(1, Math.max(0, (at - period.from) / (period.to - period.from)));
  const start = share(parseTime(from) ?? 0);
  const end = share(parseTime(to ?? '') ?? period.to);
  return { left: `${start * 100}%`, width: `${(end - start) * 100}%` };
}
