import { compareText } from '../domain/observation/compare-text.ts';
import { notLookedAt } from '../api/git/named-suspect.ts';
import { alertsNamed } from '../api/alarm/report-alarms.ts';
import type { WireReport, WireReportIncident } from '../api/report.ts';
import type { LoadedRules } from '../domain/alarm/coverage/loaded-rules.ts';
import { incidentTitle } from '../domain/incident/incident-title.ts';
import { kindOfKey } from '../domain/observation/ref.ts';
import type { Shares } from '../domain/record/figures.ts';
import { noShares } from '../domain/record/segments.ts';
import type { Period } from '../domain/record/span.ts';
import { cutAtDays, dayOf } from '../domain/time/utc-day.ts';
import type { ReportAnswers, ReportQuestion, ReportScope, ToldIncident } from './answers.ts';
import { amountsOf, correctionsOf, figuresOf } from './figures.ts';
import { periodName } from '../domain/time/report-period.ts';
import { distributionOf } from './spread.ts';
import { endIn, notSeenOf, observedTime } from './unseen.ts';

/** Number of suspensions that are listed. */
const suspensionsShown = 10;

/** Makes the report from what the record answered: pure, so that it can be made again. */
export function reportOf(question: ReportQuestion): WireReport {
  const { asOf, version, simulated, scope, alarmWithin, since, madeUpTo, now, before, rules } = question;
  const { period } = now;
  return {
    schema: 'plumbline.report/9',
    asOf: time(asOf),
    version,
    simulated,
    period: { ...wirePeriod(period, period.end, since), lasting: period.end > period.to },
    recordedSince: since === null ? null : time(since),
    scope: wireScope(scope),
    alarmWithinMs: alarmWithin,
    made: madeUpTo === null ? null : { upTo: madeUpTo === 0 ? null : time(madeUpTo) },
    figures: figuresOf(now),
    before: before && { ...wirePeriod(before.period, before.period.to, since), figures: figuresOf(before) },
    days: daysOf(now),
    clusters: clustersOf(now),
    applications: now.wallClock.applications.map(({ away, observed, ...of }) => ({
      ...of,
      wall: { awayMs: away, observedMs: observed },
    })),
    kinds: leastConverged(now.kinds).map(({ key, shares }) => ({ ...kindOfKey(key), shares: { ...shares } })),
    distribution: takenBy(now),
    incidents: {
      longest: now.longest.map((told) => incidentOf(told, period)),
      worst: now.worst.map((told) => incidentOf(told, period)),
    },
    offenders: now.offenders.map(({ ref, shares, absences, corrections }) => ({
      ref: { ...ref },
      shares: { ...shares },
      awayMs: amountsOf(shares).away,
      absences,
      corrections,
    })),
    suspensions: suspensionsOf(now),
    rules: rulesOf(now, rules),
    notSeen: notSeenOf(now.clusters, now.gaps, period),
  };
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** Scope of a report, on the wire. */
export function wireScope(scope: ReportScope): WireReport['scope'] {
  const { clusters, cluster, label, kind } = scope;
  return {
    clusters: clusters === null ? null : [...clusters],
    cluster,
    label,
    group: kind?.group ?? '',
    kind: kind?.kind ?? '',
  };
}

/** A period on the wire, and how much of it lies in a record that begins at `since` (ms). */
export function wirePeriod(period: Period, end: number, since: number | null): Omit<WireReport['period'], 'lasting'> {
  const { from, to } = period;
  const recordedMs = since === null ? 0 : Math.max(0, to - Math.max(from, since));
  return { from: time(from), to: time(to), name: periodName({ from, to: end }), recordedMs, ofMs: to - from };
}

function daysOf({ period, days, corrections }: ReportAnswers): WireReport['days'] {
  const shares = new Map(days.map(({ key, shares: of }) => [Number(key), of]));
  const corrected = Map.groupBy(corrections, ({ day }) => day);
  return cutAtDays(period).map(({ from }) => {
    const day = dayOf(from);
    return {
      day: time(day),
      shares: { ...(shares.get(day) ?? noShares) },
      corrections: correctionsOf(corrected.get(day) ?? []),
    };
  });
}

function clustersOf({ clusters, wallClock }: ReportAnswers): WireReport['clusters'] {
  const walls = new Map(wallClock.clusters.map((wall) => [wall.cluster, wall]));
  return leastConverged(clusters).map(({ key, shares }) => {
    const wall = walls.get(key);
    return {
      cluster: key,
      shares: { ...shares },
      wall: { awayMs: wall?.away ?? 0, observedMs: wall?.observed ?? 0 },
    };
  });
}

/** The lowest share converged first; what was not observed at all before everything else. */
function leastConverged<T extends { readonly key: string; readonly shares: Shares }>(all: readonly T[]): readonly T[] {
  const share = ({ shares }: T): number => {
    const { converged, observed } = amountsOf(shares);
    return observed === 0 ? -1 : converged / observed;
  };
  return all.toSorted((a, b) => share(a) - share(b) || compareText(a.key, b.key));
}

function takenBy({ incidents }: ReportAnswers): WireReport['distribution'] {
  if (incidents === null) return [];
  return distributionOf(incidents.toConverge).map(({ from, to, count }) => ({ fromMs: from, toMs: to, count }));
}

function incidentOf({ incident, objectTime }: ToldIncident, period: Period): WireReportIncident {
  const { id, openedAt, bound, noticedAt, ended, worst, reason, range, most, members, returns } = incident;
  const closed = endIn(incident.closedAt, period);
  return {
    id,
    title: incidentTitle(incident),
    openedAt: time(openedAt),
    bound,
    noticedAt: time(noticedAt),
    closedAt: closed === null ? null : time(closed),
    ended: closed === null ? null : ended,
    lastedMs: (closed ?? period.to) - openedAt,
    worst,
    reason,
    range: range && { ...range },
    suspect: range === null ? null : notLookedAt('Git was not asked.'),
    most: { ...most },
    members,
    returns,
    objectTimeMs: objectTime,
  };
}

/** Rules that called nobody: nothing is said of them where a call may be missing from the list, or no source was read that could tell of one. */
function rulesOf({ alarms }: ReportAnswers, rules: LoadedRules | null): WireReport['rules'] {
  if (alarms === null || rules === null || alarms.alertsTotal > alarms.alerts.length) return null;
  const called = new Set(alarms.alerts.map(({ alert }) => alert));
  const calledNobody = rules.rules.filter(({ name }) => !called.has(name));
  return {
    loaded: rules.rules.length,
    calledNobody: calledNobody
      .slice(0, alertsNamed)
      .map(({ source, name, firedAt }) => ({ source, rule: name, firedAt: firedAt === null ? null : time(firedAt) })),
    calledNobodyTotal: calledNobody.length,
    unread: rules.unread.slice(0, alertsNamed),
  };
}

function suspensionsOf({ suspensions, gaps, period }: ReportAnswers): WireReport['suspensions'] {
  const ofCluster = Map.groupBy(gaps, ({ cluster }) => cluster);
  const all = suspensions.found
    .map(({ span, by }) => {
      const { observed } = observedTime(span, ofCluster.get(span.ref.cluster) ?? [], period);
      return { span, by, observedMs: observed };
    })
    .toSorted((a, b) => b.observedMs - a.observedMs);
  const hands = Map.groupBy(all, ({ by }) => by);
  return {
    longest: all.slice(0, suspensionsShown).map(({ span, by, observedMs }) => {
      const to = endIn(span.to, period);
      return { ref: { ...span.ref }, by, from: time(span.from), to: to === null ? null : time(to), observedMs };
    }),
    byWhom: [...hands]
      .map(([by, of]) => ({ by, observedMs: of.reduce((sum, each) => sum + each.observedMs, 0), count: of.length }))
      .toSorted((a, b) => b.observedMs - a.observedMs),
    complete: suspensions.complete,
  };
}
