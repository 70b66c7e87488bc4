import type { WireReport } from '../../api/report.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { shortTime } from '../../format/time.ts';
import type { Piece, Text } from './document.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { silentText, writeLength, writeParts, writeShare } from './write-figure.ts';

/** What must be known before any figure of a report is believed. */
export function noticesOf({ asOf, simulated, period, recordedSince, before }: WireReport): readonly string[] {
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

/** The report in a few sentences, each number leading to what it is made of. */
export function leadOf(report: WireReport, links: ReportLinks): readonly Text[] {
  const { figures, period, recordedSince } = report;
  if (recordedSince === null || period.recordedMs === 0) {
    const since =
      recordedSince === null
        ? 'Nothing of this scope is recorded yet.'
        : `The record begins on ${shortTime(Date.parse(recordedSince), 'year')} UTC.`;
    return [[plain(`There is no record of this period. ${since}`)]];
  }
  if (figures.existedMs === 0) return [[plain('In this period no object was there: there is nothing to report on.')]];
  if (figures.observedMs === 0)
    return [[plain('Nothing can be said of this period: none of the time of any object was observed.')]];
  return [timeText(report, links), observedText(report), incidentText(report, links), overdueText(report, links)];
}

function timeText({ figures }: WireReport, links: ReportLinks): Text {
  const { convergedMs, observedMs, awayMs, suspendedMs, unconfirmedMs } = figures;
  const [away = '', suspended = '', unconfirmed = ''] = writeParts(
    [awayMs, suspendedMs, unconfirmedMs],
    convergedMs,
    observedMs,
  );
  const rest = [
    { ms: awayMs, text: away, href: links.spans(awayVerdicts), words: ' it was not' },
    { ms: suspendedMs, text: suspended, href: links.spans(['suspended']), words: ' that was switched off on purpose' },
    {
      ms: unconfirmedMs,
      text: unconfirmed,
      href: links.spans(['unconfirmed']),
      words: ' nothing proved it either way',
    },
  ].filter(({ ms }) => ms > 0);
  return [
    plain('For '),
    weighty(writeShare(figures.convergedShare), links.spans(['converged'])),
    plain(' of the time that could be observed, what was in git was what was running.'),
    ...rest.flatMap(({ text, href, words }, index) => [
      plain(index === 0 ? ' For ' : index === rest.length - 1 ? ', and for ' : ', for '),
      weighty(text, href),
      plain(words),
    ]),
    ...(rest.length === 0 ? [] : [plain('.')]),
  ];
}

function observedText({ figures, notSeen }: WireReport): Text {
  const [most] = notSeen;
  if (most === undefined) return [plain('All of the time was observed.')];
  const where = notSeen.length === 1 ? 'All that was not' : 'Most of what was not';
  const [gap] = most.gaps;
  const why = gap === undefined ? '' : `, ${gap.kind === null ? 'the cluster' : gap.kind} was ${gap.state}`;
  return [
    weighty(writeShare(figures.observedShare), '#not-seen'),
    plain(
      ` of the time could be observed. ${where} lies on ${most.cluster}: ${formatDuration(most.unobservedMs)} of object time${why}.`,
    ),
  ];
}

function incidentText({ figures: { incidents } }: WireReport, links: ReportLinks): Text {
  const { opened, closed, open, toConverge } = incidents;
  if (opened + closed + open === 0) return [plain('Nothing left what git says.')];
  const times = opened === 1 ? ' something left what git says' : ' times something left what git says';
  const half = toConverge.medianMs === null ? '' : writeLength(toConverge.medianMs);
  const middle = toConverge.count === 1 ? ', after ' : ', half of them within ';
  return [
    ...(opened === 0
      ? [plain('Nothing more left what git says')]
      : [weighty(opened === 1 ? 'Once' : formatCount(opened), links.incidents), plain(times)]),
    ...(closed === 0
      ? [plain('; nothing came back to it')]
      : [
          plain('; '),
          weighty(formatCount(closed), links.incidents),
          plain(` came back to it${half === '' ? '' : middle}`),
          ...(half === '' ? [] : [weighty(half, '#distribution')]),
        ]),
    ...(open === 0
      ? []
      : [
          plain('; '),
          weighty(formatCount(open), links.incidents),
          plain(` ${open === 1 ? 'lasts' : 'last'} at the end`),
        ]),
    plain('.'),
  ];
}

function overdueText(report: WireReport, links: ReportLinks): Text {
  const deadline = formatDuration(report.alarmWithinMs);
  if (report.figures.overdueMs === 0)
    return [plain(`Nothing was away for longer than ${deadline}, so no alarm was due.`)];
  return [
    plain('For '),
    weighty(formatDuration(report.figures.overdueMs), links.incidents),
    plain(
      ` of object time something was away for longer than ${deadline}, when an alarm should sound. Whether one did cannot be said: ${silentText(report.figures)}.`,
    ),
  ];
}

/** Which objects a report is about: "all clusters", "2 clusters: eu-west-3, us-east-1", "9 clusters with environment=production". */
export function scopeText({ scope }: WireReport): string {
  const many = scope.clusters === null ? 'all clusters' : countOf(scope.clusters.length, 'cluster');
  const label = scope.label === '' ? '' : ` with ${scope.label.split(',').join(' and ')}`;
  const named =
    scope.clusters === null || scope.label !== '' || scope.clusters.length > 6 ? '' : `: ${scope.clusters.join(', ')}`;
  const kind = scope.kind === '' ? '' : `, ${scope.kind} only`;
  return `${many}${label}${named}${kind}`;
}
