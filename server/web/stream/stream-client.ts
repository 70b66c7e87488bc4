import type { ServerResponse } from 'node:http';

/** One browser that listens. */
export interface StreamClient {
  /** Sends bytes, or lets them go where the client is too slow; it is then told to start again as soon as it can. */
  send(bytes: Buffer): void;
  close(): void;
}

/** Parameters of a client: `restart` makes what a client gets that lost its place, when it is sent. */
export interface StreamClientDeps {
  readonly response: ServerResponse;
  readonly restart: () => Buffer;
  /** Bytes that may wait for a slow client. */
  readonly mostWaiting?: number;
}

/** Wraps an open response. A slow client costs a bounded buffer and never delays the others. */
export function streamClient({ response, restart, mostWaiting = 1024 * 1024 }: StreamClientDeps): StreamClient {
  let lagging = false;
  response.on('drain', () => {
    if (!lagging) return;
    lagging = false;
    response.write(restart());
  });
  return {
    send(bytes) {
      if (lagging || response.writableEnded || response.destroyed) return;
      if (response.writableLength + bytes.length > mostWaiting && response.writableLength > 0) {
        lagging = true;
        return;
      }
      response.write(bytes);
    },
    close() {
      response.end();
    },
  };
}
