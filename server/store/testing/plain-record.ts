import type { NotedChange } from '#lib/domain/record/change.ts';
import { gapsOf, type CoveragePoint, type Gap } from '#lib/domain/record/gap.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import { kindKey, type ObjectRef, refKey, type RefKey, sameRef } from '#lib/domain/observation/ref.ts';
import { addShares, noShares, segmentsOf, sharesOf, type Segment } from '#lib/domain/record/segments.ts';
import type { Period, Span } from '#lib/domain/record/span.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { noTraits, type PastTraits } from '#server/store/record/past-fleet.ts';
import type {
  Durations,
  LedgerEntry,
  Offender,
  RecordCursor,
  RecordedGap,
  RecordPage,
  RecordReader,
  RecordScope,
  Shares,
} from '#server/store/port/record-port.ts';
import { kindText, plainFleet } from './plain-fleet.ts';
import { plainWallClock } from './plain-wall-clock.ts';
import { nothingRecorded, type PlainHistory } from './plain-lists.ts';

export type { PlainHistory } from './plain-lists.ts';

/** A span with what is not told of it. */
interface PlainSpan extends Span {
  readonly order: number;
  readonly traits: PastTraits;
}

/**
 * The record as plainly as it can be read: every question looks at everything. What engines answer is held against this.
 * The lists may grow while it is asked.
 */
export function plainRecord(given: Partial<PlainHistory>): RecordReader {
  const history: PlainHistory = { ...nothingRecorded, ...given };

  function inScope(scope: RecordScope, ref: ObjectRef): boolean {
    const { clusters, kind, namespace, name } = scope;
    if (clusters !== null && !clusters.includes(ref.cluster)) return false;
    if (kind !== undefined && (kind.group !== ref.group || kind.kind !== ref.kind)) return false;
    return (namespace ?? ref.namespace) === ref.namespace && (name ?? ref.name) === ref.name;
  }

  function allSpans(): readonly PlainSpan[] {
    const spans: PlainSpan[] = [];
    const last = new Map<RefKey, number>();
    const sorted = history.transitions.map((transition, order) => ({ transition, order }));
    for (const { transition, order } of sorted) {
      const key = refKey(transition.ref);
      const open = last.get(key);
      const before = open === undefined ? undefined : spans[open];
      if (before !== undefined && open !== undefined) {
        const to = Math.max(before.from, transition.noticedAt);
        spans[open] = { ...before, to: Math.min(before.to ?? Infinity, to) };
      }
      last.delete(key);
      if (transition.to === null) continue;
      last.set(key, spans.length);
      spans.push({
        ref: transition.ref,
        uid: transition.uid,
        verdict: transition.to,
        from: transition.noticedAt,
        to: null,
        onset: { time: transition.at, bound: transition.bound },
        reason: transition.reason,
        message: transition.message,
        commit: transition.commit,
        attempted: transition.attempted,
        rootCause: transition.rootCause,
        order,
        traits: history.traits.get(transition) ?? noTraits,
      });
    }
    return spans;
  }

  function spansWithin(scope: RecordScope, period: Period): readonly PlainSpan[] {
    return allSpans().filter((span) => inScope(scope, span.ref) && overlaps(span, period));
  }

  function told(plain: PlainSpan): Span {
    const { ref, uid, verdict, from, to, onset, reason, message, commit, attempted, rootCause } = plain;
    return { ref, uid, verdict, from, to, onset, reason, message, commit, attempted, rootCause };
  }

  function pointsOf(cluster: string): readonly CoveragePoint[] {
    return history.coverage.filter((point) => point.cluster === cluster);
  }

  function segmentsIn(scope: RecordScope, period: Period): readonly Segment<PlainSpan>[] {
    const gaps = new Map<string, readonly Gap[]>();
    return spansWithin(scope, period).flatMap((span) => {
      const { cluster, group, kind } = span.ref;
      const key = `${cluster}/${group}/${kind}`;
      const over = gaps.get(key) ?? gapsOf(pointsOf(cluster), { group, kind });
      gaps.set(key, over);
      return segmentsOf([span], over, period);
    });
  }

  function incidentsIn(scope: RecordScope, period: Period): readonly { incident: Incident; order: number }[] {
    return history.incidents
      .map((incident, order) => ({ incident, order }))
      .filter(({ incident }) => inScope(scope, incident.ref))
      .filter(({ incident }) => overlaps({ from: incident.noticedAt, to: incident.closedAt }, period));
  }

  function correctionsIn(scope: RecordScope, { from, to }: Period): readonly LedgerEntry[] {
    const latest = new Map<string, LedgerEntry>();
    for (const entry of history.corrections) latest.set(`${refKey(entry.ref)} ${entry.correction.at}`, entry);
    return [...latest.values()].filter(
      ({ ref, correction }) => inScope(scope, ref) && correction.at >= from && correction.at < to,
    );
  }

  return {
    async since({ clusters }) {
      const times = history.coverage.filter(({ cluster }) => clusters?.includes(cluster) ?? true).map(({ at }) => at);
      return times.length === 0 ? null : Math.min(...times);
    },
    async spans(ref, period, limit) {
      return allSpans()
        .filter((span) => sameRef(span.ref, ref) && overlaps(span, period))
        .slice(0, limit)
        .map(told);
    },
    async spansIn(scope, period, { verdicts: only, cursor, limit }) {
      const spans = spansWithin(scope, period)
        .filter(({ verdict }) => only?.includes(verdict) ?? true)
        .toSorted((a, b) => b.from - a.from || b.order - a.order);
      return pageOf(spans.map(told), cursor, limit);
    },
    async earlier(ref) {
      return history.earlier.filter((span) => sameRef(span.ref, ref)).toSorted((a, b) => a.from - b.from);
    },
    async gaps(cluster, period) {
      return ownGaps(cluster, pointsOf(cluster))
        .filter((gap) => overlaps(gap, period))
        .toSorted((a, b) => a.from - b.from || compare(kindText(a), kindText(b)));
    },
    async incidents(scope, period, { order, cursor, limit }) {
      const length = ({ openedAt, closedAt }: Incident): number =>
        Math.min(closedAt ?? Infinity, period.to) - Math.max(openedAt, period.from);
      const incidents = incidentsIn(scope, period).toSorted((a, b) =>
        order === 'newest'
          ? b.incident.noticedAt - a.incident.noticedAt || b.order - a.order
          : length(b.incident) - length(a.incident) || b.order - a.order,
      );
      return pageOf(
        incidents.map(({ incident }) => incident),
        cursor,
        limit,
      );
    },
    async incidentFigures(scope, period, alarmWithin) {
      const within = (time: number | null): boolean => time !== null && time >= period.from && time < period.to;
      const all = history.incidents.filter(({ ref }) => inScope(scope, ref));
      const opened = all.filter(({ noticedAt }) => within(noticedAt));
      const closed = all.filter(({ ended, closedAt }) => ended === 'converged' && within(closedAt));
      const away = segmentsIn(scope, period).filter(({ verdict }) => isAway(verdict));
      let overdue = 0;
      for (const { ref, openedAt, noticedAt, closedAt } of all) {
        for (const segment of away) {
          if (!sameRef(segment.span.ref, ref)) continue;
          const end = Math.min(segment.to, closedAt ?? Infinity);
          overdue += Math.max(0, end - Math.max(segment.from, noticedAt, openedAt + alarmWithin));
        }
      }
      const lastingAt = (at: number): readonly Incident[] =>
        all.filter(({ noticedAt, closedAt }) => noticedAt < at && (closedAt ?? Infinity) >= at);
      const before = lastingAt(period.from);
      const lengthOf = ({ openedAt, closedAt }: Incident): number => (closedAt ?? openedAt) - openedAt;
      return {
        opened: opened.length,
        openAtStart: before.length,
        closed: closed.length,
        closedFromBefore: before.filter((incident) => closed.includes(incident)).length,
        gone: all.filter(({ ended, closedAt }) => ended !== 'converged' && within(closedAt)).length,
        open: lastingAt(period.to).length,
        toConverge: ascending(closed.map(lengthOf)),
        toConvergeAtLeast: ascending(closed.filter(({ bound }) => bound === 'at-least').map(lengthOf)),
        toNotice: ascending(
          opened.filter(({ bound }) => bound === 'exact').map(({ openedAt, noticedAt }) => noticedAt - openedAt),
        ),
        overdue,
      };
    },
    async corrections(scope, period, { cursor, limit }) {
      const entries = correctionsIn(scope, period).map((entry, order) => ({ entry, order }));
      const sorted = entries.toSorted((a, b) => b.entry.correction.at - a.entry.correction.at || b.order - a.order);
      return pageOf(
        sorted.map(({ entry }) => entry),
        cursor,
        limit,
      );
    },
    async correctionDays(scope, period) {
      const days = new Map<string, { day: number; certainty: LedgerEntry['correction']['certainty']; count: number }>();
      for (const { correction } of correctionsIn(scope, period)) {
        const day = dayOf(correction.at);
        const key = `${day} ${correction.certainty}`;
        const count = (days.get(key)?.count ?? 0) + correction.count;
        days.set(key, { day, certainty: correction.certainty, count });
      }
      return [...days.values()].toSorted((a, b) => a.day - b.day || compare(a.certainty, b.certainty));
    },
    async shares(scope, period, by) {
      const sums = new Map<string, Shares>();
      const pieces = by === 'day' ? cutAtDays(period) : [period];
      for (const piece of pieces) {
        for (const segment of segmentsIn(scope, piece)) {
          const { cluster, group, kind } = segment.span.ref;
          const key = { total: '', day: String(dayOf(piece.from)), cluster, kind: kindKey({ group, kind }) }[by];
          sums.set(key, addShares(sums.get(key) ?? noShares, sharesOf([segment])));
        }
      }
      return [...sums].map(([key, shares]) => ({ key, shares })).toSorted((a, b) => compare(a.key, b.key));
    },
    async wallClock(scope, period, applications) {
      return plainWallClock({
        period,
        limit: applications,
        away: segmentsIn(scope, period).filter(({ verdict }) => isAway(verdict)),
        spans: spansWithin(scope, period),
        clusters: scope.clusters,
        kind: scope.kind ?? null,
        coverage: history.coverage,
      });
    },
    async objectCount(scope, period) {
      const there = spansWithin(scope, period).filter(({ from, to }) => to === null || to > from);
      return new Set(there.map(({ ref }) => refKey(ref))).size;
    },
    async hasObject(scope, period) {
      return spansWithin(scope, period).some(({ from, to }) => to === null || to > from);
    },
    async worst(scope, period, limit) {
      const offenders = new Map<RefKey, Offender>();
      for (const segment of segmentsIn(scope, period)) {
        const { ref } = segment.span;
        const shares = addShares(offenders.get(refKey(ref))?.shares ?? noShares, sharesOf([segment]));
        offenders.set(refKey(ref), { ref, shares, incidents: 0, corrections: 0 });
      }
      return [...offenders.values()]
        .filter(({ shares }) => timeAway(shares) > 0)
        .toSorted((a, b) => timeAway(b.shares) - timeAway(a.shares) || compare(refKey(a.ref), refKey(b.ref)))
        .slice(0, limit)
        .map(({ ref, shares }) => ({
          ref,
          shares,
          incidents: incidentsIn(scope, period).filter(({ incident }) => sameRef(incident.ref, ref)).length,
          corrections: correctionsIn(scope, period)
            .filter((entry) => sameRef(entry.ref, ref))
            .reduce((sum, { correction }) => sum + correction.count, 0),
        }));
    },
    async suspensions(scope, period, limit) {
      const length = ({ from, to }: Span): number => Math.min(to ?? Infinity, period.to) - Math.max(from, period.from);
      return spansWithin(scope, period)
        .filter(({ verdict }) => verdict === 'suspended')
        .toSorted((a, b) => length(b) - length(a) || b.order - a.order)
        .slice(0, limit)
        .map((span) => ({ span: told(span), by: suspendedBy(span, history.changes) }));
    },
    async changeCounts(scope, { from, to }, types) {
      const whole = scope.kind === undefined && scope.namespace === undefined && scope.name === undefined;
      const counts = new Map<NotedChange['fact']['type'], number>();
      for (const { ref, cluster, at, fact } of history.changes) {
        if (at < from || at >= to || !types.includes(fact.type)) continue;
        const counted = ref === null ? whole && (scope.clusters?.includes(cluster) ?? true) : inScope(scope, ref);
        if (counted) counts.set(fact.type, (counts.get(fact.type) ?? 0) + 1);
      }
      return [...counts].map(([type, count]) => ({ type, count })).toSorted((a, b) => compare(a.type, b.type));
    },
    async arrivals({ clusters }, { from, to }, limit) {
      return history.arrivals
        .filter(({ cluster, lastAt }) => (clusters?.includes(cluster) ?? true) && lastAt >= from && lastAt < to)
        .toSorted((a, b) => b.lastAt - a.lastAt || compare(a.cluster, b.cluster) || compare(a.commit, b.commit))
        .slice(0, limit);
    },
    async arrivalTimes({ clusters }, { from, to }) {
      const arrived = history.arrivals.filter(
        ({ cluster, lastAt }) => (clusters?.includes(cluster) ?? true) && lastAt >= from && lastAt < to,
      );
      const known = arrived.flatMap(({ offeredAt, lastAt }) =>
        offeredAt === null ? [] : [Math.max(0, lastAt - offeredAt)],
      );
      return { took: ascending(known), unknown: arrived.length - known.length };
    },
    async transitions(scope, { from, to }, { cursor, limit }) {
      const transitions = history.transitions
        .map((transition, order) => ({ transition, order }))
        .filter(({ transition }) => inScope(scope, transition.ref))
        .filter(({ transition: { noticedAt } }) => noticedAt >= from && noticedAt < to)
        .toSorted((a, b) => b.transition.noticedAt - a.transition.noticedAt || b.order - a.order);
      return pageOf(
        transitions.map(({ transition }) => transition),
        cursor,
        limit,
      );
    },
    async transitionCount(scope, { from, to }, most) {
      const found = history.transitions
        .filter(({ ref }) => inScope(scope, ref))
        .filter(({ noticedAt }) => noticedAt >= from && noticedAt < to);
      return Math.min(most, found.length);
    },
    async changesBeside(at, scope) {
      const looked = history.coverage.filter(({ cluster, kind }) => {
        if (scope.clusters !== null && !scope.clusters.includes(cluster)) return false;
        return kind === null || scope.kind === undefined || kindText({ kind }) === kindText({ kind: scope.kind });
      });
      const judged = history.transitions.filter(({ ref }) => inScope(scope, ref));
      const times = [...looked.map((change) => change.at), ...judged.map(({ noticedAt }) => noticedAt)];
      const before = times.filter((time) => time < at);
      const after = times.filter((time) => time > at);
      return {
        before: before.length === 0 ? null : Math.max(...before),
        after: after.length === 0 ? null : Math.min(...after),
      };
    },
    async stateAt(at, scope) {
      const spans = spansWithin(scope, { from: at, to: at + 1 }).toSorted((a, b) =>
        compare(refKey(a.ref), refKey(b.ref)),
      );
      return plainFleet(
        history,
        spans.map((span) => ({ ...told(span), traits: span.traits })),
        at,
        scope,
      );
    },
  };
}

/** Gaps of the cluster and of each kind, each by its own points alone. */
function ownGaps(cluster: string, points: readonly CoveragePoint[]): readonly RecordedGap[] {
  const kinds = new Map(points.map((point) => [kindText(point), point.kind]));
  return [...kinds.values()].flatMap((kind) => {
    const own = points.filter((point) => kindText(point) === kindText({ kind }));
    return gapsOf(own, kind ?? { group: '', kind: '' }).map((gap) => ({ cluster, kind, ...gap }));
  });
}

function suspendedBy(span: Span, changes: readonly NotedChange[]): string | null {
  let by: string | null = null;
  const own = changes.filter(({ ref, noticedAt }) => sameRef(ref, span.ref) && noticedAt < (span.to ?? Infinity));
  for (const { fact, noticedAt } of own.toSorted((a, b) => a.noticedAt - b.noticedAt)) {
    if (fact.type === 'suspended') by = fact.by;
    if (fact.type === 'resumed' && noticedAt <= span.from) by = null;
  }
  return by;
}

function timeAway(shares: Shares): number {
  return verdicts.filter(isAway).reduce((sum, verdict) => sum + shares[verdict], 0);
}

function overlaps(span: { readonly from: number; readonly to: number | null }, { from, to }: Period): boolean {
  return span.from < to && (span.to ?? Infinity) > from && (span.to ?? Infinity) > span.from && from < to;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function ascending(times: readonly number[]): Durations {
  return Float64Array.from(times.toSorted((a, b) => a - b));
}

function pageOf<T>(all: readonly T[], cursor: RecordCursor | null, limit: number): RecordPage<T> {
  const start = cursor === null ? 0 : Number(cursor);
  const items = all.slice(start, start + limit);
  return { items, next: start + limit < all.length ? String(start + limit) : null };
}
