import { awayOf, correctionsOf, absencesDuring, nameOf, objectsIn, sharesOf, suspensionsOf } from './own-count.ts';
import { amounts, type ReportQuestion } from './figures.ts';
import type { ReportAnswer } from './report-answer.ts';
import { knownOf } from './stretches.ts';

const listed = 10;

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
      const absences = absencesDuring([object], period).length;
      return { ref: object.ref, shares: amounts(shares), awayMs: awayOf(shares), absences, corrections: undone };
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
