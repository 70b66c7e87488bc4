import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;
export type Headers = { readonly [name: string]: string };

/** The body of an answer that is written bit by bit. */
export interface BodyStream {
  /** False where the client does not keep up; `drained` is called when it does again. */
  write(chunk: Buffer): boolean;
  end(): void;
  /** Cuts the stream without ending it: RST_STREAM, or a closed connection on HTTP/1.1. */
  reset(): void;
}

/** One request and its answer, alike for HTTP/2 and HTTP/1.1. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  header(name: string): string;
  body(): Promise<string>;
  send(status: number, headers: Headers, body: Buffer): void;
  open(status: number, headers: Headers, on: { drained(): void; closed(): void }): BodyStream;
  /**
   * Takes no further request on this connection and closes it when the last stream has ended: an API server does so after an
   * HTTP/2 request that it could not authenticate (apiserver authentication.go, UnauthenticatedHTTP2DOSMitigation).
   */
  sayGoodbye(): void;
  /** True if the client has gone. */
  gone(): boolean;
}

/** Wraps a request of either protocol. */
export function exchangeOf(request: AnyRequest, response: AnyResponse): Exchange {
  let closed = false;
  response.on('close', () => void (closed = true));
  response.on('error', () => void (closed = true));

  function writeHead(status: number, headers: Headers): void {
    if ('stream' in response) response.writeHead(status, { ...headers });
    else response.writeHead(status, { ...headers });
  }

  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'https://localhost'),
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(',') : (value ?? '');
    },
    async body() {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString();
    },
    send(status, headers, body) {
      if (closed) return;
      writeHead(status, { 'content-length': String(body.length), ...headers });
      if ('stream' in response) response.end(body);
      else response.end(body);
    },
    open(status, headers, on) {
      response.on('close', on.closed);
      response.on('drain', on.drained);
      writeHead(status, headers);
      if ('stream' in response) {
        const stream = response.stream;
        return {
          write: (chunk) => closed || stream.destroyed || stream.write(chunk),
          end: () => void (closed || response.end()),
          reset: () => void (closed || stream.close(2)),
        };
      }
      response.flushHeaders();
      return {
        write: (chunk) => closed || response.write(chunk),
        end: () => void (closed || response.end()),
        reset: () => void response.destroy(),
      };
    },
    sayGoodbye() {
      const session = 'stream' in request ? request.stream.session : undefined;
      session?.goaway(0);
      session?.close();
    },
    gone: () => closed,
  };
}
