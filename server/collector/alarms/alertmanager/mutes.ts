import type { NoticeFact, Route } from '#lib/domain/alarm/fact.ts';
import { routesOf } from '#lib/domain/alarm/check/route-check.ts';
import { mostLabels } from '#lib/domain/pager/label.ts';

/** Routes of an Alertmanager. */
export interface TimedRoutes {
  /** null while they are not known. */
  readonly root: Route | null;
  /** Those of them that a time interval may mute. */
  readonly timed: ReadonlySet<Route>;
  /** Receivers that call with anything, by name. */
  readonly calling: ReadonlySet<string>;
}

/** Alerts as far as routes tell of mutes: one that is `untold` is active where a route that calls is muted by no time interval, or no route calls. */
export function withMutes(notices: readonly NoticeFact[], routes: TimedRoutes): readonly NoticeFact[] {
  return notices.map((notice) =>
    notice.state === 'untold' && !mayBeMuted(notice, routes) ? { ...notice, state: 'active' } : notice,
  );
}

function mayBeMuted({ labels }: NoticeFact, { root, timed, calling }: TimedRoutes): boolean {
  if (root === null) return true;
  if (timed.size === 0) return false;
  // With as many as are kept it may have more.
  const absent = Object.keys(labels).length < mostLabels ? '' : null;
  const taken = routesOf(root, (name) => (Object.hasOwn(labels, name) ? (labels[name] ?? null) : absent));
  if (taken === null) return true;
  const called = taken.filter(({ receiver }) => calling.has(receiver));
  return called.length > 0 && called.every((route) => timed.has(route));
}
