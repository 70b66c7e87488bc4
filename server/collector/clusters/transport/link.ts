import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterAccess, RequestHeaders } from '../access.ts';
import type { ClusterTuning } from '../tuning.ts';

/** Needed by everything that links to a cluster. */
export interface LinkDeps {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly tuning: ClusterTuning;
}

/** A request that can only read: a GET, or one of the two access reviews. */
export interface LinkRequest {
  readonly path: string;
  readonly headers: RequestHeaders;
  /** Only for an access review: its JSON. */
  readonly review: string | null;
}

/** Takes the answer to one request, in this order; nothing more comes after `end`, nor after it was cancelled. */
export interface Exchange {
  head(status: number, header: (name: string) => string | null): void;
  data(chunk: Buffer): void;
  /** `lost` is null for a whole answer, else why it broke off. */
  end(lost: string | null): void;
}

/** One physical connection to a cluster (or the pool that HTTP/1.1 needs). */
export interface Link {
  readonly protocol: 'h2' | 'http/1.1';
  /** One more request may be opened; watches leave room for the short ones. */
  room(use: 'watch' | 'get'): boolean;
  /** Opens a request; the function given back cancels it. */
  open(request: LinkRequest, use: 'watch' | 'get', exchange: Exchange): () => void;
  /** Takes no new requests, and closes when the last one has ended. */
  drain(): void;
  close(): void;
}

/** Called by a link on what happens to it. */
export interface LinkEvents {
  /** Any byte arrived. */
  received(): void;
  /** Takes no new requests any more (GOAWAY); those that run go on. */
  drained(): void;
  /** Gone, with the reason; every request has ended before. Exactly once, and not after `close`. */
  lost(reason: string): void;
}
