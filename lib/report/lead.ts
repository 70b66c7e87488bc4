import type { WireCauseFigures, WireReport } from '../api/report.ts';
import { formatDuration } from '../format/duration.ts';
import { countOf, formatCount } from '../format/number.ts';
import { shortTime } from '../format/time.ts';
import { alarmText, overdueText, silentText } from './alarm-text.ts';
import type { Piece, Text } from './document.ts';
import { notKnownSentence } from './clauses/arrival-clauses.ts';
import {
  incidentClauses,
  incidentHeadline,
  incidentTotal,
  memberWords,
  notMadeText,
} from './clauses/incident-clauses.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { writeAmount, writeLength, writeObjectTime, writeParts, writeShare } from './write-figure.ts';

/** Notices to know before any figure of a report is believed. */
export function noticesOf({ asOf, simulated, period, recordedSince, before, figures }: WireReport): readonly string[] {
  return [
    ...(simulated ? ['The fleet and its history are simulated: nothing here has happened.'] : []),
    ...(recordedSince !== null && period.recordedMs < period.ofMs
      ? [
          `The record begins on ${shortTime(Date.parse(recordedSince), 'year')} UTC: ${formatDuration(period.ofMs - period.recordedMs)} of ${formatDuration(period.ofMs)} are not recorded.`,
        ]
      : []),
    ...(before !== null && before.recordedMs < before.ofMs
      ? [
          `Of the period before (${before.name}) ${formatDuration(before.ofMs - before.recordedMs)} of ${formatDuration(before.ofMs)} are not recorded: only shares and durations are compared.`,
        ]
      : []),
    ...(before === null && period.recordedMs > 0 ? ['There is no record of the period before to compare with.'] : []),
    ...(period.lasting ? [lastingText(Date.parse(asOf), Date.parse(period.to))] : []),
    ...[notKnownSentence(figures.arrivals)].filter((text) => text !== null),
  ];
}

/** So much later (ms) than its end a report is made, and the reason is not that it was being made. */
const made = 60_000;

function lastingText(asOf: number, to: number): string {
  if (asOf - to <= made) return 'The period is not over: this is how it stands now.';
  return `Nobody has looked since ${shortTime(to, 'year')} UTC: what came after that is not in this report.`;
}

function plain(text: string): Piece {
  return { text };
}

function weighty(text: string, href: string): Piece {
  return { text, strong: true, href };
}

/** Why nothing can be said of the whole period; null where something can. */
export function nothingText({ figures, period, recordedSince }: WireReport): string | null {
  if (recordedSince === null) return 'There is no record of this period. Nothing of this scope is recorded yet.';
  if (period.recordedMs === 0)
    return `There is no record of this period. The record begins on ${shortTime(Date.parse(recordedSince), 'year')} UTC.`;
  if (figures.existedMs === 0) return 'In this period no object was there: there is nothing to report on.';
  if (figures.observedMs === 0)
    return 'Nothing can be said of this period: none of the time of any object was observed.';
  return null;
}

/** Number of incidents and what became of them, in sentences, each number leading to what it is made of; else why nothing can be said. */
export function leadOf(report: WireReport, links: ReportLinks): readonly Text[] {
  const nothing = nothingText(report);
  if (nothing !== null) return [[plain(nothing)]];
  return [...silentText(report, links), ...incidentTexts(report, links)];
}

function incidentTexts(report: WireReport, links: ReportLinks): readonly Text[] {
  const { incidents } = report.figures;
  if (incidents === null) return [[plain(notMadeText(report))]];
  if (incidentTotal(incidents) === 0) return [headlineText(incidents, links)];
  return [headlineText(incidents, links), accountText(incidents, report, links)];
}

function headlineText(incidents: WireCauseFigures, links: ReportLinks): Text {
  const to = { large: links.largeIncidents, all: links.incidents };
  const [before, members, after] = memberWords(incidents) ?? ['', '', ''];
  return [
    ...incidentHeadline(incidents).map(({ text, leads }) =>
      leads === undefined ? plain(text) : weighty(text, to[leads]),
    ),
    ...(members === '' ? [] : [plain(before), weighty(members, links.absences), plain(after)]),
  ];
}

/** All incidents accounted for, and how long they took. */
function accountText(incidents: WireCauseFigures, { scope }: WireReport, links: ReportLinks): Text {
  const { medianMs, medianAtLeast, longestMs, longestAtLeast, count } = incidents.toConverge;
  const least = (is: boolean): Piece[] => (is ? [plain('at least ')] : []);
  const length = (ms: number): Piece => weighty(writeLength(ms), '#distribution');
  return [
    ...incidentClauses(incidents).flatMap(({ count: counted, words }, index) => [
      ...(index === 0 ? [] : [plain('; ')]),
      ...(counted === '' ? [] : [weighty(counted, links.incidents)]),
      plain(words),
    ]),
    plain('.'),
    ...(medianMs === null || longestMs === null
      ? []
      : count === 1
        ? [plain(' The one that closed took '), ...least(medianAtLeast), length(medianMs), plain('.')]
        : [
            plain(' Median time to converge: '),
            ...least(medianAtLeast),
            length(medianMs),
            plain(', the longest: '),
            ...least(longestAtLeast),
            length(longestMs),
            plain('.'),
          ]),
    ...(incidents.toNotice.medianMs === null
      ? []
      : [plain(' Median time to notice: '), weighty(writeLength(incidents.toNotice.medianMs), '#figures'), plain('.')]),
    ...(isNarrowed(scope) ? [plain(' Each is told whole, also what of it lies outside of this scope.')] : []),
  ];
}

/** Time away, converged, observed and past the deadline, in sentences. */
export function timesOf(report: WireReport, links: ReportLinks): readonly Text[] {
  if (nothingText(report) !== null) return [];
  return [
    wallText(report, links),
    timeText(report, links),
    [...observedText(report), ...declaredText(report)],
    overdueText(report, links),
    ...alarmText(report, links),
  ];
}

/** Time for which anything was away on the wall clock, and how the clusters fared. */
function wallText({ figures: { wall }, clusters: all }: WireReport, links: ReportLinks): Text {
  const { awayMs, awayShare, observedMs, clusters } = wall;
  if (awayMs === 0)
    return [plain(`In the ${writeAmount(observedMs)} that a cluster was observed, nothing was seen away from git.`)];
  return [
    plain('For '),
    weighty(writeAmount(awayMs), links.absences),
    plain(
      `, ${writeShare(awayShare)} of the period, at least one object was away from git (observed: ${writeAmount(observedMs)}).`,
    ),
    ...(clusters.observed < 2
      ? []
      : [
          ...neverAwayText(clusters, clusters.observed < all.length ? ' observed' : ''),
          plain('; on the median cluster something was away for '),
          weighty(writeAmount(clusters.medianAwayMs), '#clusters'),
          plain('.'),
        ]),
  ];
}

/** Number of clusters that were never away. `which`: said of them where there were others, of which nothing is known. */
function neverAwayText({ observed, neverAway }: WireReport['figures']['wall']['clusters'], which: string): Text {
  if (neverAway === 0) return [plain(` Each of the ${formatCount(observed)} clusters${which} was away at some time`)];
  return [
    plain(` Of ${formatCount(observed)} clusters${which} `),
    weighty(formatCount(neverAway), '#clusters'),
    plain(` ${neverAway === 1 ? 'was' : 'were'} never seen away`),
  ];
}

function timeText({ figures }: WireReport, links: ReportLinks): Text {
  const { convergedMs, observedMs, awayMs, suspendedMs, unconfirmedMs } = figures;
  const [away = '', suspended = '', unconfirmed = ''] = writeParts(
    [awayMs, suspendedMs, unconfirmedMs],
    convergedMs,
    observedMs,
  );
  const rest = [
    { ms: awayMs, text: away, href: links.spans(awayVerdicts), words: ' was away from git' },
    { ms: suspendedMs, text: suspended, href: links.spans(['suspended']), words: ' was switched off on purpose' },
    { ms: unconfirmedMs, text: unconfirmed, href: links.spans(['unconfirmed']), words: ' could not be confirmed' },
  ].filter(({ ms }) => ms > 0);
  return [
    plain('Every object counted alike, for '),
    weighty(writeShare(figures.convergedShare), links.spans(['converged'])),
    plain(' of the object time observed, what was in git was what was running.'),
    ...rest.flatMap(({ text, href, words }, index) => [
      plain(index === 0 ? ' ' : index === rest.length - 1 ? ' and ' : ', '),
      weighty(text, href),
      plain(words),
    ]),
    ...(rest.length === 0 ? [] : [plain('.')]),
  ];
}

function observedText({ figures, notSeen }: WireReport): Text {
  const [most] = notSeen;
  if (most === undefined) return [plain('All of the object time was observed.')];
  const where = notSeen.length === 1 ? 'All' : 'Most';
  const [gap] = most.gaps;
  const why = gap === undefined ? '' : `; ${gap.kind === null ? 'the cluster' : gap.kind} was ${gap.state}`;
  return [
    weighty(writeShare(figures.observedShare), '#not-seen'),
    plain(
      ` of the object time was observed. ${where} unobserved time was on ${most.cluster}: ${writeObjectTime(most.unobservedMs)}${why}.`,
    ),
  ];
}

/** Note on what is only declared: it can never be observed and is in no share. */
function declaredText({ figures: { declared } }: WireReport): Text {
  if (declared === 0) return [];
  return [plain(` ${countOf(declared, 'declared stack')} ${declared === 1 ? 'is' : 'are'} never observed.`)];
}

function isNarrowed({ clusters, kind }: WireReport['scope']): boolean {
  return clusters !== null || kind !== '';
}

/** Which objects a report is about: "all clusters", "2 clusters: eu-west-3, us-east-1", "9 clusters with environment=production". */
export function scopeText({ scope }: Pick<WireReport, 'scope'>): string {
  const many = scope.clusters === null ? 'all clusters' : countOf(scope.clusters.length, 'cluster');
  const label = scope.label === '' ? '' : ` with ${scope.label.split(',').join(' and ')}`;
  const named =
    scope.clusters === null || scope.label !== '' || scope.clusters.length > 6 ? '' : `: ${scope.clusters.join(', ')}`;
  const kind = scope.kind === '' ? '' : `, ${scope.kind} only`;
  return `${many}${label}${named}${kind}`;
}
