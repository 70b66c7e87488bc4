import { z } from 'zod';
import { durationPattern, parseDuration } from '#lib/domain/time/parse-duration.ts';

/** A duration of more than nothing, read from text, given in ms. */
export const durationSchema = z
  .string({ error: 'must be a duration such as 15m, 90s or 1h30m' })
  .meta({ pattern: durationPattern.source, examples: ['15m', '90s', '1h30m'] })
  .transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== null && ms > 0) return ms;
    context.addIssue({ code: 'custom', message: `"${text}" is not a duration such as 15m, 90s or 1h30m` });
    return z.NEVER;
  });
