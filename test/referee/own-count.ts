import type { AbsenceRow, ObjectRows, RecordRows, RowRef } from './rows.ts';
import { knownOf, type Between, type Known } from './stretches.ts';

/** The verdicts that say that an object is away from git. */
export const away: ReadonlySet<string> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
]);

/** Which objects are asked about; null or absent for any. */
export interface Scope {
  readonly clusters: readonly string[] | null;
  readonly kind?: { readonly group: string; readonly kind: string } | null;
  readonly namespace?: string;
  readonly name?: string;
}

/** Object time (ms) by verdict; what is 0 may be absent. */
export type OwnShares = ReadonlyMap<string, number>;

export function isIn({ clusters, kind, namespace, name }: Scope, ref: RowRef): boolean {
  if (clusters !== null && !clusters.includes(ref.cluster)) return false;
  if (kind && (kind.group !== ref.group || kind.kind !== ref.kind)) return false;
  return (namespace ?? ref.namespace) === ref.namespace && (name ?? ref.name) === ref.name;
}

/** The objects of a scope. */
export function objectsIn(rows: RecordRows, scope: Scope): readonly ObjectRows[] {
  return rows.objects.filter(({ ref }) => isIn(scope, ref));
}

/** Those of them that can be observed: stacks that are only declared never are. */
export function observableIn(rows: RecordRows, scope: Scope): readonly ObjectRows[] {
  return objectsIn(rows, scope).filter(({ ref }) => ref.group !== 'declared');
}

export function nameOf({ cluster, group, kind, namespace, name }: RowRef): string {
  return [cluster, group, kind, namespace, name].join('/');
}

export function isDuring(at: number, { from, to }: Between): boolean {
  return at >= from && at < to;
}

/** Time for which each state lasted, of stretches. */
export function sharesOf(known: readonly Known[]): OwnShares {
  const shares = new Map<string, number>();
  for (const { state, from, to } of known) shares.set(state, (shares.get(state) ?? 0) + to - from);
  return shares;
}

export function total(shares: OwnShares, states?: ReadonlySet<string>): number {
  return [...shares].reduce((sum, [state, time]) => sum + (states === undefined || states.has(state) ? time : 0), 0);
}

/** Object time away from git. */
export function awayOf(shares: OwnShares): number {
  return total(shares, away);
}

/** Absences of objects that were known and not over at some time in a period; one that was over as it was known is none. */
export function absencesDuring(objects: readonly ObjectRows[], { from, to }: Between): readonly AbsenceRow[] {
  return objects.flatMap(({ absences }) =>
    absences.filter((one) => one.noticedAt < to && one.closedAt > from && one.closedAt > one.noticedAt),
  );
}

/** Absences that ended in a period by converging. */
export function convergedDuring(objects: readonly ObjectRows[], period: Between): readonly AbsenceRow[] {
  return objects.flatMap(({ absences }) =>
    absences.filter(({ ended, closedAt }) => ended === 'converged' && isDuring(closedAt, period)),
  );
}

/** Absences that became known in a period. */
export function openedDuring(objects: readonly ObjectRows[], period: Between): readonly AbsenceRow[] {
  return objects.flatMap(({ absences }) => absences.filter(({ noticedAt }) => isDuring(noticedAt, period)));
}

/** Those of some absences that were noticed before `at` and did not end before it. */
export function lastingAt(absences: readonly AbsenceRow[], at: number): readonly AbsenceRow[] {
  return absences.filter(({ noticedAt, closedAt }) => noticedAt < at && closedAt >= at);
}

/** Count, the value that half of them do not exceed, and the one that 95 of 100 do not. */
export function spreadOf(values: readonly number[]): {
  readonly count: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
} {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (percent: number): number | null => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;
  return { count: sorted.length, medianMs: rank(50), p95Ms: rank(95) };
}

/**
 * The same of absences by how long each lasted, and whether the two values hold however much longer those lasted that began before
 * Plumbline looked.
 */
export function lengthsOf(absences: readonly AbsenceRow[]): ReturnType<typeof spreadOf> & {
  readonly medianAtLeast: boolean;
  readonly p95AtLeast: boolean;
} {
  const length = (one: AbsenceRow): number => one.closedAt - one.openedAt;
  const known = spreadOf(absences.map(length));
  const longest = spreadOf(absences.map((one) => (one.bound === 'at-least' ? Infinity : length(one))));
  return { ...known, medianAtLeast: longest.medianMs !== known.medianMs, p95AtLeast: longest.p95Ms !== known.p95Ms };
}

/** Observed time away beyond `alarmWithin` after the beginning of an absence that was known (object-ms). */
export function overdueOf(
  objects: readonly ObjectRows[],
  rows: RecordRows,
  period: Between,
  alarmWithin: number,
): number {
  return objects
    .flatMap((object) => {
      const bad = knownOf(object, rows, period).filter(({ state }) => away.has(state));
      return object.absences.flatMap(({ openedAt, noticedAt, closedAt }) =>
        bad.map(({ from, to }) => {
          const start = Math.max(from, noticedAt, openedAt + alarmWithin);
          return Math.max(0, Math.min(to, closedAt) - start);
        }),
      );
    })
    .reduce((sum, time) => sum + time, 0);
}

/** One time in which an object was switched off, as far as it is known by the end of a period. */
export interface OwnSuspension {
  readonly ref: RowRef;
  readonly from: number;
  /** null where it lasted beyond the period. */
  readonly to: number | null;
  readonly by: string | null;
  readonly observedMs: number;
}

/** The suspensions that reach into a period, in no order. */
export function suspensionsOf(
  objects: readonly ObjectRows[],
  rows: RecordRows,
  period: Between,
): readonly OwnSuspension[] {
  return objects.flatMap((object) => {
    const known = Map.groupBy(knownOf(object, rows, period), ({ span }) => span);
    return [...known].flatMap(([span, pieces]): OwnSuspension[] => {
      if (span.verdict !== 'suspended') return [];
      const observedMs = sharesOf(pieces).get('suspended') ?? 0;
      const to = span.to >= period.to ? null : span.to;
      return [{ ref: object.ref, from: span.from, to, by: handOf(object, rows, span), observedMs }];
    });
  });
}

/** Who switched it off: the hand of the last suspension noticed before the span ended, unless it was resumed before it began. */
function handOf({ ref }: ObjectRows, { changes }: RecordRows, span: Between): string | null {
  const own = changes.filter((change) => change.ref !== null && nameOf(change.ref) === nameOf(ref));
  const before = own.filter(
    ({ type, noticedAt }) =>
      noticedAt < span.to && (type === 'suspended' || (type === 'resumed' && noticedAt <= span.from)),
  );
  return before.findLast(({ type }) => type === 'suspended' || type === 'resumed')?.by ?? null;
}

/** Number of times drift was undone in a period, by how sure that is. */
export function correctionsOf(
  { corrections }: RecordRows,
  scope: Scope,
  period: Between,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { confirmed: 0, probable: 0, contested: 0 };
  for (const { ref, at, certainty, count } of corrections)
    if (isIn(scope, ref) && isDuring(at, period)) counts[certainty] = (counts[certainty] ?? 0) + count;
  return counts;
}
