import type { WireReport } from '../../api/report.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { shortTime } from '../../format/time.ts';
import { amountsOf, partOf } from './amounts.ts';
import type { Cell, DocumentSection, DocumentTable } from './document.ts';
import type { ReportLinks } from './links.ts';
import { writeAmount, writeShare } from './write-figure.ts';

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
