import { parseMoment } from '../moment.ts';

/** As Go prints a time: "2026-11-21 03:12:00.5 +0000 UTC", with what its clock adds. */
const goTime =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ?([+-]\d\d)(\d\d)(?: [A-Z]{1,5}| [+-]\d\d)?(?: m=[+-][\d.]+)?$/;
const unixSeconds = /^\d{1,11}(?:\.\d{1,9})?$/;

/**
 * A time as pagers give it, in ms since the epoch: RFC 3339, seconds since the epoch (also with decimals), ms since the epoch, or as Go
 * prints one. A "+" that stood in an address unescaped has come as a space. null where it is none.
 */
export function parsePagerTime(given: string): number | null {
  const text = given.trim().replace(/ (?=\d\d:?\d\d(?: UTC)?$)/, '+');
  if (unixSeconds.test(text)) return Math.round(Number(text) * 1000);
  const [, day, clock, hours, minutes] = goTime.exec(text) ?? [];
  return parseMoment(day === undefined ? text : `${day}T${clock}${hours}:${minutes}`);
}
