import { day, hour, minute, second } from '../domain/time/length.ts';

/** A moment as it stands in an address: RFC 3339 in UTC, with milliseconds only where there are any. Takes ms. */
export function momentText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** A moment as an address or the API names it: RFC 3339 with its offset, or ms since the epoch; null where it is neither. */
export function parseMoment(text: string): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const rfc = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  return rfc === null ? null : validTime(`${rfc[1]}T${rfc[2]}`, (rfc[3] ?? 'Z').toUpperCase());
}

const units: Readonly<Record<string, number>> = { s: second, m: minute, min: minute, h: hour, d: day };
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * A moment as people write it, in UTC: what `parseMoment` takes, "2026-11-21 03:12", "21 Nov 03:12:20 UTC", "03:12" (the last one
 * before `now`, ms), "2 h ago", "yesterday 03:12". A day alone is its beginning. null where it is no time.
 */
export function readMoment(text: string, now: number): number | null {
  const words = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?(?:UTC|Z)$/i, (zone) => (/\dZ$/.test(text.trim()) ? zone : ''));
  return parseMoment(words) ?? agoMoment(words, now) ?? clockMoment(words, now) ?? dayMoment(words, now);
}

function agoMoment(words: string, now: number): number | null {
  const ago = /^-? ?(\d+(?:\.\d+)?) ?(s|min|m|h|d)(?: ago)?$/i.exec(words);
  const unit = units[ago?.[2]?.toLowerCase() ?? ''];
  return ago === null || unit === undefined ? null : now - Math.round(Number(ago[1]) * unit);
}

function clockMoment(words: string, now: number): number | null {
  const clock = /^(?:(today|yesterday) )?(\d\d?:\d\d(?::\d\d)?)$/i.exec(words);
  if (clock === null) return null;
  const today = new Date(now).toISOString().slice(0, 10);
  const then = validTime(`${today}T${wholeClock(clock[2] ?? '')}`, 'Z');
  if (then === null) return null;
  const named = clock[1]?.toLowerCase();
  return named === 'yesterday' || (named === undefined && then > now) ? then - day : then;
}

function dayMoment(words: string, now: number): number | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[ Tt](\d\d?:\d\d(?::\d\d)?))?$/.exec(words);
  if (iso !== null) return validTime(`${iso[1]}-${iso[2]}-${iso[3]}T${wholeClock(iso[4] ?? '0:00')}`, 'Z');
  const said = /^(\d\d?) ([a-z]{3})[a-z]*(?: (\d{4}))?,?(?: (\d\d?:\d\d(?::\d\d)?))?$/i.exec(words);
  const month = months.indexOf(said?.[2]?.toLowerCase() ?? '');
  if (said === null || month === -1) return null;
  const inYear = (year: number): number | null =>
    validTime(`${year}-${two(month + 1)}-${two(Number(said[1]))}T${wholeClock(said[4] ?? '0:00')}`, 'Z');
  if (said[3] !== undefined) return inYear(Number(said[3]));
  const year = new Date(now).getUTCFullYear();
  const then = inYear(year);
  return then !== null && then > now ? inYear(year - 1) : then;
}

function wholeClock(clock: string): string {
  const [hours = '', minutes = '', seconds = '0'] = clock.split(':');
  return `${two(Number(hours))}:${two(Number(minutes))}:${two(Number(seconds))}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Date.parse takes 31 February for 3 March: what it makes of a time must read as that time again. */
function validTime(time: string, offset: string): number | null {
  const local = Date.parse(`${time}Z`);
  const there = Date.parse(`${time}${offset}`);
  if (Number.isNaN(local) || Number.isNaN(there)) return null;
  return new Date(local).toISOString().slice(0, 19) === time.slice(0, 19) ? there : null;
}
