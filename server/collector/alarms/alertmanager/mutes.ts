import type { NoticeFact, Route } from '#lib/domain/alarm/fact.ts';
import { routesOf } from '#lib/domain/alarm/check/route-check.ts';
import { mostLabels } from '#lib/domain/pager/label.ts';
import type { AlertGroup, AlertGroups } from './read-groups.ts';

/** Routes that a time interval may mute, with how long each waits before it looks at a new group (ms). */
export type TimedRoutes = ReadonlyMap<Route, number>;

/** Everything that tells what is muted. */
export interface Muting {
  /** null while it is not known. */
  readonly root: Route | null;
  readonly timed: TimedRoutes;
  /** Receivers that call with anything, by name. */
  readonly calling: ReadonlySet<string>;
  /** null where they are not known. */
  readonly groups: AlertGroups | null;
  /** When the alerts were read (ms). */
  readonly at: number;
}

/**
 * Alerts with what mutes them. Where routes without a time interval call as well, or no route calls, nothing has to be known of mutes. Else the groups of an
 * alert tell; it is `untold` where they do not, and `unprocessed` until its route has looked at it. `turn`: lets others have their turn, between alerts.
 */
export async function withMutes(
  notices: readonly NoticeFact[],
  muting: Muting,
  turn: () => Promise<void>,
): Promise<readonly NoticeFact[]> {
  if (muting.timed.size === 0) return notices;
  const found: NoticeFact[] = [];
  for (const [index, notice] of notices.entries()) {
    if (index % alertsInATurn === alertsInATurn - 1) await turn();
    found.push(notice.state === 'active' ? withMutesOf(notice, muting) : notice);
  }
  return found;
}

/** Each is led through all routes: a millisecond at worst. */
const alertsInATurn = 20;

function withMutesOf(notice: NoticeFact, muting: Muting): NoticeFact {
  const routes = callingRoutes(notice, muting);
  if (routes !== null && !isAllTimed(routes, muting)) return notice;
  const groups = (muting.groups?.get(notice.fingerprint) ?? []).filter(({ receiver }) => muting.calling.has(receiver));
  const told = groups.flatMap(({ mutedBy }: AlertGroup) => (mutedBy === null ? [] : [mutedBy]));
  if (groups.length === 0 || told.length < groups.length) return { ...notice, state: 'untold' };
  if (told.every((names) => names.length > 0))
    return { ...notice, state: 'suppressed', mutedBy: [...new Set(told.flat())].toSorted() };
  const wait = Math.max(0, ...(routes ?? []).map((route) => muting.timed.get(route) ?? 0));
  return muting.at < notice.startsAt + wait ? { ...notice, state: 'unprocessed' } : notice;
}

function isAllTimed(routes: readonly Route[], { timed }: Muting): boolean {
  return routes.length > 0 && routes.every((route) => timed.has(route));
}

/** The routes by which an alert calls; null where that cannot be told. */
function callingRoutes({ labels }: NoticeFact, { root, calling }: Muting): readonly Route[] | null {
  if (root === null) return null;
  // With as many labels as are kept it may have more.
  const absent = Object.keys(labels).length < mostLabels ? '' : null;
  const taken = routesOf(root, (name) => (Object.hasOwn(labels, name) ? (labels[name] ?? null) : absent));
  return taken?.filter(({ receiver }) => calling.has(receiver)) ?? null;
}
