import { spansApi } from '#lib/api/report.ts';
import { ofPresent } from './served.ts';

export const spans = ofPresent(spansApi, { ask: ({ reports }, query) => reports.spans(query) });
