import type { DurationList } from '../../codec/duration-list.ts';

/** The code of 0; that of the comma is below it. */
const zero = 48;

/** Adds times (whole ms) from what GROUP_CONCAT made of them, null where there are none: a row for each costs more than reading one text. */
export function addDurations(list: DurationList, times: string | null): void {
  if (times === null) return;
  let time = 0;
  for (let index = 0; index < times.length; index++) {
    const digit = times.charCodeAt(index) - zero;
    if (digit >= 0) time = time * 10 + digit;
    else {
      list.add(time);
      time = 0;
    }
  }
  list.add(time);
}
