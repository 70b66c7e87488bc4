// One hostile API server in a process of its own: node test/hostile/servers/hostile-server.ts SICKNESS
import http2 from 'node:http2';
import https from 'node:https';
import type { Writable } from 'node:stream';
import { selfSigned } from '#server/collector/clusters/testing/self-signed.ts';
import { discoveryOf, type Asked } from './answers.ts';
import { clocksAhead, overHttp1, sicknesses } from './sickness.ts';

const begin = sicknesses[process.argv[2] ?? ''];
if (begin === undefined) throw new Error(`no sickness ${process.argv[2]}`);
const sickness = begin();

const { cert, key } = selfSigned();
const isOld = overHttp1.includes(process.argv[2] ?? '');
const server = isOld
  ? https.createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (request, response) => {
      answer(request.url, response, () => (response.shouldKeepAlive = false));
    })
  : http2.createSecureServer({ cert, key }, (request, response) => {
      response.stream?.on('error', () => undefined);
      answer(request.url, response, () => response.stream?.session?.goaway());
    });
server.on('session', (session: http2.ServerHttp2Session) => session.on('error', () => undefined));
server.on('sessionError', () => undefined);
server.on('tlsClientError', () => undefined);

/** The answer to one request, over either protocol. */
interface Response extends Pick<Writable, 'on' | 'write' | 'end'> {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
}

function answer(path: string | undefined, response: Response, goAway: () => void): void {
  const ahead = clocksAhead[process.argv[2] ?? ''];
  if (ahead !== undefined) response.setHeader('date', new Date(Date.now() + ahead).toUTCString());
  const asked = askedOf(new URL(path ?? '/', 'https://x'), response, goAway);
  if (!sickness(asked)) healthy(asked);
}

function askedOf(url: URL, response: Response, goAway: () => void): Asked {
  return {
    goAway,
    path: url.pathname,
    query: url.searchParams,
    json(status, body, headers = {}) {
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.end(body);
    },
    pour(more) {
      response.setHeader('content-type', 'application/json');
      // HTTP/1.1 sends the head with the first byte.
      response.write('\n');
      let isGone = false;
      response.on('close', () => {
        isGone = true;
      });
      const go = (): void => {
        for (;;) {
          if (isGone) return;
          const text = more();
          if (text === null || !response.write(text)) return;
        }
      };
      response.on('drain', go);
      go();
    },
  };
}

/** As a server does that has nothing. */
function healthy({ path, query, json, pour }: Asked): void {
  if (path === '/version') return json(200, '{"gitVersion":"v1.34.3","major":"1","minor":"34"}');
  if (path === '/readyz') return json(200, '{}');
  if (path === '/apis') return json(200, discoveryOf(0));
  if (query.get('watch') === 'true') return pour(() => null);
  const kind = path.endsWith('/events') ? 'EventList' : 'List';
  json(200, JSON.stringify({ kind, apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] }));
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ type: 'ready', url: `https://127.0.0.1:${port}`, ca: cert });
});
process.on('disconnect', () => process.exit(0));
