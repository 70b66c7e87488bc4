import { z } from 'zod';

/**
 * Why nothing is known of when a commit came to a cluster: the viewer sees a part of the cluster, and arrivals are kept for whole ones; or record or mirror
 * could not be read for it. null where what is recorded is told.
 */
export const WireTimesNotKnown = z.enum(['part-of-cluster', 'not-read']).nullable();
export type TimesNotKnown = NonNullable<z.infer<typeof WireTimesNotKnown>>;

/** The same in words. */
export const timesNotKnownWords: Readonly<Record<TimesNotKnown, string>> = {
  'part-of-cluster': 'not known in your view',
  'not-read': 'not known',
};
