import type { WireReport } from '../../api/report.ts';
import { formatDuration } from '../../format/duration.ts';
import { shortTime } from '../../format/time.ts';
import type { ReportDocument } from './document.ts';
import { figureSection, headFigures } from './figure-table.ts';
import { leadOf, noticesOf, scopeText } from './lead.ts';
import { reportLinks } from './links.ts';
import { notSeenSection, partSections } from './part-sections.ts';
import { daySection, distributionSection, incidentSection, offenderSection, suspensionSection } from './sections.ts';
import { writeShare } from './write-figure.ts';

/** Puts a report into words: the same for the page, the printed file and the mail. */
export function makeDocument(report: WireReport): ReportDocument {
  const links = reportLinks(report);
  const { period, figures, asOf, version } = report;
  const empty = figures.observedMs === 0 || period.recordedMs === 0;
  const compared = report.before === null ? '' : `, compared with ${report.before.name}`;
  const made = `As of ${shortTime(Date.parse(asOf), 'year')} UTC`;
  return {
    title: `Drift report, ${period.name}`,
    subtitle: `${shortTime(Date.parse(period.from), 'year')} to ${shortTime(Date.parse(period.to), 'year')} UTC${compared}; ${scopeText(report)}`,
    notices: noticesOf(report),
    lead: leadOf(report, links),
    figures: empty ? [] : headFigures(report, links),
    sections: empty
      ? []
      : [
          daySection(report),
          incidentSection(report, links),
          offenderSection(report, links),
          suspensionSection(report, links),
          distributionSection(report, links),
          notSeenSection(report, links),
          figureSection(report, links),
          ...partSections(report, links),
        ],
    reading: empty ? [] : readingOf(report),
    foot: [
      `${made}, by Plumbline ${version}${report.simulated ? ', of a simulated fleet' : ''}.`,
      `${scopeText(report)}; ${period.name}; observed: ${empty ? 'nothing' : `${writeShare(figures.observedShare)} of the time`}.`,
    ],
    self: links.self,
  };
}

function readingOf({ alarmWithinMs }: WireReport): ReportDocument['reading'] {
  return [
    {
      term: 'Object',
      meaning:
        'one piece of the infrastructure that is described in git, for example an application on a cluster, or a database in a cloud.',
    },
    {
      term: 'Converged',
      meaning:
        'what is described in git is what is running, and that is confirmed. Everything else counts as not converged.',
    },
    {
      term: 'Object time',
      meaning:
        'time is counted for each object: ten objects watched for an hour are ten hours of object time. A share weighs every object alike.',
    },
    {
      term: 'Observed',
      meaning:
        'Plumbline was looking. Time in which nobody looked is neither good nor bad: it is in no share but that of the time observed.',
    },
    {
      term: 'Away from git',
      meaning: `an object left what git says, in whatever way. After ${formatDuration(alarmWithinMs)} somebody should be called.`,
    },
    {
      term: 'Switched off on purpose',
      meaning: 'somebody told the system to leave the object alone (suspended). It counts as not converged.',
    },
    {
      term: 'At least',
      meaning: 'it began before Plumbline looked, or it is not over: the true length is this or more.',
    },
  ];
}
