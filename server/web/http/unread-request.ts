import type { Duplex } from 'node:stream';
import { problemOf } from './problem.ts';

const phrases: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers what is no request of HTTP; where its target is why (control characters), with the problem that every other bad address gets. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = error.code === 'HPE_INVALID_URL' ? JSON.stringify(problemOf({ type: 'bad-address' })) : '';
  const head = [
    `HTTP/1.1 ${phrases[error.code ?? ''] ?? '400 Bad Request'}`,
    ...(body === '' ? [] : ['Content-Type: application/problem+json; charset=utf-8']),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  // Who never ends its side would keep the connection.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
