import type { WireReport } from '../api/report.ts';
import { countOf, formatCount } from '../format/number.ts';
import { shortTime } from '../format/time.ts';
import { lastMoment } from '../domain/time/report-period.ts';
import { amountsOf, partOf } from './figures.ts';
import { figureColumns, sectionOf, type Cell, type DocumentSection } from './document.ts';
import type { ReportLinks } from './links.ts';
import { writeAmount, writeObjectTime, writeShare } from './write-figure.ts';

/** Number of clusters and kinds that are listed where a report is read; files list all of them. */
const partsShown = 20;
const clustersShown = 10;

/** Time each cluster had anything away, by the wall clock, the longest first; clusters that were never observed stand before them. */
export function clusterSection({ clusters, period }: WireReport, links: ReportLinks): DocumentSection {
  const unseen = clusters.filter(({ wall }) => wall.observedMs === 0);
  const longest = clusters.filter(({ wall }) => wall.observedMs > 0).toSorted((a, b) => b.wall.awayMs - a.wall.awayMs);
  return sectionOf({
    id: 'clusters',
    title: 'Clusters',
    note: `how long each had at least one object away from git, ${unseen.length === 0 ? '' : 'never observed first, then '}longest first`,
    columns: [
      { title: 'Cluster' },
      ...figureColumns('Something away', 'Of the period', 'Observed', 'Object time converged'),
    ],
    rows: [...unseen.slice(0, clustersShown), ...longest.slice(0, clustersShown)].map(({ cluster, wall, shares }) => {
      const { observed, converged } = amountsOf(shares);
      return [
        { text: cluster, href: links.narrowed({ cluster }) },
        ...wallCells(wall, period.ofMs),
        { text: writeShare(partOf(converged, observed)) },
      ];
    }),
    none: 'None.',
    more: { text: moreClusters(unseen.length - clustersShown, longest.length - clustersShown) },
  });
}

/** Number of clusters that are not listed; of those observed none was seen away for longer than any listed. */
function moreClusters(unseen: number, observed: number): string {
  const listed = [
    ...(unseen > 0 ? [`${countOf(unseen, 'more cluster')} never observed`] : []),
    ...(observed > 0 ? [`${countOf(observed, 'more cluster')} seen away for no longer`] : []),
  ];
  return listed.length === 0 ? '' : `and ${listed.join(', ')}, in CSV and JSON`;
}

/** Away, its share of the period, and observed. */
function wallCells({ awayMs, observedMs }: WireReport['clusters'][number]['wall'], ofMs: number): readonly Cell[] {
  const unseen = observedMs === 0;
  return [
    { text: writeAmount(unseen ? null : awayMs) },
    { text: unseen ? '' : writeShare(awayMs / ofMs) },
    { text: writeAmount(observedMs) },
  ];
}

/** The applications that were away longest, by the wall clock, over all clusters. */
export function applicationSection({ applications, period }: WireReport, links: ReportLinks): DocumentSection {
  return sectionOf({
    id: 'applications',
    title: 'Applications',
    note: 'how long each was away from git on at least one cluster, longest first',
    columns: [{ title: 'Application' }, ...figureColumns('Clusters', 'Away somewhere', 'Of the period', 'Observed')],
    rows: applications.map(({ group, kind, name, clusters, wall }) => [
      { text: `${name} (${kind})`, href: links.absencesNamed({ group, kind, name }) },
      { text: formatCount(clusters) },
      ...wallCells(wall, period.ofMs),
    ]),
    none: 'None was seen away.',
  });
}

/** Share converged and observed, per kind. */
export function kindSection({ kinds }: WireReport, links: ReportLinks): DocumentSection {
  return sectionOf({
    id: 'kinds',
    title: 'By kind',
    note: 'object time, lowest share converged first',
    columns: [{ title: 'Kind' }, ...figureColumns('Converged', 'Observed', 'Not observed')],
    rows: kinds.slice(0, partsShown).map(({ group, kind, shares }) => {
      const { existed, observed, converged } = amountsOf(shares);
      return [
        { text: group === '' ? kind : `${kind} (${group})`, href: links.narrowed({ group: group || '-', kind }) },
        { text: writeShare(partOf(converged, observed)) },
        { text: writeShare(partOf(observed, existed)) },
        { text: writeObjectTime(shares.unobserved) },
      ];
    }),
    none: 'None.',
    more: {
      text: kinds.length > partsShown ? `and ${countOf(kinds.length - partsShown, 'more kind')}, in CSV and JSON` : '',
    },
  });
}

/** Where nobody was looking. */
export function notSeenSection(
  { notSeen, figures, clusters, period }: WireReport,
  links: ReportLinks,
): DocumentSection {
  const listed = notSeen.reduce((sum, { unobservedMs }) => sum + unobservedMs, 0);
  const rest = figures.shares.unobserved - listed;
  const others = clusters.filter(({ shares }) => shares.unobserved > 0).length - notSeen.length;
  return sectionOf({
    id: 'not-seen',
    title: 'What was not seen',
    note: 'object-hours, and the longest times in which a cluster or a kind was not being observed',
    columns: [{ title: 'Cluster' }, ...figureColumns('Object time'), { title: 'When (UTC)' }],
    rows: notSeen.map(({ cluster, unobservedMs, gaps }) => [
      { text: cluster, href: links.history(cluster) },
      { text: writeObjectTime(unobservedMs) },
      { text: gaps.map((gap) => gapText(gap, lastMoment(period))).join('; ') },
    ]),
    none: figures.observedMs === 0 ? 'Nothing is recorded.' : 'All of it was.',
    more: { text: others > 0 ? `and ${countOf(others, 'more cluster')}: ${writeObjectTime(rest)}` : '' },
  });
}

function gapText(
  { kind, from, to, state, reason }: WireReport['notSeen'][number]['gaps'][number],
  last: number,
): string {
  const end = to === null ? 'the end' : shortTime(Date.parse(to), last);
  const why = reason === null ? state : `${state}: ${reason}`;
  return `${shortTime(Date.parse(from), last)} to ${end}, ${kind === null ? '' : `${kind} `}${why}`;
}
