import { z } from 'zod';
import { minute, second } from '../../domain/time/length.ts';
import { parseDuration } from '../../domain/time/parse-duration.ts';

const longestWait = 30 * minute;

/** Time to wait: a number of seconds, or a duration. Given in whole seconds. */
export const waitTime = z
  .string()
  .transform((text, context) => {
    const ms = /^\d{1,4}$/.test(text) ? Number(text) * second : parseDuration(text);
    if (ms !== null && ms <= longestWait) return Math.ceil(ms / second);
    context.addIssue({ code: 'custom', message: 'must be seconds or a duration such as 15m, at most 30m' });
    return z.NEVER;
  })
  .prefault('0');
