import { z } from 'zod';
import { day, hour, minute, second } from '#lib/domain/time/length.ts';

const unitMs = { ms: 1, s: second, m: minute, h: hour, d: day } as const;
const pattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/**
 * A duration as Kubernetes and Prometheus write it (15m, 1h30m, 90s, 2d) in ms; null where the text is none.
 * A bare number is none: its unit would be a guess.
 */
export function parseDuration(text: string): number | null {
  if (!pattern.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    if (unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')
      total += Number(amount) * unitMs[unit];
  }
  return total;
}

/** A duration of more than nothing, read from text, given in ms. */
export const durationSchema = z
  .string({ error: 'must be a duration such as 15m, 90s or 1h30m' })
  .meta({ pattern: pattern.source, examples: ['15m', '90s', '1h30m'] })
  .transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== null && ms > 0) return ms;
    context.addIssue({ code: 'custom', message: `"${text}" is not a duration such as 15m, 90s or 1h30m` });
    return z.NEVER;
  });
