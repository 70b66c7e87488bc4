import { reportApi } from '#lib/api/report.ts';
import { isRefused } from '../http/problem.ts';
import { reportFile } from '../report/report-file.ts';
import { ofPresent } from './served.ts';

export const report = ofPresent(reportApi, {
  ask: ({ reports }, query) => reports.report(query),
  async file({ reports }, query, origin) {
    if (query.format === 'json') return null;
    const made = await reports.report(query);
    return isRefused(made) ? made : reportFile(made, query.format, origin);
  },
});
