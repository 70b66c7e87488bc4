import type { WireReport } from '../api/report.ts';
import { largeFrom } from '../domain/incident/cause-figures.ts';
import { formatDuration } from '../format/duration.ts';
import { shortTime } from '../format/time.ts';
import { alarmSections } from './alarm-sections.ts';
import type { ReportDocument } from './document.ts';
import { figureSection, summaryFigures } from './figure-table.ts';
import { longestSection, worstSection } from './incident-sections.ts';
import { leadOf, nothingText, noticesOf, scopeText, timesOf } from './lead.ts';
import { reportLinks } from './links.ts';
import { noiseText } from './direction.ts';
import { applicationSection, clusterSection, kindSection, notSeenSection } from './part-sections.ts';
import { daySection, distributionSection, offenderSection, suspensionSection } from './sections.ts';
import { writeShare } from './write-figure.ts';

/** Puts a report into words: the same for the page, the printed file and the mail. */
export function makeDocument(report: WireReport): ReportDocument {
  const links = reportLinks(report);
  const { period, figures, asOf, version } = report;
  const empty = nothingText(report) !== null;
  const told = !empty && figures.incidents !== null;
  const compared = report.before === null ? '' : `, compared with ${report.before.name}`;
  const made = `As of ${shortTime(Date.parse(asOf), 'year')} UTC`;
  return {
    title: `Drift report, ${period.name}`,
    subtitle: `${shortTime(Date.parse(period.from), 'year')} to ${shortTime(Date.parse(period.to), 'year')} UTC${compared}; ${scopeText(report)}`,
    notices: noticesOf(report),
    lead: leadOf(report, links),
    worst: told ? worstSection(report, links) : null,
    figures: empty ? [] : summaryFigures(report, links),
    times: timesOf(report, links),
    sections: empty
      ? []
      : [
          ...(told ? [longestSection(report, links), distributionSection(report, links)] : []),
          clusterSection(report, links),
          applicationSection(report, links),
          daySection(report),
          offenderSection(report, links),
          suspensionSection(report, links),
          ...alarmSections(report),
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
    {
      term: 'Incident',
      meaning: `what failed by one cause, from the first object away to the last one back, however many objects it took down. Those of ${largeFrom} objects or more at once are counted apart.`,
    },
    { term: 'Object', meaning: 'one thing that git describes: an application on a cluster, a database in a cloud.' },
    {
      term: 'Away from git',
      meaning: `what runs is not what git says, in whatever way. After ${formatDuration(alarmWithinMs)} somebody should be called.`,
    },
    {
      term: 'Called',
      meaning:
        'an alarm reached somebody. Where alarms could not be read that is not known, and it never counts as called.',
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
