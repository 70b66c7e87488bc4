import { notThereSentence } from '#lib/api/refusals/not-there.ts';
import { ReportQuery, type WireCauseFigures, type WireReport } from '#lib/api/report.ts';
import type { ClustersScope, EmbedScope, FigureName } from '#lib/domain/matrix/embed-scope.ts';
import type { Compared } from '#lib/report/direction.ts';
import { wasText } from '#lib/report/direction.ts';
import { notKnownSentence } from '#lib/report/clauses/arrival-clauses.ts';
import { noSourceRead, timeParts } from '#lib/report/clauses/alarm-clauses.ts';
import { incidentClauses, incidentTotal, largeWords, notMadeYet } from '#lib/report/clauses/incident-clauses.ts';
import { noticesOf } from '#lib/report/lead.ts';
import { compareIn, measures, writeObjectTime, writeShare, type Measure } from '#lib/report/write-figure.ts';
import { largeFrom } from '#lib/domain/incident/cause-figures.ts';
import type { EmbedContent } from '#lib/draw/embed/embed-content.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { isRefused } from '../http/problem.ts';
import type { ReportService } from '../report/report-service.ts';
import { bare, nothingContent } from './content-words.ts';
import { reportScope, scopePage } from './scope-page.ts';

/** Parts of a figure alone: how it is read and called, and its sentence after the value. */
interface Figure {
  readonly measure: (of: ClustersScope) => Measure;
  readonly title: (of: ClustersScope) => string;
  readonly sentence: (report: WireReport, of: ClustersScope) => string;
}

/** After "Cannot be said". */
const unseen = 'of this period: nothing was observed.';

function nothingSeen({ observedMs, existedMs }: WireReport['figures']): boolean {
  return observedMs === 0 && existedMs > 0;
}

const figures: Readonly<Record<FigureName, Figure>> = {
  converged: {
    measure: () => measures.converged,
    title: () => 'Converged',
    sentence: ({ figures: { convergedShare } }) =>
      convergedShare === null ? unseen : 'of the object time observed, what was in git was what was running.',
  },
  incidents: {
    measure: (of) => (of.type === 'fleet' ? measures.largeIncidents : measures.allIncidents),
    title: (of) => (of.type === 'fleet' ? `Incidents of ${largeFrom} objects or more` : 'Incidents'),
    sentence(report, of) {
      const { incidents } = report.figures;
      if (nothingSeen(report.figures)) return unseen;
      if (incidents === null) return notMadeYet(report);
      if (incidentTotal(incidents) === 0) return largeWords(incidents);
      return of.type === 'fleet' ? largeSentence(incidents) : countedSentence(incidents);
    },
  },
  overdue: {
    measure: () => measures.overdue,
    title: () => 'Away past the deadline',
    sentence({ figures: found, alarmWithinMs }) {
      if (nothingSeen(found)) return unseen;
      const deadline = formatDuration(alarmWithinMs);
      if (found.overdueMs === 0) return `was seen to be away from git for longer than ${deadline}.`;
      return `away from git for longer than ${deadline}${calledSentence(found)}`;
    },
  },
  arrival: {
    measure: () => measures.arrivalMedian,
    title: () => 'From commit to running',
    sentence: ({ figures: { arrivals } }) =>
      arrivals.count === null
        ? (notKnownSentence(arrivals) ?? '')
        : arrivals.count === 0
          ? 'is known of: no commit was followed from its offer to all of its objects.'
          : `from commit to running, the median of ${countOf(arrivals.count, 'arrival')}.`,
  },
};

/** For how much of the time past the deadline somebody was called: the end of a sentence. */
function calledSentence({ alarms }: WireReport['figures']): string {
  if (alarms.said !== 'told') return `. Whether anybody was called cannot be said: ${noSourceRead}.`;
  const parts = timeParts(alarms);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return `, all of it ${only.words}.`;
  return `: ${parts.map(({ ms, words }) => `${writeObjectTime(ms)} ${words}`).join(', ')}.`;
}

/** After the number of large ones: "incidents, of 663 of any size, took down 5 objects or more at once. 660 incidents opened; …" */
function largeSentence(incidents: WireCauseFigures): string {
  const clauses = incidentClauses(incidents).map(({ count, words }) => count + words);
  return `${largeWords(incidents)} ${clauses.join('; ')}.`;
}

/**
 * After the number of all: "incidents opened; 10 of them closed". An incident is whole wherever its members are, so neither they nor how
 * many there were at once is told where the scope is a part of the fleet.
 */
function countedSentence(incidents: WireCauseFigures): string {
  const { opened, openAtStart } = incidents;
  const noun = incidentTotal(incidents) === 1 ? 'incident' : 'incidents';
  const first =
    openAtStart === 0
      ? 'opened'
      : opened === 0
        ? 'from before the period'
        : `in all, ${formatCount(opened)} of them new`;
  const rest = incidentClauses(incidents).slice(1);
  return `${[`${noun} ${first}`, ...rest.map(({ count, words }) => count + words)].join('; ')}.`;
}

/** One figure of a report, with the share observed beside it and the period before. Asks the record: some 100 ms. */
export async function figureContent(
  scope: Extract<EmbedScope, { type: 'figure' }>,
  reports: Pick<ReportService, 'report'>,
): Promise<EmbedContent> {
  const { measure, title: titleOf, sentence } = figures[scope.figure];
  const name = titleOf(scope.of);
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
  const value = compareIn(report, measure(scope.of));
  return {
    ...bare,
    title,
    href: page,
    sign: null,
    lead: value.now.charAt(0).toUpperCase() + value.now.slice(1),
    sentence: sentence(report, scope.of),
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
