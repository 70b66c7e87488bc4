import type { WireReport } from '../api/report.ts';
import { formatDuration } from '../format/duration.ts';
import { shortTime } from '../format/time.ts';
import type { ReportDocument } from './document.ts';
import { figureSection, summaryFigures } from './figure-table.ts';
import { leadOf, noticesOf, scopeText } from './lead.ts';
import { reportLinks } from './links.ts';
import { noiseText } from './direction.ts';
import { applicationSection, clusterSection, kindSection, notSeenSection } from './part-sections.ts';
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
    figures: empty ? [] : summaryFigures(report, links),
    sections: empty
      ? []
      : [
          clusterSection(report, links),
          applicationSection(report, links),
          daySection(report),
          incidentSection(report, links),
          offenderSection(report, links),
          suspensionSection(report, links),
          distributionSection(report, links),
          notSeenSection(report, links),
          figureSection(report, links),
          kindSection(report, links),
        ],
    reading: empty ? [] : readingOf(report),
    foot: [
      `${made}, by Plumbline ${version}${report.simulated ? ', of a simulated fleet' : ''}.`,
      `${scopeText(report)}; ${period.name}; observed: ${empty ? 'nothing' : `${writeShare(figures.observedShare)} of the object time`}.`,
    ],
    self: links.self,
  };
}

function readingOf({ alarmWithinMs }: WireReport): ReportDocument['reading'] {
  return [
    { term: 'Object', meaning: 'one thing that git describes: an application on a cluster, a database in a cloud.' },
    {
      term: 'Away from git',
      meaning: `what runs is not what git says, in whatever way. After ${formatDuration(alarmWithinMs)} somebody should be called.`,
    },
    { term: 'Converged', meaning: 'what git describes is what runs, and that is confirmed.' },
    {
      term: 'Observed',
      meaning: 'Plumbline was looking. Time in which nobody looked is neither good nor bad, and in no other figure.',
    },
    {
      term: 'Object-hours',
      meaning:
        'time counted for each object: ten objects for an hour are ten object-hours, so they can exceed the period.',
    },
    { term: 'Switched off', meaning: 'somebody told the system to leave the object alone (suspended).' },
    { term: 'At least', meaning: 'it began before Plumbline looked, or is not over: the true length is this or more.' },
    { term: 'Better, worse', meaning: noiseText },
  ];
}
