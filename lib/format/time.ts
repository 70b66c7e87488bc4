const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const two = (value: number): string => String(value).padStart(2, '0');

function clock(at: Date): string {
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
}

/** Milliseconds since the epoch of a time on the wire (RFC 3339); null where the text is no time. */
export function parseTime(time: string): number | null {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

/** "21 Nov 02:12:20 UTC"; with the year ("21 Nov 2025 02:12:20 UTC") where it is another one than that of `now`. Takes ms. */
export function formatTime(ms: number, now: number): string {
  return `${formatDay(ms, now)} ${clock(new Date(ms))} UTC`;
}

/** "02:59:14 UTC". Takes ms. */
export function formatClock(ms: number): string {
  return `${clock(new Date(ms))} UTC`;
}

/** The day alone: "21 Nov"; with the year where it is another one than that of `beside`, or is asked for. Takes ms. */
export function formatDay(ms: number, beside: number | 'year'): string {
  const at = new Date(ms);
  const named = beside === 'year' || new Date(beside).getUTCFullYear() !== at.getUTCFullYear();
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}${named ? ` ${at.getUTCFullYear()}` : ''}`;
}

/** To the minute, for tables whose head says that times are UTC: "21 Nov 02:12"; the year as in `formatDay`. Takes ms. */
export function shortTime(ms: number, beside: number | 'year'): string {
  const at = new Date(ms);
  return `${formatDay(ms, beside)} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
}
