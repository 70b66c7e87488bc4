import { describeOpenRefusal, type OpenRefusal } from '#server/store/port/open-refusal.ts';
import { startThread } from '#server/runtime/thread/thread.ts';
import type { PastSettings } from './kept-moments.ts';
import { threadTurns } from '../turns/thread-turns.ts';
import type { PastAnswers } from './past-moments.ts';

/** Opens the SQLite store at `path` in a thread of its own that answers of past moments. Throws where it cannot. */
export async function openPastThread(path: string, settings: PastSettings): Promise<PastAnswers> {
  const { thread } = await startThread({
    file: new URL('./past-worker.ts', import.meta.url),
    data: null,
    name: 'past',
    does: 'that answers of the past',
  });
  const close = (): Promise<void> => thread.end('The past is answered no more.');
  const refusal = await thread.call<OpenRefusal | null>('open', [path, settings]);
  if (refusal !== null) {
    await close();
    throw new Error(describeOpenRefusal(refusal));
  }
  const inTurn = threadTurns();
  return {
    async moment(asked) {
      await inTurn(() => thread.call('read', [asked]));
      return {
        ask: (endpoint, query) => inTurn(() => thread.call('ask', [asked, endpoint.described.path, query])),
        file: (endpoint, query, origin) =>
          inTurn(() => thread.call('file', [asked, endpoint.described.path, query, origin])),
        summary: () => inTurn(() => thread.call('summary', [asked])),
      };
    },
    close,
  };
}
