import type { AlarmState } from '../alarm/link.ts';
import type { CurrentObject } from '../record/current.ts';
import { isExempted } from '../exemption/opt-out.ts';
import { plannedWorkOn, type PlannedWork } from '../exemption/planned-work.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { minute } from '../time/length.ts';

export const guarantees = ['holds', 'broken', 'off', 'unknown', 'planned', 'declared'] as const;

/**
 * The sentence, for one object. Counted apart, so that neither turns the sentence of a fleet: `planned`, its cluster is under
 * planned work; `declared`, it is only declared and can never be observed.
 */
export type Guarantee = (typeof guarantees)[number];

/** Durations of the policy in ms. */
export interface Policy {
  /** Time for which an object may be away before an alarm must sound. */
  readonly alarmWithin: number;
  /** Intervals without a pass after which a loop is stale. */
  readonly staleAfterIntervals: number;
  /** Time for which a newer artifact may wait before its applier is behind. */
  readonly behindAfter: number;
  /** Planned work on clusters: what is away on them meanwhile is counted apart, neither broken nor good. */
  readonly maintenance: readonly PlannedWork[];
  /** `count`: a notification that Flux certainly sends is an alarm that sounds. A message in a channel is no page, so that has to be said. */
  readonly notifications: 'count' | 'show';
}

/** Defaults of plumbline.yaml: 15 min, 3 intervals, 10 min, no planned work, notifications only shown. */
export const defaultPolicy: Policy = {
  alarmWithin: 15 * minute,
  staleAfterIntervals: 3,
  behindAfter: 10 * minute,
  maintenance: [],
  notifications: 'show',
};

const away: Readonly<Record<Verdict, 'away' | 'off' | 'unknown' | 'home'>> = {
  diverged: 'away',
  drifted: 'away',
  unhealthy: 'away',
  stale: 'away',
  unobserved: 'unknown',
  suspended: 'off',
  behind: 'away',
  waiting: 'away',
  progressing: 'away',
  unconfirmed: 'unknown',
  converged: 'home',
};

/** True if a verdict asks for an alarm: the object is away from git, or stale, so that nobody knows whether it is. */
export function isAway(verdict: Verdict): boolean {
  return away[verdict] === 'away';
}

/**
 * The guarantee of one object, already as known at `now` (ms).
 * holds: converged, or away with an alarm sounding, or away for less than `alarmWithin`;
 * broken: away beyond it and silent; off: suspended, or exempted; unknown: not seen, not confirmed, or away while alarms cannot be read;
 * planned: away with no alarm sounding while its cluster is under planned work; declared: no loop reports on it.
 */
export function guaranteeOf(
  object: CurrentObject & { readonly alarm: AlarmState },
  policy: Policy,
  now: number,
): Guarantee {
  if (object.role === 'declared') return 'declared';
  const standing = away[object.verdict];
  switch (standing) {
    case 'home':
      return isExempted(object) ? 'off' : 'holds';
    case 'off':
      return 'off';
    case 'unknown':
      return object.verdict !== 'unobserved' && isExempted(object) ? 'off' : 'unknown';
    case 'away': {
      if (object.alarm.state === 'sounding') return 'holds';
      if (plannedWorkOn(policy.maintenance, object.ref.cluster, now) !== null) return 'planned';
      if (object.alarm.state === 'unknown') return 'unknown';
      const since = object.awaySince ?? object.onset;
      return now < since.time + policy.alarmWithin ? 'holds' : 'broken';
    }
  }
}
