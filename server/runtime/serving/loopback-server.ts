import type { IncomingMessage } from 'node:http';
import type { Log } from '../log.ts';
import { isLoopback } from '../loopback.ts';
import { plainAnswer, type SmallAnswer, type SmallStart, startSmallServer } from './small-server.ts';

interface LoopbackDeps {
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  /** By path. */
  readonly answers: ReadonlyMap<string, () => SmallAnswer | Promise<SmallAnswer>>;
}

/**
 * Serves this machine alone: it is bound to 127.0.0.1, on a port that nothing for people shares, so that no proxy of theirs leads to it; it
 * answers under names of this machine (else 421), so that no name that somebody points to it does either; and nothing but GET and HEAD (405).
 */
export async function startLoopbackServer({ port, log, answers }: LoopbackDeps): Promise<SmallStart> {
  async function answer(request: IncomingMessage): Promise<SmallAnswer> {
    if (!isOwnHost(request)) return plainAnswer(421, 'not served under this host\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return plainAnswer(405, 'only GET\n');
    // A page of another site, in a browser on this machine, is not to have us work.
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'none' && site !== 'same-origin')
      return plainAnswer(403, 'not for other sites\n');
    const found = answers.get(request.url ?? '');
    return found === undefined ? plainAnswer(404, 'not found\n') : found();
  }

  return startSmallServer({ host: '127.0.0.1', port, log, answer });
}

/** True where a request names this machine by one of its own names, once. */
function isOwnHost({ headersDistinct }: IncomingMessage): boolean {
  const [host = '', ...others] = headersDistinct.host ?? [];
  const [, bracketed, plain] =
    /^(?:\[([\da-f:]{2,39})\]|([a-z\d.-]{1,253}))(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  return others.length === 0 && isLoopback(bracketed ?? plain ?? '');
}
