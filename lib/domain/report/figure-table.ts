import type { WireReport } from '../../api/report.ts';
import { formatDuration } from '../../format/duration.ts';
import type { Verdict } from '../verdict.ts';
import type { Cell, DocumentSection, HeadFigure } from './document.ts';
import { wasText } from './direction.ts';
import { awayVerdicts, type ReportLinks } from './links.ts';
import { compareIn, measures, silentText, writeAmount, writeLength, type Measure } from './write-figure.ts';

/** The four figures at the head of a report. */
export function headFigures(report: WireReport, links: ReportLinks): readonly HeadFigure[] {
  const { figures } = report;
  const head = (label: string, measure: Measure, href: string, note = ''): HeadFigure => {
    const compared = compareIn(report, measure);
    return { label, value: compared.now, note: [note, wasText(compared)].filter(Boolean).join('; '), href };
  };
  return [
    head('Converged', measures.converged, links.spans(['converged'])),
    head('Observed', measures.observed, '#not-seen'),
    head(
      `Away past ${formatDuration(report.alarmWithinMs)}`,
      measures.overdue,
      links.incidents,
      figures.overdueMs === 0 ? '' : 'alarms: cannot be said',
    ),
    head(
      'From commit to running',
      measures.arrivalMedian,
      links.arrivals,
      figures.arrivals.count === 0 ? '' : 'median',
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
  return {
    id: 'figures',
    title: 'All figures',
    note: 'what each means, exactly: docs/reports.md',
    picture: null,
    table: {
      columns: [
        { title: 'Figure' },
        { title: 'This period', right: true },
        { title: `Before${report.before === null ? '' : `: ${report.before.name}`}`, right: true },
        { title: 'Direction' },
      ],
      rows: [
        row('Share of observed time converged', measures.converged, links.spans(['converged'])),
        row('Share of time observed', measures.observed, '#not-seen'),
        row('Objects', measures.objects, '#kinds'),
        row('Object time away from git', measures.away, links.spans(awayVerdicts)),
        ...awayVerdicts
          .filter((verdict) => report.figures.shares[verdict] > 0 || (report.before?.figures.shares[verdict] ?? 0) > 0)
          .map((verdict) => row(`   of it ${verdict}`, verdictTime(verdict), links.spans([verdict]))),
        row('Object time switched off on purpose', measures.suspended, links.spans(['suspended'])),
        row('Object time neither proven nor disproven', measures.unconfirmed, links.spans(['unconfirmed'])),
        row('Times that an object left what git says', measures.opened, incidents),
        row('Times that one came back to it', measures.closed, incidents),
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
      none: '',
      more: '',
    },
  };
}

function verdictTime(verdict: Verdict): Measure {
  return { ...measures.away, read: (figures) => figures.shares[verdict], write: writeAmount };
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
