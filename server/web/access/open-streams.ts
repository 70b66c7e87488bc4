import type { IncomingMessage, ServerResponse } from 'node:http';
import { scopeKey } from '#lib/domain/access/scope.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Asked, AskWho } from './ask-who.ts';
import type { Session } from './sealed.ts';

/** Streams that are open to viewers who were asked who they are. */
export interface OpenStreams {
  /** Ends a stream when the viewer's time is over, and soon after they would be refused, or see something else. */
  follow(asked: Extract<Asked, { type: 'viewer' }>, request: IncomingMessage, response: ServerResponse): void;
  /** Ends the streams of a session at once. */
  end(session: Session): void;
}

/** Time (ms) after which who listens is asked again: a token may be revoked, a session end in another process. */
const askedEvery = 30 * second;

/** Makes the keeper of streams. */
export function openStreams({ askWho, clock }: { readonly askWho: AskWho; readonly clock: Clock }): OpenStreams {
  const bySession = new Map<string, Set<ServerResponse>>();

  function join(id: string, response: ServerResponse): () => void {
    const streams = bySession.get(id) ?? new Set();
    bySession.set(id, streams.add(response));
    return () => {
      streams.delete(response);
      if (streams.size === 0) bySession.delete(id);
    };
  }

  return {
    follow({ viewer, session }, request, response) {
      if (viewer.by === 'open') return;
      const leave = session === null ? () => undefined : join(session.id, response);
      let timer: Timer | null = null;

      async function look(): Promise<void> {
        if (response.destroyed) return;
        const now = await askWho(request);
        const isSame = now.type === 'viewer' && scopeKey(now.viewer.scope) === scopeKey(viewer.scope);
        if (isSame && (viewer.until === null || viewer.until > clock.now())) wait();
        else response.destroy();
      }

      function wait(): void {
        const left = viewer.until === null ? askedEvery : Math.max(0, viewer.until - clock.now());
        timer = clock.after(Math.min(left, askedEvery), () => void look());
      }

      wait();
      response.once('close', () => {
        timer?.cancel();
        leave();
      });
    },
    end({ id }) {
      for (const response of bySession.get(id) ?? []) response.destroy();
    },
  };
}
