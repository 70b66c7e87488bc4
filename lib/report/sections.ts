import type { WireReport, WireReportIncident } from '../api/report.ts';
import { objectPath } from '../api/paths.ts';
import { formatDuration } from '../format/duration.ts';
import { countOf, formatCount } from '../format/number.ts';
import { formatDay, shortTime } from '../format/time.ts';
import { lastMoment } from '../domain/time/report-period.ts';
import { rangeText } from '../domain/record/commit-range-text.ts';
import type { ObjectRef } from '../domain/observation/ref.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';
import { amountsOf } from './figures.ts';
import { figureColumns, sectionOf, type Cell, type DocumentSection } from './document.ts';
import { lastedText } from './figure-table.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { writeAmount, writeObjectTime, writeParts, writeShare } from './write-figure.ts';

/** "checkout on eu-west-3", leading to its page. */
function objectCell(ref: ObjectRef, verdict?: Verdict): Cell {
  const text = `${ref.name} on ${ref.cluster}`;
  return { text, href: objectPath(ref), ...(verdict === undefined ? {} : { verdict }) };
}

/**
 * The verdicts of the chart of days, from bottom to top: those that are away. What was switched off or not confirmed is told in words and
 * in the table, for a day of it is taller than every failure.
 */
export function chartedVerdicts(days: WireReport['days']): readonly Verdict[] {
  return awayVerdicts.filter((verdict) => days.some(({ shares }) => shares[verdict] > 0));
}

function notDrawn({ suspendedMs, unconfirmedMs, observedMs }: WireReport['figures']): string {
  const parts = [
    { ms: suspendedMs, words: 'switched off' },
    { ms: unconfirmedMs, words: 'unconfirmed' },
  ].filter(({ ms }) => ms > 0);
  const notDrawn = parts.map(({ ms, words }) => `${writeShare(ms / observedMs)} ${words}`).join(' and ');
  return notDrawn === '' ? '' : `; not drawn: ${notDrawn}`;
}

/** Share of object time away per day, of what was observed. */
export function daySection({ days, figures, period }: WireReport): DocumentSection {
  const others: readonly Verdict[] = ['suspended', 'unconfirmed'];
  const shown = [...chartedVerdicts(days), ...others.filter((verdict) => figures.shares[verdict] > 0)];
  return sectionOf({
    id: 'days',
    title: 'Share of object time away from git',
    note: `per UTC day, of what was observed${notDrawn(figures)}`,
    picture: 'days',
    columns: [{ title: 'Day' }, ...figureColumns('Observed', 'Not converged', ...shown)],
    rows: days.map(({ day, shares }) => {
      const { existed, observed, converged } = amountsOf(shares);
      const unseen = existed === 0 ? 'nothing there' : 'cannot be said';
      const parts = shown.map((verdict) => shares[verdict]);
      return [
        { text: formatDay(Date.parse(day), lastMoment(period)) },
        { text: existed === 0 ? unseen : writeShare(observed / existed) },
        { text: observed === 0 ? unseen : writeShare(1 - converged / observed) },
        ...(observed === 0 ? parts.map(() => '') : writeParts(parts, converged, observed)).map((text) => ({ text })),
      ];
    }),
  });
}

function endText({ closedAt, ended }: WireReportIncident, end: number): string {
  if (closedAt === null) return 'still away at the end';
  switch (ended) {
    case 'converged':
    case null:
      return `converged ${shortTime(Date.parse(closedAt), end)}`;
    case 'removed':
      return `removed ${shortTime(Date.parse(closedAt), end)}`;
    case 'forgotten':
      return 'its cluster is not watched any more';
  }
}

/** The longest incidents; those of one cause are one line. */
export function incidentSection({ incidents, figures, period }: WireReport, links: ReportLinks): DocumentSection {
  const alike = [
    ...Map.groupBy(incidents, ({ worst, rootCause, reason }) => JSON.stringify([worst, rootCause, reason])),
  ];
  const total = figures.incidents.opened + figures.incidents.openAtStart;
  const listed = incidents.length < total ? `${formatCount(incidents.length)} longest` : null;
  return sectionOf({
    id: 'incidents',
    title: 'Longest incidents',
    note: `from leaving git to being back for good; ${listed === null ? '' : `of the ${listed}, `}those of one cause are one line`,
    columns: [
      { title: 'Began (UTC)' },
      { title: 'What' },
      { title: 'Because' },
      ...figureColumns('Lasted'),
      { title: 'Ended' },
    ],
    rows: alike.flatMap(([, [first, ...others]]) =>
      first === undefined ? [] : [incidentRow([first, ...others], listed, links, lastMoment(period))],
    ),
    none: 'None was seen.',
    more:
      listed === null
        ? { text: '' }
        : { text: `the ${listed} of ${countOf(total, 'incident')}`, href: links.incidents },
  });
}

/** One incident, and those that had the same cause. `listed`: what the list is of all ("10 longest"); null where it holds all. */
function incidentRow(
  [first, ...others]: readonly [WireReportIncident, ...WireReportIncident[]],
  listed: string | null,
  links: ReportLinks,
  end: number,
): readonly Cell[] {
  const objects = new Set([first, ...others].map(({ ref }) => objectPath(ref)));
  const cell = objectCell(first.ref, first.worst);
  return [
    { text: `${first.bound === 'at-least' ? 'before ' : ''}${shortTime(Date.parse(first.openedAt), end)}` },
    objects.size === 1 ? cell : { ...cell, text: `${cell.text} and ${formatCount(objects.size - 1)} more` },
    becauseCell(first, others, listed, links),
    { text: `${others.length === 0 ? '' : 'longest '}${lastedText(first)}`, href: links.history(first.ref) },
    { text: endText(first, end) },
  ];
}

/** The range of commits is told where it is that of all. */
function becauseCell(
  { reason, rootCause, range, worst }: WireReportIncident,
  others: readonly WireReportIncident[],
  listed: string | null,
  links: ReportLinks,
): Cell {
  const count = others.length + 1;
  const many =
    count === 1 ? '' : `, ${listed === null ? countOf(count, 'incident') : `${formatCount(count)} of the ${listed}`}`;
  if (rootCause !== null) return { text: rootCause.title + many, href: rootCause.href };
  const own = `${reason === '' ? worst : reason}${many}`;
  const ranges = new Set([range, ...others.map((other) => other.range)].map((each) => JSON.stringify(each)));
  const text = range === null || ranges.size > 1 ? own : `${own}: ${rangeText(range)}`;
  return { text, ...(count === 1 ? {} : { href: links.incidents }) };
}

/** A count that leads to what was counted, where anything was. */
function counted(count: number, href: string): Cell {
  return { text: formatCount(count), ...(count === 0 ? {} : { href }) };
}

/** Who was away from git longest. */
export function offenderSection({ offenders }: WireReport, links: ReportLinks): DocumentSection {
  return sectionOf({
    id: 'offenders',
    title: 'Objects away longest',
    note: 'of the time observed',
    columns: [{ title: 'Object' }, ...figureColumns('Time', 'Times', 'Undone')],
    rows: offenders.map(({ ref, awayMs, incidents, corrections }) => [
      objectCell(ref),
      { text: writeAmount(awayMs), href: links.history(ref) },
      counted(incidents, links.incidentsOf(ref)),
      counted(corrections, links.correctionsOf(ref)),
    ]),
    none: 'None was seen away.',
  });
}

const handText = (by: string | null): string => by ?? 'nobody is named';

/** Suspensions, and by whom. */
export function suspensionSection({ suspensions, figures }: WireReport, links: ReportLinks): DocumentSection {
  const { longest, byWhom, complete } = suspensions;
  const hands = byWhom.map(({ by, observedMs }) => `${handText(by)} ${writeObjectTime(observedMs)}`).join(', ');
  return sectionOf({
    id: 'suspensions',
    title: 'Switched off on purpose',
    note: byWhom.length === 0 ? '' : `${complete ? '' : 'of the longest: '}${hands}`,
    columns: [{ title: 'Object' }, { title: 'By' }, ...figureColumns('Time')],
    rows: longest.map(({ ref, by, observedMs }) => [
      objectCell(ref),
      { text: handText(by) },
      { text: writeAmount(observedMs), href: links.history(ref) },
    ]),
    none: 'Nothing was seen switched off.',
    more: { text: longest.length === 0 ? '' : `${writeObjectTime(figures.suspendedMs)} in all, observed` },
  });
}

/** Times that it took to converge. */
export function distributionSection({ distribution, figures }: WireReport, links: ReportLinks): DocumentSection {
  const { toConverge, toConvergeAtLeast, open } = figures.incidents;
  return sectionOf({
    id: 'distribution',
    title: 'Time to converge',
    note: [
      `${countOf(toConverge.count, 'incident')} that ended by converging`,
      ...(toConvergeAtLeast === 0 ? [] : [`${formatCount(toConvergeAtLeast)} of them lasted at least so long`]),
    ].join('; '),
    picture: 'distribution',
    columns: [{ title: 'It took' }, ...figureColumns('Incidents')],
    rows: [
      ...distribution.map(({ fromMs, toMs, count }) => [
        { text: barText(fromMs, toMs) },
        counted(count, links.incidents),
      ]),
      [{ text: 'still away at the end' }, counted(open, links.incidents)],
    ],
  });
}

/** "under 5 min", "15 min to 1 h", "1 d and more". */
export function barText(fromMs: number, toMs: number | null): string {
  if (toMs === null) return `${formatDuration(fromMs)} and more`;
  return fromMs === 0 ? `under ${formatDuration(toMs)}` : `${formatDuration(fromMs)} to ${formatDuration(toMs)}`;
}
