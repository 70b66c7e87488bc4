import type { WireIncidentFigures } from '#lib/api/incident.ts';
import type { CauseFigures } from '#lib/domain/incident/cause-figures.ts';
import { isLowerBound, quantile } from '#lib/report/spread.ts';

/** Figures over incidents on the wire: how many began, ended and last, and the time half of them took at most. */
export function wireIncidentFigures(figures: CauseFigures): WireIncidentFigures {
  const { toConverge, toConvergeAtLeast, toNotice, ...counts } = figures;
  return {
    ...counts,
    medianToConverge: quantile(toConverge, 0.5),
    medianToConvergeAtLeast: isLowerBound(toConverge, toConvergeAtLeast, 0.5),
    medianToNotice: quantile(toNotice, 0.5),
  };
}
