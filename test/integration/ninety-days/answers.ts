import { z } from 'zod';
import { until } from '#server/collector/clusters/testing/until.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { startApi, type Query } from '../running/running-api.ts';

/** The API over HTTP. What is refused throws with the body of the answer. */
export type Answers = Awaited<ReturnType<typeof answersOf>>;

const NextPage = z.object({ nextCursor: z.string().nullable() });

/** Serves the store at `path` as at `now` (ms), which stands: what waits is done after as long as it takes. */
export async function answersOf(path: string, now: number) {
  const { follower, text, ask, runtime, stop } = await startApi(path, { ...systemClock, now: () => now });
  await until('the store to be read', () => follower.synced());

  /** Every page of a list, one after the other. */
  async function askAll(place: string, query: Query): Promise<readonly unknown[]> {
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const page = await ask(place, { ...query, limit: '1000', cursor });
      pages.push(page);
      cursor = NextPage.parse(page).nextCursor ?? '';
    } while (cursor !== '');
    return pages;
  }

  return { text, ask, askAll, runtime, stop };
}
