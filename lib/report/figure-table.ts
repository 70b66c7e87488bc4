import type { WireReport } from '../api/report.ts';
import { formatDuration } from '../format/duration.ts';
import { formatCount } from '../format/number.ts';
import { figureColumns, sectionOf, type Cell, type DocumentSection, type SummaryFigure } from './document.ts';
import { wasText } from './direction.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { compareIn, measures, silentText, verdictTime, writeLength, writeShare, type Measure } from './write-figure.ts';

/** The four figures at the head of a report. */
export function summaryFigures(report: WireReport, links: ReportLinks): readonly SummaryFigure[] {
  const { figures } = report;
  const head = (label: string, meaning: string, measure: Measure, href: string, note = ''): SummaryFigure => {
    const compared = compareIn(report, measure);
    return { label, value: compared.now, meaning, note: [note, wasText(compared)].filter(Boolean).join('; '), href };
  };
  const { wall, arrivals } = figures;
  return [
    head(
      'Something away from git',
      'on the clock: while at least one object anywhere was not as in git',
      measures.fleetAway,
      links.incidents,
      wall.awayMs === 0 ? '' : `${writeShare(wall.awayShare)} of the period`,
    ),
    head(
      'A cluster away, median',
      'half of the clusters had something away for no longer than this',
      measures.medianCluster,
      '#clusters',
      wall.clusters.observed === 0
        ? ''
        : `${formatCount(wall.clusters.neverAway)} of ${formatCount(wall.clusters.observed)} never seen away`,
    ),
    head(
      'Object time converged',
      'every object counted alike: what was in git was running',
      measures.converged,
      links.spans(['converged']),
      `${writeShare(figures.observedShare)} observed`,
    ),
    head(
      'From commit to running',
      'from a cluster offering a commit to all of it running there',
      measures.arrivalMedian,
      links.arrivals,
      arrivals.count === 0 ? '' : 'median',
    ),
  ];
}

/** Every figure of a report, each beside that of the period before, each leading to what it is made of. */
export function figureSection(report: WireReport, links: ReportLinks): DocumentSection {
  const row = (label: string, measure: Measure, href?: string): readonly Cell[] => {
    const { now, before, direction } = compareIn(report, measure);
    const none = measure.read(report.figures) === 0 || measure.read(report.figures) === null;
    return [
      { text: label },
      href === undefined || none ? { text: now } : { text: now, href },
      { text: before ?? 'no record' },
      { text: direction ?? '' },
    ];
  };
  const { incidents, corrections, changes } = links;
  return sectionOf({
    id: 'figures',
    title: 'All figures',
    note: 'what each means, exactly: docs/reports.md',
    columns: [
      { title: 'Figure' },
      ...figureColumns('This period', `Before${report.before === null ? '' : `: ${report.before.name}`}`),
      { title: 'Direction' },
    ],
    rows: [
      row('Time that something was away from git', measures.fleetAway, links.incidents),
      row('   as a share of the period', measures.fleetAwayShare, links.incidents),
      row('Time that a cluster was observed', measures.fleetObserved, '#not-seen'),
      row('Time that a cluster had something away, median', measures.medianCluster, '#clusters'),
      row('Clusters never away', measures.neverAway, '#clusters'),
      row('Share of observed object time converged', measures.converged, links.spans(['converged'])),
      row('Share of object time observed', measures.observed, '#not-seen'),
      row('Objects', measures.objects, '#kinds'),
      ...(report.figures.declared + (report.before?.figures.declared ?? 0) === 0
        ? []
        : [row('Declared stacks, never observed', measures.declared)]),
      row('Object time away from git', measures.away, links.spans(awayVerdicts)),
      ...awayVerdicts
        .filter((verdict) => report.figures.shares[verdict] > 0 || (report.before?.figures.shares[verdict] ?? 0) > 0)
        .map((verdict) => row(`   of it ${verdict}`, verdictTime(verdict), links.spans([verdict]))),
      row('Object time switched off on purpose', measures.suspended, links.spans(['suspended'])),
      row('Object time neither proven nor disproven', measures.unconfirmed, links.spans(['unconfirmed'])),
      row('Times that an object left git', measures.opened, incidents),
      row('Still away from before the period', measures.openAtStart, incidents),
      row('Times that one came back', measures.closed, incidents),
      row('   of them left before the period', measures.closedFromBefore, incidents),
      row('Removed while away, or not watched any more', measures.gone, incidents),
      row('Still away at the end', measures.open, incidents),
      row('Time to notice, median', measures.noticeMedian, incidents),
      row('Time to notice, 95 of 100', measures.noticeP95, incidents),
      row('Time to converge, median', measures.convergeMedian, '#distribution'),
      row('Time to converge, 95 of 100', measures.convergeP95, '#distribution'),
      longestRow(report, links),
      row(`Object time away past ${formatDuration(report.alarmWithinMs)}`, measures.overdue, incidents),
      [
        { text: '   of it with nobody called' },
        { text: report.figures.overdueMs === 0 ? 'none' : `cannot be said: ${silentText(report.figures)}` },
        { text: '' },
        { text: '' },
      ],
      row('Commits that arrived on a cluster', measures.arrived, links.arrivals),
      row('From commit to running, median', measures.arrivalMedian, links.arrivals),
      row('From commit to running, 95 of 100', measures.arrivalP95, links.arrivals),
      row('Drift found and undone, at least', measures.confirmed, corrections),
      row('   probably', measures.probable, corrections),
      row('   contested: it came back', measures.contested, corrections),
      row('Weakenings of the guarantee added', measures.exemptionsOpened, changes),
      row('Weakenings taken away', measures.exemptionsClosed, changes),
      row('Times that something was switched off', measures.switchedOff, changes),
      row('Times that something was switched on again', measures.resumed, changes),
    ],
  });
}

/** The time away of one object that took most of the period; "at least" where it lasts, or began before Plumbline looked. */
function longestRow({ incidents }: WireReport, links: ReportLinks): readonly Cell[] {
  const [longest] = incidents;
  const text = longest === undefined ? 'none' : lastedText(longest);
  return [
    { text: 'Longest time away of one object' },
    longest === undefined ? { text } : { text, href: links.incidents },
    { text: '' },
    { text: '' },
  ];
}

/** "5 h 48 min", "at least 3 d 2 h" where it lasted beyond the period or began before it was seen. */
export function lastedText({ lastedMs, closedAt, bound }: WireReport['incidents'][number]): string {
  const least = closedAt === null || bound === 'at-least' ? 'at least ' : '';
  return `${least}${writeLength(lastedMs)}`;
}
