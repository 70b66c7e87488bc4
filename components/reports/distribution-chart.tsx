'use client';

import { Bar, BarChart, LabelList, Rectangle, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import type { WireReport } from '#lib/api/report.ts';
import { convergeBars } from '#lib/report/sections.ts';

/** Number of incidents by how long they took; those that are not over stand apart, as an outline. */
export function DistributionChart({ report }: { readonly report: WireReport }) {
  const points = convergeBars(report);
  return (
    <figure className="report-chart">
      <ResponsiveContainer width="100%" height={points.length * 20 + 6}>
        <BarChart layout="vertical" data={points} margin={{ top: 2, right: 44, bottom: 2, left: 0 }}>
          <XAxis type="number" hide domain={[0, 'dataMax']} allowDecimals={false} />
          <YAxis
            type="category"
            dataKey="text"
            width={140}
            interval={0}
            tick={{ fontSize: 11, fill: 'var(--mute)' }}
            axisLine={{ stroke: 'var(--rule)' }}
            tickLine={false}
          />
          <Bar
            dataKey="count"
            isAnimationActive={false}
            shape={({ x, y, width, height, index }) => {
              const open = points[index]?.open === true;
              const outline = open
                ? { fill: 'none', stroke: 'var(--ink)', strokeDasharray: '3 2' }
                : { fill: 'var(--ink)' };
              return <Rectangle x={x} y={y} width={width} height={height} {...outline} />;
            }}
          >
            <LabelList dataKey="count" position="right" fontSize={11} fill="var(--mute)" />
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </figure>
  );
}
