import type { WireNamedSuspect } from '../api/git/named-suspect.ts';
import { incidentPath } from '../api/paths.ts';
import type { WireReport, WireReportIncident } from '../api/report.ts';
import { shortCommit } from '../domain/observation/revision.ts';
import { rangeText } from '../domain/record/commit-range-text.ts';
import { lastMoment } from '../domain/time/report-period.ts';
import { formatCount, countOf } from '../format/number.ts';
import { shortTime } from '../format/time.ts';
import { verdictMeaning } from '../format/verdict-label.ts';
import { figureColumns, sectionOf, type Cell, type DocumentSection } from './document.ts';
import { incidentTotal, reachText } from './clauses/incident-clauses.ts';
import type { ReportLinks } from './links.ts';
import { writeLength, writeObjectTime } from './write-figure.ts';

/** The incidents with most reach times time in the period. */
export function worstSection(
  { incidents: { worst }, figures, period }: WireReport,
  links: ReportLinks,
): DocumentSection {
  return sectionOf({
    id: 'worst',
    title: 'The worst incidents',
    note: 'by how many objects were away, or out of sight with their cluster, and for how long',
    columns: [
      { title: 'What failed' },
      { title: 'Because' },
      { title: 'Began (UTC)' },
      { title: 'At its worst' },
      ...figureColumns('Lasted', 'Object time'),
    ],
    rows: worst.map((incident) => [
      ...whatCells(incident),
      beganCell(incident, lastMoment(period)),
      { text: reachText(incident.most) },
      { text: lastedText(incident) },
      { text: writeObjectTime(incident.objectTimeMs) },
    ]),
    none: 'None was seen.',
    more: moreOf(worst, figures, 'worst', links.incidents),
  });
}

/** The incidents that took most of the period. */
export function longestSection(
  { incidents: { longest }, figures, period }: WireReport,
  links: ReportLinks,
): DocumentSection {
  const end = lastMoment(period);
  return sectionOf({
    id: 'incidents',
    title: 'Longest incidents',
    note: 'from the first object away to the last one back for good',
    columns: [
      { title: 'What failed' },
      { title: 'Because' },
      { title: 'Began (UTC)' },
      { title: 'At its worst' },
      ...figureColumns('Lasted'),
      { title: 'Ended' },
    ],
    rows: longest.map((incident) => [
      ...whatCells(incident),
      beganCell(incident, end),
      { text: reachText(incident.most) },
      { text: lastedText(incident) },
      { text: endText(incident, end) },
    ]),
    none: 'None was seen.',
    more: moreOf(longest, figures, 'longest', links.longestIncidents),
  });
}

function moreOf(
  listed: readonly WireReportIncident[],
  { incidents }: WireReport['figures'],
  which: string,
  href: string,
): Pick<Cell, 'text' | 'href'> {
  const total = incidents === null ? 0 : incidentTotal(incidents);
  if (listed.length >= total) return { text: '' };
  return { text: `the ${formatCount(listed.length)} ${which} of ${countOf(total, 'incident')}`, href };
}

/** The cause in words, leading to the incident, and why; with the range of commits where there is one. */
function whatCells({ id, title, worst, reason, range, suspect, returns }: WireReportIncident): readonly Cell[] {
  const why = reason === '' ? verdictMeaning[worst].replace(/\.$/, '') : reason;
  return [
    { text: title, href: incidentPath(id), verdict: worst },
    {
      text: [
        range === null ? why : `${why}: ${rangeText(range)}`,
        ...suspectTexts(suspect),
        ...(returns === 0 ? [] : [`came back ${returns === 1 ? 'once' : `${formatCount(returns)} times`}`]),
      ].join('; '),
    },
  ];
}

/** "suspect: 9f31c07 checkout: split the ingress, Ines Duarte, #12, owned by @acme/payments" */
function suspectTexts(suspect: WireReportIncident['suspect']): readonly string[] {
  switch (suspect?.type) {
    case 'culprit':
      return suspect.commit === null ? [] : [culpritText(suspect.commit, suspect.owners ?? [])];
    case 'suspects':
      return ['several commits, or one with a doubt, may be it'];
    case 'none':
      return suspect.sentence.endsWith('git did not change it.') ? ['git did not change it'] : [];
    case 'not-looked-at':
      return ['suspects not looked at'];
    case 'not-told':
    case undefined:
      return [];
  }
}

function culpritText(
  { sha, subject, author, pullRequest }: NonNullable<WireNamedSuspect['commit']>,
  owners: readonly string[],
): string {
  const words = [
    `${shortCommit(sha)} ${subject}`.trim(),
    author,
    pullRequest === null ? '' : `#${pullRequest.number}`,
    owners.length === 0 ? '' : `owned by ${owners.join(' ')}`,
  ];
  return `suspect: ${words.filter((word) => word !== '').join(', ')}`;
}

function beganCell({ openedAt, bound }: WireReportIncident, end: number): Cell {
  return { text: `${bound === 'at-least' ? 'before ' : ''}${shortTime(Date.parse(openedAt), end)}` };
}

/** "5 h 48 min", "at least 3 d 2 h" where it lasted beyond the period or began before it was seen. */
function lastedText({ lastedMs, closedAt, bound }: WireReportIncident): string {
  const least = closedAt === null || bound === 'at-least' ? 'at least ' : '';
  return `${least}${writeLength(lastedMs)}`;
}

function endText({ closedAt, ended }: WireReportIncident, end: number): string {
  if (closedAt === null) return 'still open at the end';
  const at = shortTime(Date.parse(closedAt), end);
  switch (ended) {
    case 'converged':
    case null:
      return `converged ${at}`;
    case 'seen':
      return `seen again ${at}`;
    case 'suspended':
      return `suspended ${at}`;
    case 'removed':
      return `removed ${at}`;
    case 'forgotten':
      return 'not watched any more';
    case 'moved':
      return `part of another from ${at} on`;
  }
}
