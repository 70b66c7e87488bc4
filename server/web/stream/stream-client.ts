import type { ServerResponse } from 'node:http';

/** One browser that listens. */
export interface StreamClient {
  /** Sends bytes, or lets them go where the client is too slow; it is then told to start again as soon as it can. */
  send(bytes: Buffer): void;
  close(): void;
}

/**
 * Wraps an open response. A slow client costs a bounded buffer and never delays the others: `mostWaiting` bytes may wait for it, and
 * what `restart` makes is sent in place of what it missed.
 */
export function streamClient(
  response: ServerResponse,
  restart: () => Buffer,
  mostWaiting: number = 1024 * 1024,
): StreamClient {
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
    close: () => void response.end(),
  };
}
