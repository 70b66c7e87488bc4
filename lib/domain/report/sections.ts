import type { WireReport, WireReportIncident } from '../../api/report.ts';
import { objectPath } from '../../api/paths.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { shortRevision } from '../../format/revision.ts';
import { formatDay, shortTime } from '../../format/time.ts';
import type { ObjectRef } from '../ref.ts';
import type { Verdict } from '../verdict.ts';
import { amountsOf, partOf } from './amounts.ts';
import type { Cell, DocumentSection, DocumentTable } from './document.ts';
import { lastedText } from './figure-table.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { writeAmount, writeShare } from './write-figure.ts';

/** "checkout on eu-west-3", leading to its page. */
function objectCell(ref: ObjectRef, verdict?: Verdict): Cell {
  const text = `${ref.name} on ${ref.cluster}`;
  return { text, href: objectPath(ref), ...(verdict === undefined ? {} : { verdict }) };
}

/** The verdicts that take time from the converged, as they stand in the chart of days from bottom to top. */
export function chartedVerdicts(days: WireReport['days']): readonly Verdict[] {
  const all: readonly Verdict[] = [...awayVerdicts, 'suspended', 'unconfirmed'];
  return all.filter((verdict) => days.some(({ shares }) => shares[verdict] > 0));
}

/** Share not converged per day, of what was observed. */
export function daySection({ days }: WireReport): DocumentSection {
  const shown = chartedVerdicts(days);
  return {
    id: 'days',
    title: 'Share of object time not converged',
    note: 'per UTC day, of what was observed',
    picture: 'days',
    table: {
      columns: [
        { title: 'Day' },
        { title: 'Observed', right: true },
        { title: 'Not converged', right: true },
        ...shown.map((verdict) => ({ title: verdict, right: true as const })),
      ],
      rows: days.map(({ day, shares }) => {
        const { existed, observed, converged } = amountsOf(shares);
        const unseen = existed === 0 ? 'nothing there' : 'cannot be said';
        const of = (ms: number): string => (observed === 0 ? unseen : writeShare(ms / observed));
        return [
          { text: formatDay(Date.parse(day)) },
          { text: existed === 0 ? unseen : writeShare(observed / existed) },
          { text: of(observed - converged) },
          ...shown.map((verdict) => ({ text: observed === 0 ? '' : of(shares[verdict]) })),
        ];
      }),
      none: '',
      more: '',
    },
  };
}

function endText({ closedAt, ended }: WireReportIncident): string {
  if (closedAt === null) return 'still away at the end';
  switch (ended) {
    case 'converged':
    case null:
      return `converged ${shortTime(Date.parse(closedAt))}`;
    case 'removed':
      return `removed ${shortTime(Date.parse(closedAt))}`;
    case 'forgotten':
      return 'its cluster is not watched any more';
  }
}

/** The longest incidents. */
export function incidentSection({ incidents, figures }: WireReport, links: ReportLinks): DocumentSection {
  return {
    id: 'incidents',
    title: 'Incidents',
    note: `the longest ${incidents.length === 0 ? '' : `${formatCount(incidents.length)} `}first; from leaving what git says to being back for good`,
    picture: null,
    table: {
      columns: [
        { title: 'Began (UTC)' },
        { title: 'What' },
        { title: 'Because' },
        { title: 'Lasted', right: true },
        { title: 'Ended' },
      ],
      rows: incidents.map((incident) => [
        { text: `${incident.bound === 'at-least' ? 'before ' : ''}${shortTime(Date.parse(incident.openedAt))}` },
        objectCell(incident.ref, incident.worst),
        becauseCell(incident),
        { text: lastedText(incident), href: links.incidents },
        { text: endText(incident) },
      ]),
      none: 'None.',
      more:
        incidents.length < figures.incidents.opened
          ? `${countOf(figures.incidents.opened, 'incident')} began in all`
          : '',
    },
  };
}

function becauseCell({ reason, rootCause, firstBad, worst }: WireReportIncident): Cell {
  if (rootCause !== null) return { text: rootCause.title, href: rootCause.href };
  const at = firstBad === null ? '' : ` at ${shortRevision(firstBad)}`;
  return { text: `${reason === '' ? worst : reason}${at}` };
}

/** Who was away from git longest. */
export function offenderSection({ offenders }: WireReport): DocumentSection {
  return {
    id: 'offenders',
    title: 'Most time away from git',
    note: 'observed',
    picture: null,
    table: {
      columns: [
        { title: 'Object' },
        { title: 'Time', right: true },
        { title: 'Times', right: true },
        { title: 'Undone', right: true },
      ],
      rows: offenders.map(({ ref, awayMs, incidents, corrections }) => [
        objectCell(ref),
        { text: writeAmount(awayMs) },
        { text: formatCount(incidents) },
        { text: formatCount(corrections) },
      ]),
      none: 'None was away.',
      more: '',
    },
  };
}

const handText = (by: string | null): string => by ?? 'nobody is named';

/** What was suspended, by whom. */
export function suspensionSection({ suspensions, figures }: WireReport, links: ReportLinks): DocumentSection {
  const { longest, byWhom, complete } = suspensions;
  const hands = byWhom.map(({ by, observedMs }) => `${handText(by)} ${writeAmount(observedMs)}`).join(', ');
  return {
    id: 'suspensions',
    title: 'Switched off on purpose',
    note: byWhom.length === 0 ? '' : `${complete ? '' : 'of the longest: '}${hands}`,
    picture: null,
    table: {
      columns: [{ title: 'Object' }, { title: 'By' }, { title: 'Since (UTC)' }, { title: 'Time', right: true }],
      rows: longest.map(({ ref, by, from, observedMs }) => [
        objectCell(ref),
        { text: handText(by) },
        { text: shortTime(Date.parse(from)) },
        { text: writeAmount(observedMs), href: links.spans(['suspended']) },
      ]),
      none: 'Nothing was.',
      more: longest.length === 0 ? '' : `${writeAmount(figures.suspendedMs)} in all`,
    },
  };
}

/** How long it took to converge. */
export function distributionSection({ distribution, figures }: WireReport, links: ReportLinks): DocumentSection {
  const { toConverge, toConvergeAtLeast, open } = figures.incidents;
  return {
    id: 'distribution',
    title: 'Time to converge',
    note: [
      `${countOf(toConverge.count, 'incident')} that ended by converging`,
      ...(toConvergeAtLeast === 0 ? [] : [`${formatCount(toConvergeAtLeast)} of them lasted at least so long`]),
    ].join('; '),
    picture: 'distribution',
    table: {
      columns: [{ title: 'It took' }, { title: 'Incidents', right: true }],
      rows: [
        ...distribution.map(({ fromMs, toMs, count }) => [
          { text: barText(fromMs, toMs) },
          { text: formatCount(count) },
        ]),
        [
          { text: 'still away at the end' },
          { text: formatCount(open), ...(open === 0 ? {} : { href: links.incidents }) },
        ],
      ],
      none: '',
      more: '',
    },
  };
}

/** "under 5 min", "15 min to 1 h", "1 d and more". */
export function barText(fromMs: number, toMs: number | null): string {
  if (toMs === null) return `${formatDuration(fromMs)} and more`;
  return fromMs === 0 ? `under ${formatDuration(toMs)}` : `${formatDuration(fromMs)} to ${formatDuration(toMs)}`;
}

/** How many clusters and kinds are listed where a report is read; files list all of them. */
const partsShown = 20;

type Parts = readonly { readonly cell: Cell; readonly shares: WireReport['figures']['shares'] }[];

function partTable(title: string, parts: Parts): DocumentTable {
  return {
    columns: [
      { title },
      { title: 'Converged', right: true },
      { title: 'Observed', right: true },
      { title: 'Object time not observed', right: true },
    ],
    rows: parts.slice(0, partsShown).map(({ cell, shares }) => {
      const { existed, observed, converged } = amountsOf(shares);
      return [
        cell,
        { text: writeShare(partOf(converged, observed)) },
        { text: writeShare(partOf(observed, existed)) },
        { text: writeAmount(shares.unobserved) },
      ];
    }),
    none: 'None.',
    more: parts.length > partsShown ? `and ${formatCount(parts.length - partsShown)} better ones, in CSV and JSON` : '',
  };
}

/** Share converged and observed, per cluster and per kind. */
export function partSections({ clusters, kinds }: WireReport, links: ReportLinks): readonly DocumentSection[] {
  const note = 'lowest share converged first';
  const byCluster = clusters.map(({ cluster, shares }) => ({
    cell: { text: cluster, href: links.narrowed({ cluster }) },
    shares,
  }));
  const byKind = kinds.map(({ group, kind, shares }) => ({
    cell: { text: group === '' ? kind : `${kind} (${group})`, href: links.narrowed({ group: group || '-', kind }) },
    shares,
  }));
  return [
    { id: 'clusters', title: 'By cluster', note, picture: null, table: partTable('Cluster', byCluster) },
    { id: 'kinds', title: 'By kind', note, picture: null, table: partTable('Kind', byKind) },
  ];
}

/** Where nobody was looking. */
export function notSeenSection({ notSeen, figures, clusters }: WireReport, links: ReportLinks): DocumentSection {
  const told = notSeen.reduce((sum, { unobservedMs }) => sum + unobservedMs, 0);
  const rest = figures.shares.unobserved - told;
  const others = clusters.filter(({ shares }) => shares.unobserved > 0).length - notSeen.length;
  return {
    id: 'not-seen',
    title: 'What was not seen',
    note: 'object time, and the longest times in which a cluster or a kind was not being observed',
    picture: null,
    table: {
      columns: [{ title: 'Cluster' }, { title: 'Object time', right: true }, { title: 'When (UTC)' }],
      rows: notSeen.map(({ cluster, unobservedMs, gaps }) => [
        { text: cluster, href: links.history(cluster) },
        { text: writeAmount(unobservedMs) },
        { text: gaps.map(gapText).join('; ') },
      ]),
      none: figures.observedMs === 0 ? 'Nothing is recorded.' : 'All of it was.',
      more: others > 0 ? `and ${countOf(others, 'more cluster')}: ${writeAmount(rest)}` : '',
    },
  };
}

function gapText({ kind, from, to, state, reason }: WireReport['notSeen'][number]['gaps'][number]): string {
  const end = to === null ? 'the end' : shortTime(Date.parse(to));
  const why = reason === null ? state : `${state}: ${reason}`;
  return `${shortTime(Date.parse(from))} to ${end}, ${kind === null ? '' : `${kind} `}${why}`;
}
