import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { type ForeignObject, parseForeign, textAt } from '#lib/foreign.ts';
import { until } from './until.ts';

/** An answer of an API server. */
export interface KubeAnswer {
  readonly status: number;
  readonly body: ForeignObject | null;
}

/** Fields that a manifest must have to be placed. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** Names one object by its URL's parts. */
export interface Place {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One API server seen with one token. */
export interface KubeClient {
  get(path: string): Promise<KubeAnswer>;
  send(method: string, path: string, contentType: string, body: string): Promise<KubeAnswer>;
  /** An answer that does not end by itself: each piece of its body, and its end (also by an error). */
  stream(path: string, piece: (text: string) => void, ended: () => void): ClientRequest;
  /** Server-side apply, tried again for 20 s: a CRD is served some moments after it was applied. */
  apply(manifest: Manifest): Promise<void>;
  /** JSON merge patch. */
  merge(place: Place, patch: ForeignObject): Promise<void>;
  /** The object, or null where it is not there. */
  read(place: Place): Promise<ForeignObject | null>;
  remove(place: Place): Promise<void>;
}

/** Where an object lives below an API server. */
export function placePath(place: Place): string {
  const root = place.apiVersion.includes('/') ? `/apis/${place.apiVersion}` : `/api/${place.apiVersion}`;
  const scope = place.namespace === undefined ? '' : `/namespaces/${place.namespace}`;
  return `${root}${scope}/${plural(place.kind)}/${place.name}`;
}

function plural(kind: string): string {
  const lower = kind.toLowerCase();
  return /[^aeiou]y$/.test(lower) ? lower.replace(/y$/, 'ies') : `${lower}s`;
}

function placeOf(manifest: Manifest): Place {
  const { name, namespace } = manifest.metadata;
  return {
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** Where an API server is, and who asks. */
interface Address {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

function exchange(
  { url, ca, token }: Address,
  method: string,
  path: string,
  contentType: string,
  body: string,
): Promise<KubeAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      {
        method,
        ca,
        timeout: 10_000,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === '' ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: parseForeign(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 10 s')));
    outgoing.end(body);
  });
}

/** Makes a client. `ca` is PEM, `url` an origin such as https://127.0.0.1:6443. */
export function kubeClient(url: string, ca: string, token: string): KubeClient {
  const send: KubeClient['send'] = (...asked) => exchange({ url, ca, token }, ...asked);

  async function sure(method: string, path: string, contentType: string, body: string): Promise<KubeAnswer> {
    const answer = await send(method, path, contentType, body);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${textAt(answer.body, 'message') ?? ''}`);
  }

  return {
    get: (path) => send('GET', path, '', ''),
    send,
    stream(path, piece, ended) {
      const outgoing = request(`${url}${path}`, { ca, headers: { authorization: `Bearer ${token}` } }, (incoming) => {
        incoming.setEncoding('utf8');
        incoming.on('data', piece);
        incoming.on('error', () => undefined);
      });
      outgoing.on('error', () => undefined);
      outgoing.on('close', ended);
      outgoing.end();
      return outgoing;
    },
    async apply(manifest) {
      const path = `${placePath(placeOf(manifest))}?fieldManager=plumbline-bed&force=true`;
      let last: unknown = null;
      const done = await until(
        async () => {
          try {
            return await sure('PATCH', path, 'application/apply-patch+yaml', JSON.stringify(manifest));
          } catch (failure) {
            last = failure;
            return null;
          }
        },
        20_000,
        500,
      );
      if (done === null) throw last;
    },
    async merge(place, patch) {
      await sure('PATCH', placePath(place), 'application/merge-patch+json', JSON.stringify(patch));
    },
    async read(place) {
      const answer = await send('GET', placePath(place), '', '');
      return answer.status === 200 ? answer.body : null;
    },
    async remove(place) {
      const answer = await send('DELETE', placePath(place), '', '');
      if (answer.status >= 300 && answer.status !== 404)
        throw new Error(`DELETE ${placePath(place)}: ${answer.status}`);
    },
  };
}
