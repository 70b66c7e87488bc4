import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { ClusterEvent, FeedState } from '../cluster-event.ts';
import type { ReadingDeps } from '../reading-deps.ts';

/** The answer to a request: its feed, and its body where it went well. */
export interface SignAnswer {
  readonly feed: FeedState;
  readonly body: ForeignObject | null;
}

/** Reads signs of life, and tells how that goes. Nothing is told once it is stopped. */
export interface SignReader {
  read(path: string, accept?: string): Promise<SignAnswer>;
  /** Tells the feed of a kind when it has changed. */
  tell(kind: GroupKind, feed: FeedState): void;
}

/** What reads signs of life needs. */
export interface SignDeps extends ReadingDeps {
  readonly on: (event: ClusterEvent) => void;
}

/** The search for namespaces needs no more of an object than its metadata. */
export const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

export function createSignReader({ transport, clock, tuning, on }: SignDeps, signal: AbortSignal): SignReader {
  const told = new Map<GroupKind, string>();
  return {
    async read(path, accept) {
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
    tell(kind, feed) {
      const words = JSON.stringify(feed);
      if (signal.aborted || words === told.get(kind)) return;
      told.set(kind, words);
      on({ type: 'feed', at: clock.now(), kind, feed });
    },
  };
}
