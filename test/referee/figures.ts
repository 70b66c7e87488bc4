import { z } from 'zod';
import { AlarmAnswer, countAlarms } from './alarms.ts';
import { countIncidents, IncidentFigures } from './incidents.ts';
import {
  awayOf,
  convergedDuring,
  correctionsOf,
  isDuring,
  isIn,
  lastingAt,
  lengthsOf,
  observableIn,
  openedDuring,
  overdueOf,
  sharesOf,
  spreadOf,
  total,
  type OwnShares,
  type Scope,
} from './own-count.ts';
import type { RecordRows } from './rows.ts';
import { knownOf, type Between } from './stretches.ts';
import { FleetWall, countFleetWall } from './wall-clock.ts';
import { Amounts } from './wire.ts';

const Spread = z.object({ count: z.number(), medianMs: z.number().nullable(), p95Ms: z.number().nullable() });
export const Certainties = z.record(z.string(), z.number());

export const Figures = z.object({
  wall: FleetWall,
  objects: z.number(),
  declared: z.number(),
  shares: Amounts,
  existedMs: z.number(),
  observedMs: z.number(),
  convergedMs: z.number(),
  awayMs: z.number(),
  suspendedMs: z.number(),
  unconfirmedMs: z.number(),
  convergedShare: z.number().nullable(),
  observedShare: z.number().nullable(),
  incidents: IncidentFigures.nullable(),
  absences: z.object({
    opened: z.number(),
    openAtStart: z.number(),
    closed: z.number(),
    closedFromBefore: z.number(),
    gone: z.number(),
    open: z.number(),
    toNotice: Spread,
    toConverge: Spread.extend({ medianAtLeast: z.boolean(), p95AtLeast: z.boolean() }),
    toConvergeAtLeast: z.number(),
  }),
  overdueMs: z.number(),
  alarms: AlarmAnswer,
  arrivals: Spread.extend({ unknown: z.number() }),
  corrections: Certainties,
  changes: z.object({
    exemptionsOpened: z.number(),
    exemptionsClosed: z.number(),
    suspended: z.number(),
    resumed: z.number(),
  }),
});
export type Figures = z.infer<typeof Figures>;

/** Parameters of the question; times and durations in ms. */
export interface ReportQuestion {
  readonly rows: RecordRows;
  readonly scope: Scope;
  readonly period: Between;
  readonly alarmWithin: number;
}

/** Amounts of shares that are not nothing. */
export function amounts(shares: OwnShares): Record<string, number> {
  return Object.fromEntries([...shares].filter(([, time]) => time !== 0));
}

/** The figures of one period. */
export function countFigures({ rows, scope, period, alarmWithin }: ReportQuestion): Figures {
  const objects = observableIn(rows, scope);
  const shares = sharesOf(objects.flatMap((object) => knownOf(object, rows, period)));
  const existed = total(shares);
  const observed = existed - (shares.get('unobserved') ?? 0);
  const of = (state: string): number => shares.get(state) ?? 0;
  const all = objects.flatMap(({ absences }) => absences);
  const [opened, closed] = [openedDuring(objects, period), convergedDuring(objects, period)];
  const noted = rows.changes.filter(({ ref, at }) => ref !== null && isIn(scope, ref) && isDuring(at, period));
  const many = (type: string): number => noted.filter((change) => change.type === type).length;
  return {
    wall: countFleetWall(rows, scope, period),
    objects: objects.filter((object) => knownOf(object, rows, period).length > 0).length,
    declared: rows.objects.filter(
      (object) =>
        isIn(scope, object.ref) && object.ref.group === 'declared' && knownOf(object, rows, period).length > 0,
    ).length,
    shares: amounts(shares),
    existedMs: existed,
    observedMs: observed,
    convergedMs: of('converged'),
    awayMs: awayOf(shares),
    suspendedMs: of('suspended'),
    unconfirmedMs: of('unconfirmed'),
    convergedShare: observed === 0 ? null : of('converged') / observed,
    observedShare: existed === 0 ? null : observed / existed,
    incidents: countIncidents(rows, scope, period),
    absences: {
      opened: opened.length,
      openAtStart: lastingAt(all, period.from).length,
      closed: closed.length,
      closedFromBefore: lastingAt(closed, period.from).length,
      gone: all.filter(({ ended, closedAt }) => ended !== 'converged' && isDuring(closedAt, period)).length,
      open: lastingAt(all, period.to).length,
      toNotice: spreadOf(opened.filter(({ bound }) => bound === 'exact').map((one) => one.noticedAt - one.openedAt)),
      toConverge: lengthsOf(closed),
      toConvergeAtLeast: closed.filter(({ bound }) => bound === 'at-least').length,
    },
    overdueMs: overdueOf(objects, rows, period, alarmWithin),
    alarms: countAlarms({ rows, scope, period, alarmWithin }),
    arrivals: arrivalsOf(rows, scope, period),
    corrections: correctionsOf(rows, scope, period),
    changes: {
      exemptionsOpened: many('exemption-added'),
      exemptionsClosed: many('exemption-removed'),
      suspended: many('suspended'),
      resumed: many('resumed'),
    },
  };
}

function arrivalsOf({ arrivals }: RecordRows, { clusters }: Scope, period: Between): Figures['arrivals'] {
  const arrived = arrivals.filter(
    ({ cluster, lastAt }) => (clusters?.includes(cluster) ?? true) && lastAt !== null && isDuring(lastAt, period),
  );
  const took = arrived.flatMap(({ offeredAt, lastAt }) =>
    offeredAt === null || lastAt === null ? [] : lastAt - offeredAt,
  );
  return { ...spreadOf(took), unknown: arrived.length - took.length };
}
