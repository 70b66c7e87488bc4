import type { WireReport } from '../api/report.ts';
import { largeFrom } from '../domain/incident/cause-figures.ts';
import { formatDuration } from '../format/duration.ts';
import { formatCount } from '../format/number.ts';
import { figureColumns, sectionOf, type Cell, type DocumentSection, type SummaryFigure } from './document.ts';
import { wasText } from './direction.ts';
import { incidentTotal } from './clauses/incident-clauses.ts';
import { cannotBeSaid } from './clauses/alarm-clauses.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { compareIn, measures, verdictTime, writeShare, type Measure } from './write-figure.ts';

/** The figures at the head of a report. */
export function summaryFigures(report: WireReport, links: ReportLinks): readonly SummaryFigure[] {
  const { figures } = report;
  const head = (label: string, meaning: string, measure: Measure, href: string, note = ''): SummaryFigure => {
    const compared = compareIn(report, measure);
    return { label, value: compared.now, meaning, note: [note, wasText(compared)].filter(Boolean).join('; '), href };
  };
  const { wall, arrivals, incidents } = figures;
  const some = incidents === null || incidents.large === incidentTotal(incidents);
  return [
    head(
      `Incidents of ${largeFrom} objects or more`,
      'what failed by one cause and took down so many at once',
      measures.largeIncidents,
      links.largeIncidents,
      some ? '' : `of ${formatCount(incidentTotal(incidents))} of any size`,
    ),
    head(
      'Time to notice, median',
      'from the first object of an incident away to Plumbline knowing',
      measures.noticeMedian,
      links.incidents,
    ),
    head(
      'Time to converge, median',
      'from the first object of an incident away to the last one back',
      measures.convergeMedian,
      '#distribution',
    ),
    head(
      'Something away from git',
      'on the clock: while at least one object anywhere was not as in git',
      measures.fleetAway,
      links.absences,
      wall.awayMs === 0 ? '' : `${writeShare(wall.awayShare)} of the period`,
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
      arrivals.count === null || arrivals.count === 0 ? '' : 'median',
    ),
  ];
}

/** Every figure of a report, each beside that of the period before, each leading to what it is made of. */
export function figureSection(report: WireReport, links: ReportLinks): DocumentSection {
  const row: MakeRow = (label, measure, href) => {
    const { now, before, direction } = compareIn(report, measure);
    const none = measure.read(report.figures) === 0 || measure.read(report.figures) === null;
    return [
      { text: label },
      href === undefined || none ? { text: now } : { text: now, href },
      { text: before ?? 'no record' },
      { text: direction ?? '' },
    ];
  };
  const { absences, corrections, changes } = links;
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
      ...incidentRows(row, links),
      row('Time that something was away from git', measures.fleetAway, links.absences),
      row('   as a share of the period', measures.fleetAwayShare, links.absences),
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
      ...absenceRows(row, links),
      row(`Object time away past ${formatDuration(report.alarmWithinMs)}`, measures.overdue, absences),
      ...alarmRows(row, report, links),
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

/** Makes a row of the table of figures. */
type MakeRow = (label: string, measure: Measure, href?: string) => readonly Cell[];

function incidentRows(row: MakeRow, links: ReportLinks): readonly (readonly Cell[])[] {
  return [
    row(`Incidents that took down ${largeFrom} objects or more at once`, measures.largeIncidents, links.largeIncidents),
    row('Incidents of any size', measures.allIncidents, links.incidents),
    row('   opened in the period', measures.opened, links.incidents),
    row('   open from before the period', measures.openAtStart, links.incidents),
    row('Incidents that closed', measures.closed, links.incidents),
    row('   of them open from before the period', measures.closedFromBefore, links.incidents),
    row('Incidents that ended otherwise', measures.gone, links.incidents),
    row('Incidents still open at the end', measures.open, links.incidents),
    row('Times that those opened took an object away', measures.members, links.absences),
    row('Time to notice, median', measures.noticeMedian, links.incidents),
    row('Time to notice, 95 of 100', measures.noticeP95, links.incidents),
    row('Time to converge, median', measures.convergeMedian, '#distribution'),
    row('Time to converge, 95 of 100', measures.convergeP95, '#distribution'),
    row('Time to converge, longest', measures.convergeLongest, '#distribution'),
  ];
}

/** Who was called for what was away past the deadline; one line where none of it can be said. */
function alarmRows(row: MakeRow, { figures, before }: WireReport, links: ReportLinks): readonly (readonly Cell[])[] {
  if (figures.alarms.said !== 'told' && before?.figures.alarms.said !== 'told')
    return [[{ text: '   of it with nobody called' }, { text: cannotBeSaid }, { text: '' }, { text: '' }]];
  const { absencesCalled: to } = links;
  return [
    row('   of it with nobody called', measures.silent, to('late', 'never', 'unknown')),
    row('   with somebody called', measures.called, to('in-time', 'late', 'unknown')),
    row('   not known if anybody was called', measures.notKnownIfCalled, to('in-time', 'late', 'unknown')),
    row('Absences past it that were called for in time', measures.calledInTime, to('in-time')),
    row('   called for late', measures.calledLate, to('late')),
    row('   never called for', measures.calledNever, to('never')),
    row('   not known if called for', measures.notKnownIfEverCalled, to('unknown')),
    row('Time to alarm, median', measures.toCallMedian, to('in-time', 'late')),
    row('Time to alarm, 95 of 100', measures.toCallP95, to('in-time', 'late')),
    row('Times to alarm that are not known exactly', measures.toCallAtMost, to('in-time', 'late', 'unknown')),
    row('Calls', measures.calls, '#alerts'),
    row('   for an object that was not away', measures.callsWithoutAbsence, '#alerts'),
  ];
}

/** The detail: of single objects. */
function absenceRows(row: MakeRow, { absences }: ReportLinks): readonly (readonly Cell[])[] {
  return [
    row('Times that an object left git', measures.absencesOpened, absences),
    row('   still away from before the period', measures.absencesOpenAtStart, absences),
    row('   came back', measures.absencesClosed, absences),
    row('   of them left before the period', measures.absencesClosedFromBefore, absences),
    row('   removed while away, or not watched any more', measures.absencesGone, absences),
    row('   still away at the end', measures.absencesOpen, absences),
  ];
}
