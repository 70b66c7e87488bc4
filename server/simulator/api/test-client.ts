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
export type TestWatch = ReturnType<typeof watchOf>;

/** A plain HTTP/2 client of one API server; shares no code with the collector. */
export type TestClient = Awaited<ReturnType<typeof openTestClient>>;

type Headers = { readonly [name: string]: string };

/** Waits until `condition` holds, with a deadline of five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited five seconds in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Reads a watch from its stream, line by line. */
function watchOf(stream: ClientHttp2Stream) {
  const events: ForeignObject[] = [];
  let unread = '';
  let status = 0;
  let ended = false;
  let failed = false;
  let broken = 0;
  stream.on('response', (headers) => void (status = headers[':status'] ?? 0));
  stream.on('error', () => void (failed = true));
  stream.on('end', () => void (ended = true));
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (unread + chunk).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const event = parseForeign(line);
      if (event) events.push(event);
      else broken++;
    }
  });
  return {
    events,
    types: (): unknown[] => events.map((event) => event['type']),
    status: (): number => status,
    ended: (): boolean => ended,
    failed: (): boolean => failed,
    /** Lines that were no JSON. */
    broken: (): number => broken,
  };
}

/** Connects by HTTP/2; rejects where that fails. */
export async function openTestClient(url: string, ca: string, token: string) {
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

  function open(method: string, path: string, headers: Headers = {}, endStream = true): ClientHttp2Stream {
    const asked = { ':method': method, ':path': path, authorization: `Bearer ${token}`, ...headers };
    return session.request(asked, { endStream });
  }

  function exchange(method: string, path: string, headers: Headers, body?: object): Promise<TestAnswer> {
    return new Promise((resolve, reject) => {
      const stream = open(method, path, headers, body === undefined);
      let received: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
      let text = '';
      stream.on('response', (headers) => void (received = headers));
      stream.on('error', reject);
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => void (text += chunk));
      stream.on('end', () =>
        resolve({ status: received[':status'] ?? 0, headers: received, text, json: parseForeign(text) }),
      );
      if (body !== undefined) stream.end(JSON.stringify(body));
    });
  }

  const send = (method: string, path: string, body: object): Promise<TestAnswer> =>
    exchange(method, path, { 'content-type': 'application/json' }, body);

  return {
    get: (path: string, headers: Headers = {}): Promise<TestAnswer> => exchange('GET', path, headers),
    post: (path: string, body: object): Promise<TestAnswer> => send('POST', path, body),
    send,
    watch: (path: string): TestWatch => watchOf(open('GET', path)),
    ping: () => new Promise((resolve) => void session.ping((error) => void (error ?? resolve('pong')))),
    maxConcurrentStreams: (): number | undefined => session.remoteSettings.maxConcurrentStreams,
    wentAway: (): boolean => goneAway,
    closed: (): boolean => session.closed || session.destroyed,
    close: (): void => session.destroy(),
  };
}
