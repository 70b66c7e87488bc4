'use client';

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { WireReport } from '#lib/api/report.ts';
import { amountsOf } from '#lib/report/figures.ts';
import { chartedVerdicts } from '#lib/report/sections.ts';
import { writeShare } from '#lib/report/write-figure.ts';
import { axisEnd } from '#lib/draw/report/report-charts.ts';
import { patternId, textureOf, tilePath } from '#lib/draw/texture.ts';
import { formatDay } from '#lib/format/time.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

/** One day as the chart takes it: shares from 0 to 1 of what was observed, and what was not. */
type Point = { readonly day: string; readonly seen: number; readonly unseen: number } & {
  readonly [V in Verdict]?: number;
};

function pointOf({ day, shares }: WireReport['days'][number], shown: readonly Verdict[], last: number): Point {
  const { existed, observed } = amountsOf(shares);
  const parts = shown.map((verdict) => [verdict, observed === 0 ? 0 : shares[verdict] / observed] as const);
  return {
    day: formatDay(Date.parse(day), last),
    seen: existed === 0 ? 0 : observed / existed,
    unseen: existed === 0 ? 0 : shares.unobserved / existed,
    ...Object.fromEntries(parts),
  };
}

const axis = { fontSize: 11, fill: 'var(--mute)' };
const left = 52;

/** Share away per day, stacked by verdict, over a lane of what was seen. */
export function DayChart({ report }: { readonly report: WireReport }) {
  const shown = chartedVerdicts(report.days);
  const last = Date.parse(report.days.at(-1)?.day ?? report.period.to);
  const points = report.days.map((day) => pointOf(day, shown, last));
  const highest = Math.max(0, ...points.map((point) => shown.reduce((sum, verdict) => sum + (point[verdict] ?? 0), 0)));
  const end = axisEnd(highest);
  return (
    <figure className="report-chart">
      <ChartFills verdicts={shown} />
      <ResponsiveContainer width="100%" height={150}>
        <BarChart data={points} syncId="days" margin={{ top: 6, right: 4, bottom: 0, left: 0 }} barCategoryGap="12%">
          <CartesianGrid vertical={false} stroke="var(--faint)" />
          <XAxis dataKey="day" tick={false} axisLine={{ stroke: 'var(--rule)' }} tickLine={false} height={4} />
          <YAxis
            width={left}
            domain={[0, end]}
            ticks={[0, end / 2, end]}
            tickFormatter={(value: number) => `${Number((value * 100).toPrecision(3))} %`}
            tick={axis}
            axisLine={false}
            tickLine={false}
          />
          <Tooltip
            cursor={{ fill: 'var(--faint)' }}
            isAnimationActive={false}
            content={({ active, label }) =>
              active ? <DayWords point={points.find(({ day }) => day === label)} shown={shown} /> : null
            }
          />
          {shown.map((verdict) => (
            <Bar
              key={verdict}
              dataKey={verdict}
              stackId="away"
              minPointSize={2}
              fill={`url(#${patternId(verdict)})`}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
      <ResponsiveContainer width="100%" height={36}>
        <BarChart
          data={points}
          syncId="days"
          margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
          barCategoryGap="12%"
          accessibilityLayer={false}
        >
          <XAxis dataKey="day" tick={axis} axisLine={false} tickLine={false} minTickGap={24} height={20} />
          <YAxis
            width={left}
            domain={[0, 1]}
            ticks={[0.5]}
            tickFormatter={() => 'seen'}
            tick={axis}
            axisLine={false}
            tickLine={false}
          />
          <Tooltip cursor={false} content={() => null} isAnimationActive={false} />
          <Bar dataKey="seen" stackId="seen" fill="var(--rule)" isAnimationActive={false} />
          <Bar dataKey="unseen" stackId="seen" fill={`url(#${patternId('unobserved')})`} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
      <figcaption>
        <ul>
          {[...shown, 'unobserved' as const].map((verdict) => (
            <li key={verdict}>
              <svg width="11" height="11" aria-hidden>
                <rect width="11" height="11" fill={`url(#${patternId(verdict)})`} />
              </svg>
              {verdict === 'unobserved' ? 'not seen' : verdict}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

interface DayWordsProps {
  readonly point: Point | undefined;
  readonly shown: readonly Verdict[];
}

function DayWords({ point, shown }: DayWordsProps) {
  if (point === undefined) return null;
  const nothing = point.seen + point.unseen === 0;
  return (
    <div className="report-tip">
      <b>{point.day}</b>
      <p>{nothing ? 'Nothing was there, or nothing is recorded.' : `${writeShare(point.seen)} observed`}</p>
      {shown
        .filter((verdict) => (point[verdict] ?? 0) > 0)
        .map((verdict) => (
          <p key={verdict}>
            {writeShare(point[verdict] ?? 0)} {verdict}
          </p>
        ))}
    </div>
  );
}

/** The fills of verdicts, for the charts of a page: textures, so that they are told apart without their colours. */
function ChartFills({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden>
      <defs>
        {[...verdicts, 'unobserved' as const].map((verdict) => {
          const texture = textureOf(verdict);
          const { size, ground, stroke } = texture;
          const d = tilePath(texture);
          const colour = verdict === 'unobserved' ? 'var(--field)' : `var(--${verdict})`;
          return (
            <pattern key={verdict} id={patternId(verdict)} width={size} height={size} patternUnits="userSpaceOnUse">
              <rect width={size} height={size} fill={colour} fillOpacity={ground} />
              {d !== '' && <path d={d} fill="none" stroke={colour} strokeWidth={stroke} strokeLinecap="round" />}
            </pattern>
          );
        })}
      </defs>
    </svg>
  );
}
