import type { WireReport, WireReportIncident } from '#lib/api/report.ts';
import { longestWait, mostSuspected } from '#lib/api/git/suspect.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused } from '../http/problem.ts';
import { suspectRows } from './suspect-rows.ts';

/** A report whose incidents name their suspect, where git tells in time that one commit is. */
export async function withSuspects(report: WireReport, moment: KnownMoment): Promise<WireReport> {
  const { worst, longest } = report.incidents;
  const ids = [...worst, ...longest].flatMap(({ id, range }) => (range?.lastGood && range.firstBad ? [id] : []));
  if (ids.length === 0) return report;
  const incident = [...new Set(ids)].slice(0, mostSuspected).join(',');
  const answer = await suspectRows(moment, { incident, object: '', wait: longestWait });
  if (isRefused(answer)) return report;
  const culprits = new Map(
    answer.rows.flatMap(({ of, suspicion }) => {
      const [one] = suspicion?.type === 'culprit' ? suspicion.suspects : [];
      return one === undefined ? [] : [[of, one] as const];
    }),
  );
  const named = (incident: WireReportIncident): WireReportIncident => {
    const one = culprits.get(incident.id);
    return one === undefined
      ? incident
      : { ...incident, suspect: { sha: one.sha, subject: one.subject, author: one.author } };
  };
  return { ...report, incidents: { worst: worst.map(named), longest: longest.map(named) } };
}
