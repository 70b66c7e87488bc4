/**
 * A time as an API server writes it, ms since the epoch. It is cut to whole seconds (metav1.Time) and stands for any moment of its
 * second, so it is never compared with a time of our own by `<` or `>`: the functions below are the one home of that.
 */
export type ApiTime = number;

/** The last moment (ms) for which a time of the API may stand. */
const restOfSecond = 999;

function isCut(time: ApiTime): boolean {
  return time % 1_000 === 0;
}

/** The last moment (ms) that a time of the API may mean: the end of its second, or itself where it tells more (MicroTime). */
export function lastMomentOf(time: ApiTime): number {
  return isCut(time) ? time + restOfSecond : time;
}

/** The last moment (ms) that a time of the API may mean, no later than when we received it at `receivedAt` (ms). */
export function lastMomentReceived(time: ApiTime, receivedAt: number): number {
  return Math.min(lastMomentOf(time), receivedAt);
}

/** The first moment (ms) that a time of the API may mean, no later than `now` (ms): what it dates has lasted at least since then. */
export function noLaterThan(time: ApiTime, now: number): number {
  return Math.min(time, now);
}

/** True if what the API dates so may have come about at or after a moment of our own clock (ms). */
export function mayBeSince(time: ApiTime, moment: number): boolean {
  return lastMomentOf(time) >= moment;
}
