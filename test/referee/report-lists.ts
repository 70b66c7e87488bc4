import { awayOf, correctionsOf, incidentsDuring, nameOf, objectsIn, sharesOf, suspensionsOf } from './own-count.ts';
import { amounts, type ReportQuestion } from './figures.ts';
import type { ReportAnswer } from './report-answer.ts';
import type { IncidentRow, ObjectRows, RowCause, SpanRow } from './rows.ts';
import { knownOf, type Between } from './stretches.ts';

const listed = 10;
/** Worst first. */
const worstFirst = ['diverged', 'drifted', 'unhealthy', 'stale', 'behind', 'waiting', 'progressing'];

/** Where a fault lay, in words. */
function titleOf({ type, cluster, kind, name, ref, providerConfig }: RowCause): string {
  switch (type) {
    case 'object':
      return `${ref?.name} on ${ref?.cluster}`;
    case 'controller':
      return `${name} on ${cluster}`;
    case 'cluster':
      return cluster ?? '';
    case 'feed':
      return `${kind} on ${cluster}`;
    case 'shared-error':
      return `${providerConfig?.kind} ${providerConfig?.name} on ${cluster}`;
  }
}

function lastedIn(one: IncidentRow, { to }: Between): number {
  return Math.min(one.closedAt, to) - one.openedAt;
}

/** The first of its worst spans so far. */
function worstOf(object: ObjectRows, one: IncidentRow, { to }: Between): Pick<SpanRow, 'verdict' | 'reason' | 'cause'> {
  const end = Math.min(one.closedAt, to);
  const own = object.spans.filter((span) => span.uid === one.uid && span.from < end && span.to > one.noticedAt);
  const [worst] = worstFirst.flatMap((word) => own.filter(({ verdict }) => verdict === word));
  return worst ?? { verdict: one.worst, reason: one.reason, cause: one.cause };
}

/** The longest times away, as they stood at the end of the period. */
export function incidentsOf({ rows, scope, period }: ReportQuestion): ReportAnswer['incidents'] {
  return objectsIn(rows, scope)
    .flatMap((object) => incidentsDuring([object], period).map((one) => ({ object, one })))
    .toSorted((a, b) => lengthIn(b.one, period) - lengthIn(a.one, period) || b.one.id - a.one.id)
    .slice(0, listed)
    .map(({ object, one }) => {
      const over = one.closedAt < period.to;
      const { openedAt, bound, noticedAt, closedAt, ended } = one;
      const end = { closedAt: over ? closedAt : null, ended: over ? ended : null };
      const { verdict: worst, reason, cause } = worstOf(object, one, period);
      const rootCause = cause === null ? null : { title: titleOf(cause) };
      const lastedMs = lastedIn(one, period);
      return { ref: object.ref, openedAt, bound, noticedAt, ...end, lastedMs, worst, reason, rootCause };
    });
}

/** Part of the period that it takes (ms). */
function lengthIn(one: IncidentRow, { from, to }: Between): number {
  return Math.min(one.closedAt, to) - Math.max(one.openedAt, from);
}

/** Who was away longest; of equals the first by name. */
export function offendersOf({ rows, scope, period }: ReportQuestion): ReportAnswer['offenders'] {
  return objectsIn(rows, scope)
    .map((object) => ({ object, shares: sharesOf(knownOf(object, rows, period)) }))
    .filter(({ shares }) => awayOf(shares) > 0)
    .toSorted((a, b) => awayOf(b.shares) - awayOf(a.shares) || (nameOf(a.object.ref) < nameOf(b.object.ref) ? -1 : 1))
    .slice(0, listed)
    .map(({ object, shares }) => {
      const { cluster, group, kind, namespace, name } = object.ref;
      const own = { clusters: [cluster], kind: { group, kind }, namespace, name };
      const undone = Object.values(correctionsOf(rows, own, period)).reduce((sum, each) => sum + each, 0);
      const incidents = incidentsDuring([object], period).length;
      return { ref: object.ref, shares: amounts(shares), awayMs: awayOf(shares), incidents, corrections: undone };
    });
}

/** The longest suspensions, and whose they are. */
export function suspensionsIn({ rows, scope, period }: ReportQuestion): ReportAnswer['suspensions'] {
  const all = suspensionsOf(objectsIn(rows, scope), rows, period).toSorted((a, b) => b.observedMs - a.observedMs);
  const hands = [...Map.groupBy(all, ({ by }) => by)].map(([by, of]) => ({
    by,
    observedMs: of.reduce((sum, each) => sum + each.observedMs, 0),
    count: of.length,
  }));
  return { longest: all.slice(0, listed), byWhom: hands.toSorted((a, b) => (String(a.by) < String(b.by) ? -1 : 1)) };
}
