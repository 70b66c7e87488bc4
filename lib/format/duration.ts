import { day, hour, minute, second } from '../domain/time/length.ts';

/** A length of time in its two largest units: "35 s", "47 min", "2 h 4 min", "3 d 4 h". Takes ms; never rounds up, a negative length is "0 s". */
export function formatDuration(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return pair(Math.floor(ms / hour), 'h', Math.floor((ms % hour) / minute), 'min');
  return pair(Math.floor(ms / day), 'd', Math.floor((ms % day) / hour), 'h');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** "at least ", before a length or a time of which only that is known; '' where it is exact. */
export function least({ bound }: { readonly bound: 'exact' | 'at-least' }): string {
  return bound === 'at-least' ? 'at least ' : '';
}

/** The same length as an ISO 8601 duration for <time datetime>: "PT47M". Takes ms. */
export function isoDuration(ms: number): string {
  return `PT${Math.max(0, Math.floor(ms / second))}S`;
}

/** A clock that is so much ahead of ours (ms, negative where it is behind): "10 min ahead of", "7 s behind". */
export function clockLabel(ahead: number): string {
  return `${formatDuration(Math.abs(ahead))} ${ahead < 0 ? 'behind' : 'ahead of'}`;
}
