import type { WireReport } from '../../api/report.ts';
import { chartedVerdicts, convergeBars } from '../../report/sections.ts';
import { dayChart, distributionChart, type ChartColours } from './report-charts.ts';

/** One of the two pictures of a report as an SVG. */
export function reportPicture(picture: 'days' | 'distribution', report: WireReport, colours: ChartColours): string {
  switch (picture) {
    case 'days':
      return dayChart(
        report.days.map(({ day, shares }) => ({ day: Date.parse(day), shares })),
        chartedVerdicts(report.days),
        colours,
      );
    case 'distribution':
      return distributionChart(convergeBars(report), colours);
  }
}
