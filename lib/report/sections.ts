import type { WireReport } from '../api/report.ts';
import { objectPath } from '../api/paths.ts';
import { formatDuration } from '../format/duration.ts';
import { countOf, formatCount } from '../format/number.ts';
import { formatDay } from '../format/time.ts';
import { lastMoment } from '../domain/time/report-period.ts';
import type { ObjectRef } from '../domain/observation/ref.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';
import { amountsOf } from './figures.ts';
import { figureColumns, sectionOf, type Cell, type DocumentSection } from './document.ts';
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
    rows: offenders.map(({ ref, awayMs, absences, corrections }) => [
      objectCell(ref),
      { text: writeAmount(awayMs), href: links.history(ref) },
      counted(absences, links.absencesOf(ref)),
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

/** Bars of the time that incidents took until they closed, and of those still open, which are told apart. */
export function convergeBars({
  distribution,
  figures: { incidents },
}: Pick<WireReport, 'distribution' | 'figures'>): readonly {
  readonly text: string;
  readonly count: number;
  readonly open: boolean;
}[] {
  const open = { text: 'still open at the end', count: incidents?.open ?? 0, open: true };
  return [
    ...distribution.map(({ fromMs, toMs, count }) => ({ text: barText(fromMs, toMs), count, open: false })),
    ...(incidents === null ? [] : [open]),
  ];
}

/** Times that incidents took to converge. */
export function distributionSection(report: WireReport, links: ReportLinks): DocumentSection {
  const { toConverge, toConvergeAtLeast } = report.figures.incidents ?? {
    toConverge: { count: 0 },
    toConvergeAtLeast: 0,
  };
  return sectionOf({
    id: 'distribution',
    title: 'Time to converge',
    note: [
      `${countOf(toConverge.count, 'incident')} that closed`,
      ...(toConvergeAtLeast === 0 ? [] : [`${formatCount(toConvergeAtLeast)} of them lasted at least so long`]),
    ].join('; '),
    picture: 'distribution',
    columns: [{ title: 'It took' }, ...figureColumns('Incidents')],
    rows: convergeBars(report).map(({ text, count }) => [{ text }, counted(count, links.longestIncidents)]),
  });
}

/** "under 5 min", "15 min to 1 h", "1 d and more". */
function barText(fromMs: number, toMs: number | null): string {
  if (toMs === null) return `${formatDuration(fromMs)} and more`;
  return fromMs === 0 ? `under ${formatDuration(toMs)}` : `${formatDuration(fromMs)} to ${formatDuration(toMs)}`;
}
