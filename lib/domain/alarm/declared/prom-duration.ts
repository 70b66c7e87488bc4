import { day, hour, minute, second } from '../../time/length.ts';

const lengths: Readonly<Record<string, number>> = {
  y: 365 * day,
  w: 7 * day,
  d: day,
  h: hour,
  m: minute,
  s: second,
  ms: 1,
};

/** A duration as Prometheus writes it ("12m30s") in ms; null where it is none. */
export function readPromDuration(text: string): number | null {
  if (text === '0') return 0;
  if (text.length > 64 || !/^(?:\d+(?:ms|[ywdhms]))+$/.test(text)) return null;
  return [...text.matchAll(/(\d+)(ms|[ywdhms])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (lengths[unit] ?? 0),
    0,
  );
}
