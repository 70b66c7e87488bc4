import type { WireReport } from '#lib/api/report.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { ReportQuestion } from '#lib/report/answers.ts';
import type { ReportPeriod } from '#lib/domain/time/report-period.ts';
import { reportOf } from '#lib/report/report.ts';
import { noShares } from '#lib/domain/record/segments.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { moment } from './wire-fleet.ts';
import { checkout } from './wire-object.ts';

const october: ReportPeriod = { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 10, 1), end: Date.UTC(2026, 10, 1) };

function answers(period: Period, awayHours: number) {
  const total = { ...noShares, diverged: awayHours * hour, converged: 1000 * hour, unobserved: 5 * hour };
  return {
    period,
    total,
    objects: 2,
    declared: 0,
    wallClock: {
      fleet: { away: awayHours * hour, observed: period.to - period.from },
      clusters: [{ cluster: 'eu-west-3', away: awayHours * hour, observed: period.to - period.from }],
      applications: [],
    },
    incidents: {
      opened: 3,
      openAtStart: 0,
      closed: 2,
      closedFromBefore: 0,
      gone: 0,
      open: 1,
      large: 1,
      members: 9,
      toConverge: Float64Array.of(hour / 2, 6 * hour),
      toConvergeAtLeast: new Float64Array(0),
      toNotice: Float64Array.of(1_000),
    },
    absences: {
      opened: 9,
      openAtStart: 0,
      closed: 8,
      closedFromBefore: 0,
      gone: 0,
      open: 1,
      toConverge: Float64Array.of(hour / 2, 6 * hour),
      toConvergeAtLeast: new Float64Array(0),
      toNotice: Float64Array.of(1_000),
      overdue: 2 * hour,
    },
    alarms: {
      called: hour,
      silent: hour / 2,
      unknown: hour / 2,
      overdue: { inTime: 5, late: 2, never: 1, unknown: 1 },
      toCall: Float64Array.of(4 * 60_000, 20 * 60_000),
      toCallAtMost: 1,
      calls: 9,
      withoutAbsence: 2,
      alerts: [{ source: 'monitoring', alert: 'FluxObjectNotReady', calls: 9, lastAt: period.from + day }],
      alertsTotal: 1,
      unlooked: [],
    },
    corrections: [],
    changes: [],
    arrivals: { took: new Float64Array(0), unknown: 0, of: 1, partly: [] },
  };
}

function failed({ from }: Period): Incident {
  return {
    id: 'k3x9q7w2m4n8',
    cause: { type: 'object', ref: checkout },
    roots: { names: [checkout.name], count: 1, clusters: 1 },
    openedAt: from + day,
    bound: 'exact',
    noticedAt: from + day,
    closedAt: from + day + 6 * hour,
    ended: 'converged',
    worst: 'diverged',
    reason: 'BuildFailed',
    range: null,
    now: { objects: 0, clusters: 0 },
    most: { objects: 7, clusters: 1 },
    returns: 0,
    takenFor: [],
    objectTime: 36 * hour,
    clusters: [checkout.cluster],
    clusterCount: 1,
    members: 7,
  };
}

/** A report over October 2026, or another period: checkout was diverged for 6 h, a cluster not seen for 5 h. */
export function wireReport(period: ReportPeriod = october, rest: Partial<ReportQuestion> = {}): WireReport {
  const now = answers(period, 6);
  const told = { incident: failed(period), objectTime: 36 * hour };
  return reportOf({
    asOf: moment,
    version: '1.2.3',
    simulated: false,
    scope: { clusters: null, cluster: '', label: '', kind: null },
    alarmWithin: hour / 4,
    since: period.from - 90 * day,
    madeUpTo: null,
    rules: null,
    before: answers({ from: period.from - 30 * day, to: period.from }, 12),
    now: {
      ...now,
      period,
      days: [{ key: String(period.from), shares: now.total }],
      clusters: [{ key: 'eu-west-3', shares: now.total }],
      kinds: [{ key: 'kustomize.toolkit.fluxcd.io/Kustomization', shares: now.total }],
      longest: [told],
      worst: [told],
      offenders: [],
      suspensions: { found: [], complete: true },
      gaps: [],
    },
    ...rest,
  });
}
