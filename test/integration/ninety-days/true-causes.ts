// What a report must count of incidents, from those that the script has. Times in ms.
import type { Script } from '#server/simulator/past/script.ts';
import type { Stretch } from './stretches.ts';
import { incidentsOf, isOfScope, type TrueIncident } from './true-incidents.ts';
import { isDuring, lengthsOf, spread, type TrueScope } from './truth.ts';

/** At so many objects at once an incident is large. */
const largeFrom = 5;

/** Incidents that were known, and not over, at some time in a period, as known at its last moment. */
export function incidentsIn(script: Script, scope: TrueScope, { from, to }: Stretch): readonly TrueIncident[] {
  return incidentsOf(script, to - 1).filter(
    (one) => isOfScope(one, scope) && one.noticedAt < to && one.closedAt > from && one.closedAt > one.noticedAt,
  );
}

function isBack({ ended }: TrueIncident): boolean {
  return ended === 'converged' || ended === 'seen';
}

/** The figures of incidents in a period, as the report has to have them. */
export function causeFiguresOf(script: Script, scope: TrueScope, period: Stretch) {
  const all = incidentsOf(script, period.to - 1).filter((one) => isOfScope(one, scope));
  const opened = all.filter(({ noticedAt }) => isDuring(noticedAt, period));
  const openAtStart = all.filter(({ noticedAt, closedAt }) => noticedAt < period.from && closedAt >= period.from);
  const over = all.filter(({ closedAt }) => isDuring(closedAt, period));
  const closed = over.filter(isBack);
  const known = lengthsOf(closed);
  const longest = Math.max(0, ...closed.map(({ openedAt, closedAt }) => closedAt - openedAt));
  return {
    opened: opened.length,
    openAtStart: openAtStart.length,
    closed: closed.length,
    closedFromBefore: closed.filter(({ noticedAt }) => noticedAt < period.from).length,
    gone: over.length - closed.length,
    open: opened.length + openAtStart.length - over.length,
    large: [...opened, ...openAtStart].filter(({ most }) => most.objects >= largeFrom).length,
    members: opened.reduce((sum, { members }) => sum + members.length, 0),
    toNotice: spread(opened.filter(({ bound }) => bound === 'exact').map((one) => one.noticedAt - one.openedAt)),
    toConverge: {
      ...known,
      longestMs: closed.length === 0 ? null : longest,
      longestAtLeast: closed.some(({ bound }) => bound === 'at-least'),
    },
    toConvergeAtLeast: closed.filter(({ bound }) => bound === 'at-least').length,
  };
}

/** Time that each incident had lasted that closed in a period (ms). */
export function causesClosedIn(script: Script, scope: TrueScope, period: Stretch): readonly number[] {
  return incidentsOf(script, period.to - 1)
    .filter((one) => isOfScope(one, scope) && isBack(one) && isDuring(one.closedAt, period))
    .map(({ openedAt, closedAt }) => closedAt - openedAt);
}

/** Object-ms of an incident within a period, as known at its last moment. */
export function objectTimeIn({ members }: TrueIncident, { from, to }: Stretch): number {
  return members
    .flatMap(({ objects, known }) => known.map((one) => objects * (Math.min(one.to, to) - Math.max(one.from, from))))
    .reduce((sum, each) => sum + Math.max(0, each), 0);
}
