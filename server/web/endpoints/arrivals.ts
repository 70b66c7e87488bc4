import { arrivalsApi } from '#lib/api/report.ts';
import { ofPresent } from './served.ts';

export const arrivals = ofPresent(arrivalsApi, { ask: ({ reports }, query) => reports.arrivals(query) });
