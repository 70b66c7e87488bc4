import { largeFrom, type CauseFigures } from '#lib/domain/incident/cause-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { isWithin } from '../lists.ts';
import { timeLists, type KeptTimes, type TimeLists } from '../time-lists.ts';
import type { IncidentStep } from './book.ts';

/** Counts of the incidents of a period while they are added up. */
export interface CauseTally extends TimeLists {
  opened: number;
  openAtStart: number;
  closed: number;
  closedFromBefore: number;
  gone: number;
  large: number;
  members: number;
}

/** Begins with nothing counted, and with no times or with such as are in order. */
export function emptyCauses(known?: KeptTimes): CauseTally {
  return {
    opened: 0,
    openAtStart: 0,
    closed: 0,
    closedFromBefore: 0,
    gone: 0,
    large: 0,
    members: 0,
    ...timeLists(known),
  };
}

/** Part of a step that figures count. */
export type Counted = Pick<
  IncidentStep,
  'openedAt' | 'noticedAt' | 'closedAt' | 'bound' | 'ended' | 'mostObjects' | 'members'
>;

/** Counts an incident that stands so. */
export function countCause(tally: CauseTally, incident: Counted, period: Period): void {
  const { openedAt, noticedAt, closedAt, bound, ended, mostObjects, members } = incident;
  const opened = isWithin(noticedAt, period);
  const openAtStart = noticedAt < period.from && (closedAt ?? Infinity) >= period.from;
  if (openAtStart) tally.openAtStart++;
  if ((opened || openAtStart) && mostObjects >= largeFrom) tally.large++;
  if (opened) {
    tally.opened++;
    tally.members += members;
    if (bound === 'exact') tally.toNotice.add(Math.max(0, noticedAt - openedAt));
  }
  if (closedAt === null || !isWithin(closedAt, period)) return;
  if (ended !== 'converged' && ended !== 'seen') {
    tally.gone++;
    return;
  }
  tally.closed++;
  if (!opened) tally.closedFromBefore++;
  tally.toConverge.add(Math.max(0, closedAt - openedAt));
  if (bound === 'at-least') tally.toConvergeAtLeast.add(Math.max(0, closedAt - openedAt));
}

/** The figures of what was counted. */
export function causeFiguresOf(tally: CauseTally): CauseFigures {
  const { opened, openAtStart, closed, closedFromBefore, gone, large, members } = tally;
  return {
    opened,
    openAtStart,
    closed,
    closedFromBefore,
    gone,
    open: opened + openAtStart - closed - gone,
    large,
    members,
    toConverge: tally.toConverge.ascending(),
    toConvergeAtLeast: tally.toConvergeAtLeast.ascending(),
    toNotice: tally.toNotice.ascending(),
  };
}
