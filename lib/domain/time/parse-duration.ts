import { day, hour, minute, second } from './length.ts';

const unitMs = { ms: 1, s: second, m: minute, h: hour, d: day } as const;

/** A duration as text, for a schema too. */
export const durationPattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/**
 * A duration as Kubernetes and Prometheus write it (15m, 1h30m, 90s, 2d) in ms; null where the text is none.
 * A bare number is none: its unit would be a guess.
 */
export function parseDuration(text: string): number | null {
  if (!durationPattern.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    if (unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')
      total += Number(amount) * unitMs[unit];
  }
  return total;
}
