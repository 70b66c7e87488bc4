import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { ClusterEvent, FeedState } from '../cluster-event.ts';
import type { ReadingDeps } from '../reading-deps.ts';

/** The answer to a request: its feed, and its body where it went well. */
export interface SignAnswer {
  readonly feed: FeedState;
  readonly body: ForeignObject | null;
}

/** Reads signs of life, and says how that goes; nothing more once it is stopped. */
export type SignReader = ReturnType<typeof createSignReader>;

/** Needed to read signs of life; events go to `on`. */
export interface SignDeps extends ReadingDeps {
  readonly on: (event: ClusterEvent) => void;
}

export function createSignReader({ transport, clock, tuning, on }: SignDeps, signal: AbortSignal) {
  const emitted = new Map<GroupKind, string>();
  return {
    async read(path: string, accept?: string): Promise<SignAnswer> {
      const answer = await transport.get(path, {
        timeout: tuning.getTimeout,
        most: tuning.answerBytes,
        signal,
        ...(accept === undefined ? {} : { accept }),
      });
      if (signal.aborted) return { feed: { state: 'live' }, body: null };
      switch (answer.type) {
        case 'ok':
          return { feed: { state: 'live' }, body: answer.body };
        case 'fault': {
          const { fault } = answer;
          return { feed: { state: fault.type === 'forbidden' ? 'forbidden' : 'failed', fault }, body: null };
        }
        case 'not-modified':
        case 'too-large': {
          const fault = { type: 'protocol', message: `the answer to ${path} cannot be read` } as const;
          return { feed: { state: 'failed', fault }, body: null };
        }
      }
    },
    /** Sends the feed of a kind when it has changed. */
    emit(kind: GroupKind, feed: FeedState): void {
      const text = JSON.stringify(feed);
      if (signal.aborted || text === emitted.get(kind)) return;
      emitted.set(kind, text);
      on({ type: 'feed', at: clock.now(), kind, feed });
    },
  };
}
