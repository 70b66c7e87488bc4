import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Answer to a request that was written byte by byte. */
export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Sends a GET as no client would: `target` (latin1) goes out as it is, `headers` as they are (a Host of its own is not added), and gives
 * the whole answer. Rejects where the connection fails.
 */
export async function rawRequest(
  origin: string,
  target: string,
  headers: readonly string[] = ['Host: localhost'],
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write([`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'), 'latin1');
  const whole = await text(socket);
  const end = whole.indexOf('\r\n\r\n');
  const head = whole.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    type: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
    body: whole.slice(end + 4),
  };
}
