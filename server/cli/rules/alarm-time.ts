import { minute } from '#lib/domain/time/length.ts';

const second = 1_000;

/** Times of the way from a fault to a call that the rules rest on, in ms. The last two stand in what is written. */
export const wayTimes = {
  /** Between two scrapes of kube-state-metrics, at most. */
  scrape: minute,
  /** Interval of the rule groups. */
  evaluation: 30 * second,
  /** group_wait of the route. Each object is a group of its own, so group_interval delays nothing. */
  groupWait: 30 * second,
} as const;

/**
 * Time that a fault takes to a call beside the `for` of its rule (ms): until it is scraped, until the rule is evaluated, until the evaluation that
 * ends its `for`, until the notification leaves.
 */
export const wayTime = wayTimes.scrape + 2 * wayTimes.evaluation + wayTimes.groupWait;

/** The `for` (ms) with which an alarm sounds within `alarmWithin` (ms), in whole 10 s; 0 where the way alone takes as long. */
export function holdOf(alarmWithin: number): number {
  return Math.max(0, Math.floor((alarmWithin - wayTime) / (10 * second)) * 10 * second);
}

/** True if an alarm can sound within `alarmWithin` (ms) at all. */
export function canHold(alarmWithin: number): boolean {
  return alarmWithin >= wayTime;
}
