import { hour, minute, second } from '#lib/domain/time/length.ts';

/** Minutes in ms. */
export function minutes(count: number): number {
  return count * minute;
}

/** Hours in ms. */
export function hours(count: number): number {
  return count * hour;
}

/** Seconds in ms. */
export function seconds(count: number): number {
  return count * second;
}
