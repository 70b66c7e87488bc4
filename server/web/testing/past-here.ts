import type { Clock } from '#server/runtime/clock.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { keptMoments, type PastSettings } from '../past/kept-moments.ts';
import type { PastAnswers } from '../past/past-moments.ts';

/** Answers of past moments without a thread, by a clock that a test moves. */
export async function openPastHere(store: StoreReader, settings: PastSettings, clock: Clock): Promise<PastAnswers> {
  const momentOf = keptMoments(store, settings, clock);
  return {
    async moment(asked) {
      const moment = await momentOf(asked);
      return {
        ask: async (endpoint, query) => endpoint.ask(moment, query),
        file: async (endpoint, query, origin) => (await endpoint.ofPast?.file(moment, query, origin)) ?? null,
        summary: async () => moment.summary(),
      };
    },
    close: async () => undefined,
  };
}
