import { day, hour, minute, second } from '#lib/domain/time/length.ts';

/**
 * The longest duration that is taken at its word, ms. What is longer, also than Go itself reads, counts as this: were it not known
 * at all, its object would never be overdue.
 */
const longestDuration = 365 * day;

const unitMs: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: second,
  m: minute,
  h: hour,
};

/** A Go duration ("10m0s", "1h30m", "1.5s") in ms, at most a year, or null where the text is none. Source: Go time.ParseDuration. */
export function goDuration(text: string | null): number | null {
  if (text === null || text === '') return null;
  if (text === '0') return 0;
  let total = 0;
  let position = 0;
  while (position < text.length) {
    const start = position;
    while (position < text.length && isDigitOrDot(text.charCodeAt(position))) position += 1;
    const value = Number(text.slice(start, position));
    if (position === start || Number.isNaN(value)) return null;
    const unitStart = position;
    while (position < text.length && !isDigitOrDot(text.charCodeAt(position))) position += 1;
    const unit = unitMs[text.slice(unitStart, position)];
    if (unit === undefined) return null;
    total += value * unit;
  }
  return boundedDuration(Math.round(total));
}

/** A duration (ms) of somebody else's, at most a year. */
export function boundedDuration(duration: number): number {
  return Math.min(duration, longestDuration);
}

function isDigitOrDot(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46;
}
