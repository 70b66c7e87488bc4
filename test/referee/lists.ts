import { z } from 'zod';
import {
  convergedDuring,
  correctionsOf,
  absencesDuring,
  isDuring,
  isIn,
  lastingAt,
  lengthsOf,
  nameOf,
  objectsIn,
  openedDuring,
  type Scope,
} from './own-count.ts';
import type { RecordRows } from './rows.ts';
import type { Between } from './stretches.ts';
import { Moment, MomentOrNull, WireRef } from './wire.ts';

/** The list of absences, as far as it is counted again. */
export const AbsenceAnswer = z.object({
  rows: z.array(
    z
      .object({
        ref: WireRef,
        openedAt: Moment,
        bound: z.string(),
        noticedAt: Moment,
        closedAt: MomentOrNull,
        ended: z.string().nullable(),
        worst: z.string(),
        reason: z.string(),
      })
      .transform(({ ref, ...rest }) => ({ object: nameOf(ref), ...rest })),
  ),
  figures: z.object({
    opened: z.number(),
    openAtStart: z.number(),
    closed: z.number(),
    closedFromBefore: z.number(),
    gone: z.number(),
    open: z.number(),
    medianToConverge: z.number().nullable(),
    medianToConvergeAtLeast: z.boolean(),
  }),
});
export type AbsenceAnswer = z.infer<typeof AbsenceAnswer>;

/** Further filters of the list, as its query names them. */
export interface AbsenceWish {
  readonly verdict: readonly string[];
  readonly open: boolean | null;
  readonly order: 'longest' | 'newest';
}

/** The list of absences of a period as it is known at `now`. */
export function countAbsences(
  rows: RecordRows,
  scope: Scope,
  period: Between,
  { verdict, open, order }: AbsenceWish,
  now: number,
): AbsenceAnswer {
  const objects = objectsIn(rows, scope);
  const length = (one: { readonly openedAt: number; readonly closedAt: number }): number =>
    Math.min(one.closedAt, period.to) - Math.max(one.openedAt, period.from);
  const during = objects
    .flatMap((object) => absencesDuring([object], period).map((one) => ({ ...one, object: nameOf(object.ref) })))
    .toSorted((a, b) => (order === 'newest' ? b.noticedAt - a.noticedAt : length(b) - length(a)) || b.id - a.id)
    .filter((one) => verdict.length === 0 || verdict.includes(one.worst))
    .filter((one) => open === null || open === one.closedAt > now);
  const all = objects.flatMap(({ absences }) => absences);
  const closed = convergedDuring(objects, period);
  const lengths = lengthsOf(closed);
  return {
    rows: during.map(({ object, openedAt, bound, noticedAt, closedAt, ended, worst, reason }) => ({
      object,
      openedAt,
      bound,
      noticedAt,
      closedAt: closedAt > now ? null : closedAt,
      ended: closedAt > now ? null : ended,
      worst,
      reason,
    })),
    figures: {
      opened: openedDuring(objects, period).length,
      openAtStart: lastingAt(all, period.from).length,
      closed: closed.length,
      closedFromBefore: closed.filter(({ noticedAt }) => noticedAt < period.from).length,
      gone: all.filter(({ ended, closedAt }) => ended !== 'converged' && isDuring(closedAt, period)).length,
      open: lastingAt(all, period.to).length,
      medianToConverge: lengths.medianMs,
      medianToConvergeAtLeast: lengths.medianAtLeast,
    },
  };
}

/** The ledger of corrections, as far as it is counted again. */
export const CorrectionAnswer = z.object({
  rows: z
    .array(z.object({ ref: WireRef, at: Moment, certainty: z.string(), count: z.number() }))
    .transform((rows) => rows.map(({ ref, ...rest }) => JSON.stringify({ object: nameOf(ref), ...rest })).toSorted()),
  days: z.array(z.object({ day: Moment, confirmed: z.number(), probable: z.number(), contested: z.number() })),
});

const day = 86_400_000;

export function countCorrections(rows: RecordRows, scope: Scope, period: Between): z.infer<typeof CorrectionAnswer> {
  const days: z.infer<typeof CorrectionAnswer>['days'] = [];
  for (let start = Math.floor(period.from / day) * day; start < period.to; start += day) {
    const within = { from: Math.max(start, period.from), to: Math.min(start + day, period.to) };
    const { confirmed = 0, probable = 0, contested = 0 } = correctionsOf(rows, scope, within);
    days.push({ day: start, confirmed, probable, contested });
  }
  return {
    rows: rows.corrections
      .filter(({ ref, at }) => isIn(scope, ref) && isDuring(at, period))
      .map(({ ref, at, certainty, count }) => JSON.stringify({ object: nameOf(ref), at, certainty, count }))
      .toSorted(),
    days,
  };
}

/** Changes of verdict, as far as they are counted again. */
export const TransitionAnswer = z.object({
  transitions: z.array(
    z
      .object({ ref: WireRef, noticedAt: Moment, from: z.string().nullable(), to: z.string().nullable() })
      .transform(({ ref, noticedAt, from, to }) => `${noticedAt} ${nameOf(ref)} ${from ?? ''} -> ${to ?? ''}`),
  ),
});

/** All changes of verdict that were noticed in a period, in the order of their words. */
export function countTransitions(rows: RecordRows, scope: Scope, period: Between): readonly string[] {
  return rows.transitions
    .filter(({ ref, noticedAt }) => isIn(scope, ref) && isDuring(noticedAt, period))
    .map(({ ref, noticedAt, from, to }) => `${noticedAt} ${nameOf(ref)} ${from} -> ${to}`)
    .toSorted();
}

/** The list of objects. */
export const ObjectAnswer = z.object({
  total: z.number(),
  objects: z.array(WireRef.extend({ verdict: z.string() })),
});
