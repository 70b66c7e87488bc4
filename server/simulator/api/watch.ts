import type { BodyStream } from './exchange.ts';
import type { KindStore, StoredObject, StoreEvent } from './object-store.ts';
import { bytesOf } from './representation.ts';
import type { Representation } from './representation.ts';
import type { Selection } from './selection.ts';

/** Parameters of a watch, after they were checked. Times in ms. */
export interface WatchRequest {
  readonly kind: KindStore;
  readonly selection: Selection;
  readonly as: Representation;
  /** Objects to send as ADDED before anything else. */
  readonly initial: readonly StoredObject[];
  /** Version of the bookmark that ends `initial`, null where no such bookmark is due. */
  readonly initialEnd: number | null;
  /** Nothing up to this version is ever said, bookmarks included: a version that lies in the future silences the watch. */
  readonly after: number;
  /** Events to send after `initial`. */
  readonly missed: readonly StoreEvent[];
  readonly bookmarks: boolean;
  readonly deadline: number;
}

/** Treatment of watches by the server; read at every use, so that faults work at once. */
export interface WatchManners {
  readonly bookmarkInterval: number;
  now(): number;
  resourceVersion(): number;
  bookmarksDropped(): boolean;
}

/** One open watch. */
export interface Watch {
  readonly kind: KindStore;
  /** Sends a bookmark or ends the watch where that is due. */
  tick(): void;
  /** From now on nothing is ever sent, and the stream stays open. */
  mute(): void;
  sendRaw(line: string): void;
  end(): void;
  reset(): void;
  drained(): void;
  closed(): void;
}

function bookmarkLine(as: Representation, resourceVersion: number, endsInitial: boolean): Buffer {
  const annotations = endsInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(resourceVersion), creationTimestamp: null, ...annotations };
  const object = { kind: as.objectKind, apiVersion: as.objectApiVersion, metadata };
  return Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
}

function objectLine(type: string, object: StoredObject, as: Representation): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), bytesOf(object, as), Buffer.from('}\n')]);
}

/** The lines that wait for a client that reads slowly. */
function createOutbox(body: BodyStream) {
  let queue: (() => Buffer)[] = [];
  let next = 0;
  let flowing = true;
  let open = true;

  /** Sends what waits, as far as the client takes it. */
  function pump(): void {
    while (open && flowing && next < queue.length) {
      const line = queue[next++];
      if (line) flowing = body.write(line());
    }
    if (next === queue.length && next > 0) {
      queue = [];
      next = 0;
    }
  }

  return {
    push: (line: () => Buffer): void => void queue.push(line),
    pump,
    drained(): void {
      flowing = true;
      pump();
    },
    close(): void {
      open = false;
      queue = [];
    },
  };
}

function firstBookmark(deadline: number, manners: WatchManners): number {
  const regular = manners.now() + manners.bookmarkInterval;
  const last = deadline - 2000;
  return last > manners.now() ? Math.min(regular, last) : regular;
}

/**
 * Runs one watch on an open body. Lines are made when they are sent, so a client that reads slowly costs a list of
 * references and no bytes. `onClosed` is called once, however it ends.
 */
export function runWatch(request: WatchRequest, body: BodyStream, manners: WatchManners, onClosed: () => void): Watch {
  const { as, selection, kind } = request;
  const outbox = createOutbox(body);
  let muted = false;
  let open = true;
  let bookmarkDue = firstBookmark(request.deadline, manners);

  function send(line: () => Buffer): void {
    if (muted || !open) return;
    outbox.push(line);
    outbox.pump();
  }

  function sendEvent(event: StoreEvent): void {
    if (event.resourceVersion <= request.after || !selection.includes(event.object)) return;
    send(as.convert ? () => objectLine(event.type, event.object, as) : () => event.line());
  }

  function finish(): void {
    if (!open) return;
    open = false;
    outbox.close();
    unsubscribe();
    onClosed();
  }

  const unsubscribe = kind.watch(sendEvent);
  for (const object of request.initial) outbox.push(() => objectLine('ADDED', object, as));
  const { initialEnd } = request;
  if (initialEnd !== null) outbox.push(() => bookmarkLine(as, initialEnd, true));
  outbox.pump();
  for (const event of request.missed) sendEvent(event);

  return {
    kind,
    tick() {
      const now = manners.now();
      if (now >= request.deadline) {
        body.end();
        finish();
      } else if (request.bookmarks && now >= bookmarkDue) {
        bookmarkDue = now + manners.bookmarkInterval;
        const version = manners.resourceVersion();
        if (!manners.bookmarksDropped() && version >= request.after) send(() => bookmarkLine(as, version, false));
      }
    },
    mute: () => void (muted = true),
    sendRaw: (line) => send(() => Buffer.from(line)),
    end() {
      body.end();
      finish();
    },
    reset() {
      body.reset();
      finish();
    },
    drained: () => outbox.drained(),
    closed: finish,
  };
}
