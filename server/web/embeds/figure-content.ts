import { notThereSentence } from '#lib/api/not-there.ts';
import { ReportQuery, type WireReport } from '#lib/api/report.ts';
import type { ClustersScope, EmbedScope, FigureName } from '#lib/domain/matrix/embed-scope.ts';
import type { Compared } from '#lib/report/direction.ts';
import { wasText } from '#lib/report/direction.ts';
import { incidentClauses } from '#lib/report/incident-clauses.ts';
import { noticesOf } from '#lib/report/lead.ts';
import { compareIn, measures, silentText, writeShare, type Measure } from '#lib/report/write-figure.ts';
import type { EmbedContent } from '#lib/draw/embed/embed-content.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import { isRefused } from '../http/problem.ts';
import type { ReportService } from '../report/report-service.ts';
import { bare, nothingContent } from './content-words.ts';
import { reportScope, scopePage } from './scope-page.ts';

/** Parts of a figure alone: how it is read and called, and its sentence after the value. */
interface Figure {
  readonly measure: Measure;
  readonly title: string;
  readonly sentence: (report: WireReport) => string;
}

/** After "Cannot be said". */
const unseen = 'of this period: nothing was observed.';

function nothingSeen({ observedMs, existedMs }: WireReport['figures']): boolean {
  return observedMs === 0 && existedMs > 0;
}

const figures: Readonly<Record<FigureName, Figure>> = {
  converged: {
    measure: measures.converged,
    title: 'Converged',
    sentence: ({ figures: { convergedShare } }) =>
      convergedShare === null ? unseen : 'of the object time observed, what was in git was what was running.',
  },
  incidents: {
    measure: measures.opened,
    title: 'Times away from git',
    sentence({ figures: found }) {
      if (nothingSeen(found)) return unseen;
      const { opened } = found.incidents;
      const left = opened === 0 ? 'was seen to leave git' : `${opened === 1 ? 'time' : 'times'} an object left git`;
      const rest = incidentClauses(found.incidents).slice(1);
      return `${[left, ...rest.map(({ count, words }) => count + words)].join('; ')}.`;
    },
  },
  overdue: {
    measure: measures.overdue,
    title: 'Away past the deadline',
    sentence({ figures: found, alarmWithinMs }) {
      if (nothingSeen(found)) return unseen;
      const deadline = formatDuration(alarmWithinMs);
      if (found.overdueMs === 0) return `was seen to be away from git for longer than ${deadline}.`;
      return `away from git for longer than ${deadline}. Whether anybody was called is unknown: ${silentText(found)}.`;
    },
  },
  arrival: {
    measure: measures.arrivalMedian,
    title: 'From commit to running',
    sentence: ({ figures: { arrivals } }) =>
      arrivals.count === 0
        ? 'is known of: no commit was followed from its offer to all of its objects.'
        : `from commit to running, the median of ${countOf(arrivals.count, 'arrival')}.`,
  },
};

/** One figure of a report, with the share observed beside it and the period before. Asks the record: some 100 ms. */
export async function figureContent(
  scope: Extract<EmbedScope, { type: 'figure' }>,
  reports: Pick<ReportService, 'report'>,
): Promise<EmbedContent> {
  const { measure, title: name, sentence } = figures[scope.figure];
  const page = scopePage(scope);
  const report = await reports.report(ReportQuery.parse({ period: scope.period, ...reportScope(scope.of) }));
  const where = `${name}, ${clustersTitle(scope.of)}`;
  if (isRefused(report) && report.refused.type === 'not-there')
    return nothingContent(where, page, notThereSentence(report.refused.names), 'not there');
  if (isRefused(report))
    return nothingContent(where, page, 'That cannot be said now: the record cannot be read.', 'cannot be said');
  const title = `${name}, ${report.period.name}, ${clustersTitle(scope.of)}`;
  if (report.period.recordedMs === 0)
    return nothingContent(title, page, 'There is no record of this period.', 'no record');
  const value = compareIn(report, measure);
  return {
    ...bare,
    title,
    href: page,
    sign: null,
    lead: value.now.charAt(0).toUpperCase() + value.now.slice(1),
    sentence: sentence(report),
    standing: [wasWords(value, report), `${writeShare(report.figures.observedShare)} of the object time was observed`]
      .filter((part) => part !== '')
      .join('; '),
    more: noticesOf({ ...report, simulated: false }).join(' '),
    badge: { sign: null, words: value.now, silent: false },
  };
}

function wasWords(value: Compared, { before }: WireReport): string {
  return before === null ? '' : `${wasText(value)} (${before.name})`;
}

function clustersTitle(scope: ClustersScope): string {
  switch (scope.type) {
    case 'fleet':
      return 'fleet';
    case 'label':
      return `${scope.key}=${scope.value}`;
    case 'cluster':
      return scope.cluster;
  }
}
