import type { AlarmCall } from '#lib/domain/alarm/call.ts';

/** A call as it was known at `at` (ms): an end that was noticed later is none; null where it was not known itself. */
export function callKnownAt(call: AlarmCall, at: number): AlarmCall | null {
  if (call.from > at) return null;
  return call.to !== null && call.to > at ? { ...call, to: null } : call;
}

/** The end of a call (ms), which is never before its beginning, whatever the clock says. */
export function endOfCall(from: number, to: number): number {
  return Math.max(from, to);
}
