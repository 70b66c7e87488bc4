import type { IncomingMessage, ServerResponse } from 'node:http';
import { scopeKey } from '#lib/domain/access/scope.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Asked, AskWho } from './ask-who.ts';
import type { Session } from './sealed.ts';

type SeenViewer = Extract<Asked, { type: 'viewer' }>;

/** Length that an answer may have: a stream until its viewer has left, any other until all of it was made, or what it waits for has come. */
export type Lasting = 'stream' | 'answer';

/** Answers that are under way to viewers who were asked who they are. */
export interface OpenStreams {
  /** Ends one soon after its viewer would be refused, or see something else; a stream also when the viewer's time is over. */
  follow(asked: SeenViewer, lasting: Lasting, request: IncomingMessage, response: ServerResponse): void;
  /** Ends those of a session at once. */
  end(session: Session): void;
}

/** Time (ms) after which who listens is asked again: a token may be revoked, a session end in another process. */
const askedEvery = 30 * second;

/** Makes the keeper of what is under way. */
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
    follow(asked, lasting, request, response) {
      const { viewer, session } = asked;
      if (viewer.by === 'open') return;
      const leave = session === null ? () => undefined : join(session.id, response);
      const until = lasting === 'stream' ? (viewer.until ?? Infinity) : Infinity;
      let timer: Timer | null = null;

      async function look(): Promise<void> {
        if (response.destroyed) return;
        if (isLetIn(await askWho(request), asked, lasting) && until > clock.now()) wait();
        else response.destroy();
      }

      function wait(): void {
        timer = clock.after(Math.min(Math.max(0, until - clock.now()), askedEvery), () => void look());
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

/** True if who asked is still let in, to the same; a proof of a proxy that was good when an answer began is not renewed in it. */
function isLetIn(now: Asked, { viewer }: SeenViewer, lasting: Lasting): boolean {
  if (now.type === 'viewer') return scopeKey(now.viewer.scope) === scopeKey(viewer.scope);
  const { refusal } = now;
  return lasting === 'answer' && refusal.type === 'proof-refused' && refusal.fault.type === 'expired';
}
