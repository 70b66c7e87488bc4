import {
  absencesPath,
  changesPath,
  correctionsPath,
  historyPath,
  incidentsPath,
  refParams,
  reportsPath,
} from '../api/paths.ts';
import type { WireReport } from '../api/report.ts';
import { largeFrom } from '../domain/incident/cause-figures.ts';
import type { CalledHow } from '../domain/alarm/alarm-figures.ts';
import type { ObjectRef } from '../domain/observation/ref.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';

/** The verdicts in which an object is away from git, worst first. */
export const awayVerdicts: readonly Verdict[] = [
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
];

/** Where the numbers of one report lead: pages that list what they are made of, for the same period and scope. */
export interface ReportLinks {
  /** This very report, whenever it is opened. */
  readonly self: string;
  /** The same period for one cluster or one kind of it. */
  narrowed(to: Readonly<Record<string, string>>): string;
  spans(verdicts: readonly Verdict[]): string;
  readonly arrivals: string;
  /** Incidents, those with most reach times time first; the large ones alone; those that took most of the period first. */
  readonly incidents: string;
  readonly largeIncidents: string;
  readonly longestIncidents: string;
  readonly absences: string;
  /** Absences past the alarm deadline, by how somebody was called for them. */
  absencesCalled(...how: readonly CalledHow[]): string;
  readonly corrections: string;
  readonly changes: string;
  /** Of an application, on all clusters of the scope. */
  absencesNamed(of: { readonly group: string; readonly kind: string; readonly name: string }): string;
  /** Of one object. */
  absencesOf(ref: ObjectRef): string;
  correctionsOf(ref: ObjectRef): string;
  /** Address of the record of a cluster, or of one object. */
  history(of: string | ObjectRef): string;
}

/** A list of names in an address has an end. */
const clustersInLink = 100;

/** The links of a report, as paths. */
export function reportLinks(report: Pick<WireReport, 'period' | 'scope'>): ReportLinks {
  const { period, scope } = report;
  const times = { from: period.from, to: period.to };
  const kind = scope.kind === '' ? {} : { group: scope.group === '' ? '-' : scope.group, kind: scope.kind };
  const asked = {
    ...times,
    ...(scope.cluster === '' ? {} : { cluster: scope.cluster }),
    ...(scope.label === '' ? {} : { label: scope.label }),
    ...kind,
  };
  // The pages of the record know no labels: they are given the clusters that the label came to.
  const named = scope.clusters !== null && scope.clusters.length <= clustersInLink ? scope.clusters.join(',') : '';
  const inRecord = { ...times, ...(named === '' ? {} : { cluster: named }), ...kind };
  const [only] = scope.clusters?.length === 1 ? scope.clusters : [];
  return {
    self: reportsPath(asked),
    narrowed: (to) => reportsPath({ ...asked, ...to }),
    spans: (verdicts) => reportsPath({ ...asked, verdict: verdicts.join(',') }, '/spans'),
    arrivals: reportsPath(asked, '/arrivals'),
    incidents: readable(incidentsPath({ ...inRecord, order: 'worst' })),
    largeIncidents: readable(incidentsPath({ ...inRecord, objects: String(largeFrom), order: 'worst' })),
    longestIncidents: readable(incidentsPath({ ...inRecord, order: 'longest' })),
    absencesCalled: (...how) => readable(absencesPath({ ...inRecord, called: how.join(','), order: 'longest' })),
    absences: readable(absencesPath({ ...inRecord, order: 'longest' })),
    corrections: readable(correctionsPath(inRecord)),
    absencesNamed: (of) => readable(absencesPath({ ...inRecord, ...of, order: 'longest' })),
    absencesOf: (ref) => readable(absencesPath({ ...times, ...refParams(ref) })),
    correctionsOf: (ref) => readable(correctionsPath({ ...times, ...refParams(ref) })),
    changes: changesPath({ ...times, ...(only === undefined ? {} : { cluster: only }) }),
    history: (of) => readable(historyPath({ ...times, ...(typeof of === 'string' ? { cluster: of } : refParams(of)) })),
  };
}

/** Colons and commas may stand in a query as they are, and are read more easily so. */
function readable(path: string): string {
  return path.replaceAll('%3A', ':').replaceAll('%2C', ',');
}
