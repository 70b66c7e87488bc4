import { numberAt, parseForeign } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import { type Failure, failure } from '../answer.ts';
import { exchangeOnce, type WholeAnswer } from './exchange.ts';
import type { Link, LinkDeps } from './link.ts';

type Greeting = { readonly type: 'ok'; readonly version: string | null } | Failure;

/** Asks for the version, and whether it is ready: one that starts refuses and misses what it will serve a moment later. */
export async function greet(deps: LinkDeps, link: Link): Promise<Greeting> {
  const version = await askVersion(deps, link);
  if (version.type === 'fault') return version;
  const ready = await ask(deps, link, '/readyz');
  // An API server closes an HTTP/2 connection after an anonymous request too, however it answered that one.
  if (ready.type === 'fault') return deps.access.unaccepted?.() ? unauthorized(deps) : failure(ready.fault);
  if (ready.type === 'ok' && ready.status >= 500)
    return failure({ type: 'server', status: ready.status, message: 'the API server is not ready' });
  return version;
}

async function askVersion(deps: LinkDeps, link: Link): Promise<Greeting> {
  const answer = await ask(deps, link, '/version');
  if (answer.type === 'fault') return failure(answer.fault);
  if (answer.type === 'too-large') return { type: 'ok', version: null };
  if (answer.status === 401) {
    // An API server closes an HTTP/2 connection after an unauthenticated request: the next attempt dials anew, with
    // credentials that are read anew.
    deps.access.refresh();
    return unauthorized(deps);
  }
  if (answer.status === 400 && isTlsBehind(deps, answer.body))
    return failure({
      type: 'protocol',
      message: 'server: it speaks TLS, and the kubeconfig says http://; write https://',
    });
  if (answer.status >= 500) return failure({ type: 'server', status: answer.status, message: `HTTP ${answer.status}` });
  const body = parseForeign(answer.body.toString());
  return { type: 'ok', version: numberAt(body, 'code') === null ? nameAt(body, 'gitVersion') : null };
}

function unauthorized({ access }: LinkDeps): Failure {
  const why = access.unaccepted?.() ?? null;
  const message = `the cluster does not accept the credentials${why === null ? '' : `: ${why}`}`;
  return failure({ type: 'unauthorized', message });
}

/** Go's servers say so to plain HTTP. */
function isTlsBehind({ access }: LinkDeps, body: Buffer): boolean {
  return URL.parse(access.server)?.protocol === 'http:' && body.toString().includes('to an HTTPS server');
}

async function ask({ access, clock, tuning }: LinkDeps, link: Link, path: string): Promise<WholeAnswer | Failure> {
  const headers = await access.headers();
  if (headers.type === 'fault') return headers;
  const request = { path: basePath(access.server) + path, headers: headers.headers, review: null };
  return exchangeOnce({ link, request, clock, timeout: tuning.connectTimeout, most: 100_000 });
}

/** The path of a server's URL, without a trailing slash: some servers are reached below one (e.g. through Rancher). */
export function basePath(server: string): string {
  return URL.parse(server)?.pathname.replace(/\/$/, '') ?? '';
}
