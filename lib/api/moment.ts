import { z } from 'zod';
import { parseMoment } from '../format/moment.ts';

/** The moment that is asked for; '' for the present. */
export const AtParameter = z
  .string()
  .refine((text) => text === '' || parseMoment(text) !== null, { error: 'must be a time as in RFC 3339, or ms' })
  .default('')
  .meta({ description: 'A past moment (RFC 3339, or ms since the epoch): what was known then; now where absent.' });

/** A past moment that a page shows, and the nearest at which what it shows changed. All as in `momentText`. */
export interface Moment {
  readonly at: string;
  /** null where nothing of it changed earlier in the record. */
  readonly previous: string | null;
  /** null where nothing of it has changed since. */
  readonly next: string | null;
}

/** Why a page has nothing to show of the moment that its address names. Times as in `momentText`. */
export type NoMoment =
  | { readonly type: 'no-time'; readonly text: string }
  | { readonly type: 'future'; readonly at: string }
  | { readonly type: 'before-record'; readonly at: string; readonly since: string | null }
  | { readonly type: 'unreadable'; readonly at: string };
