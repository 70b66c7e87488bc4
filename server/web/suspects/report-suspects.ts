import { notLookedAt } from '#lib/api/git/named-suspect.ts';
import type { WireReport, WireReportIncident } from '#lib/api/report.ts';
import { longestWait, mostSuspected } from '#lib/api/git/suspect.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused } from '../http/problem.ts';
import { namedSuspect } from './named-suspect.ts';
import { suspectRows } from './suspect-rows.ts';

const noRange = notLookedAt('It was not looked at: the incident is known by no range of commits now.');

/** A report whose longest and worst incidents name their suspects, as git tells them in time; else they were not looked at. */
export async function withSuspects(report: WireReport, moment: KnownMoment): Promise<WireReport> {
  const { worst, longest } = report.incidents;
  const ids = [...worst, ...longest].flatMap(({ id, range }) => (range === null ? [] : [id]));
  if (ids.length === 0) return report;
  const incident = [...new Set(ids)].slice(0, mostSuspected).join(',');
  const answer = await suspectRows(moment, { incident, object: '', wait: longestWait });
  if (isRefused(answer)) return report;
  const told = new Map(answer.rows.map(({ of, suspicion }) => [of, suspicion ? namedSuspect(suspicion) : noRange]));
  const named = (one: WireReportIncident): WireReportIncident =>
    one.range === null ? one : { ...one, suspect: told.get(one.id) ?? one.suspect };
  return { ...report, incidents: { worst: worst.map(named), longest: longest.map(named) } };
}
