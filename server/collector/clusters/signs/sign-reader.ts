import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { type ForeignObject, listAt } from '#lib/foreign.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { ClusterEvent, FeedState } from '../cluster-event.ts';
import type { GuardedDeps } from '../boundary.ts';

/** The answer to a request: its feed, and its body where it went well. */
export interface SignAnswer {
  readonly feed: FeedState;
  readonly body: ForeignObject | null;
}

/** Reads signs of life, and says how that goes; nothing more once it is stopped. */
export type SignReader = ReturnType<typeof createSignReader>;

/** Needed to read signs of life; events go to `on`. */
export interface SignDeps extends GuardedDeps {
  readonly on: (event: ClusterEvent) => void;
}

function refused(message: string): SignAnswer {
  return { feed: { state: 'failed', fault: { type: 'protocol', message } }, body: null };
}

function tooMany(path: string, count: number, most: number): string {
  return `it lists ${countOf(count, 'object')}; at most ${formatCount(most)} are read: ${path}`;
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
        case 'ok': {
          const count = listAt(answer.body, 'items').length;
          if (count > tuning.signsAtMost) return refused(tooMany(path, count, tuning.signsAtMost));
          return { feed: { state: 'live' }, body: answer.body };
        }
        case 'fault': {
          const { fault } = answer;
          return { feed: { state: fault.type === 'forbidden' ? 'forbidden' : 'failed', fault }, body: null };
        }
        case 'not-modified':
        case 'too-large': {
          return refused(`the answer to ${path} cannot be read`);
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
