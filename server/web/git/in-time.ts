import type { KnownMoment } from '../fleet/known-moment.ts';

/** The answer, or null where it takes longer than `most` ms. Rejects as the answer does. */
export function inTime<Answer>(
  { after }: Pick<KnownMoment, 'after'>,
  most: number,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const timer = after(most, () => resolve(null));
    answer.then(resolve, reject).finally(() => timer.cancel());
  });
}
