import { connect } from 'node:http2';
import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import { parseForeign } from '#lib/foreign.ts';
import type { ForeignObject } from '#lib/foreign.ts';

/** An answer as a test looks at it. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: ForeignObject | null;
}

/** A watch as a test looks at it. */
export interface TestWatch {
  readonly events: ForeignObject[];
  types(): unknown[];
  status(): number;
  ended(): boolean;
  failed(): boolean;
  /** Lines that were no JSON. */
  broken(): number;
}

/** A plain HTTP/2 client of one API server; shares no code with the collector. */
export interface TestClient {
  get(path: string, headers?: { readonly [name: string]: string }): Promise<TestAnswer>;
  post(path: string, body: object): Promise<TestAnswer>;
  send(method: string, path: string, body: object): Promise<TestAnswer>;
  watch(path: string): TestWatch;
  ping(): Promise<unknown>;
  maxConcurrentStreams(): number | undefined;
  wentAway(): boolean;
  closed(): boolean;
  close(): void;
}

/** Waits until `condition` holds, with a deadline of five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited five seconds in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Reads a watch from its stream, line by line. */
function watchOf(stream: ClientHttp2Stream): TestWatch {
  const events: ForeignObject[] = [];
  let rest = '';
  let status = 0;
  let ended = false;
  let failed = false;
  let broken = 0;
  stream.on('response', (headers) => void (status = headers[':status'] ?? 0));
  stream.on('error', () => void (failed = true));
  stream.on('end', () => void (ended = true));
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = parseForeign(line);
      if (event) events.push(event);
      else broken++;
    }
  });
  return {
    events,
    types: () => events.map((event) => event['type']),
    status: () => status,
    ended: () => ended,
    failed: () => failed,
    broken: () => broken,
  };
}

/** Connects by HTTP/2; rejects where that fails. */
export async function openTestClient(url: string, ca: string, token: string): Promise<TestClient> {
  const session = connect(url, { ca });
  let goneAway = false;
  await new Promise<void>((resolve, reject) => {
    session.once('error', reject);
    session.once('remoteSettings', () => {
      session.off('error', reject);
      resolve();
    });
  });
  session.on('error', () => undefined);
  session.on('goaway', () => void (goneAway = true));

  function open(
    method: string,
    path: string,
    headers: { readonly [name: string]: string },
    endStream = true,
  ): ClientHttp2Stream {
    return session.request(
      { ':method': method, ':path': path, authorization: `Bearer ${token}`, ...headers },
      { endStream },
    );
  }

  function exchange(
    method: string,
    path: string,
    headers: { readonly [name: string]: string },
    body?: object,
  ): Promise<TestAnswer> {
    return new Promise((resolve, reject) => {
      const stream = open(method, path, headers, body === undefined);
      let received: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
      let text = '';
      stream.on('response', (head) => void (received = head));
      stream.on('error', reject);
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => void (text += chunk));
      stream.on('end', () =>
        resolve({ status: received[':status'] ?? 0, headers: received, text, json: parseForeign(text) }),
      );
      if (body !== undefined) stream.end(JSON.stringify(body));
    });
  }

  return {
    get: (path, headers = {}) => exchange('GET', path, headers),
    post: (path, body) => exchange('POST', path, { 'content-type': 'application/json' }, body),
    send: (method, path, body) => exchange(method, path, { 'content-type': 'application/json' }, body),
    watch: (path) => watchOf(open('GET', path, {})),
    ping: () => new Promise((resolve) => void session.ping((error) => void (error ?? resolve('pong')))),
    maxConcurrentStreams: () => session.remoteSettings.maxConcurrentStreams,
    wentAway: () => goneAway,
    closed: () => session.closed || session.destroyed,
    close: () => session.destroy(),
  };
}
