import type { IncidentQuestion } from '../../port/incident-port.ts';
import { overlaps, timeWithin } from '../lists.ts';
import type { IncidentStep } from './book.ts';

/** Part of a step by which incidents are asked for. */
export type Asked = Pick<IncidentStep, 'openedAt' | 'noticedAt' | 'closedAt' | 'worst' | 'cause' | 'mostObjects'>;

/** True if an incident that stands so is asked for, wherever its members are. */
export function isAsked(
  { openedAt, noticedAt, closedAt, worst, cause, mostObjects }: Asked,
  { period, at, verdicts, causes, open, objects, lasted }: Omit<IncidentQuestion, 'scope' | 'order'>,
): boolean {
  if (!overlaps({ from: noticedAt, to: closedAt }, period)) return false;
  if (verdicts !== undefined && !verdicts.includes(worst)) return false;
  if (causes !== undefined && !causes.includes(cause.type)) return false;
  if (open !== undefined && open !== (closedAt === null)) return false;
  return mostObjects >= (objects ?? 0) && (closedAt ?? at) - openedAt >= (lasted ?? 0);
}

/** Place of an incident in its order, the largest first; `objectTimeBy` tells its object-ms up to a moment (ms). */
export function rankOf(
  { openedAt, noticedAt, closedAt, mostObjects }: Asked,
  { order, period, at }: Pick<IncidentQuestion, 'order' | 'period' | 'at'>,
  objectTimeBy: (moment: number) => number,
): number {
  const { from } = period;
  const to = Math.min(period.to, at);
  switch (order) {
    case 'newest':
      return noticedAt;
    case 'longest':
      return timeWithin({ from: openedAt, to: closedAt }, { from, to });
    case 'largest':
      return mostObjects;
    case 'worst':
      return objectTimeBy(to) - objectTimeBy(from);
  }
}

/** Object-ms of an incident up to a moment (ms) that is not before its step, if no other follows by then. */
export function objectTimeBy(
  { objectTime, objects, at }: Pick<IncidentStep, 'objectTime' | 'objects' | 'at'>,
  moment: number,
): number {
  return objectTime + objects * (moment - at);
}
