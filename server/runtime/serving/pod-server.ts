import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBoundedFile } from '../bounded-file.ts';
import type { Log } from '../log.ts';
import { plainAnswer, type SmallAnswer, type SmallStart, startSmallServer } from './small-server.ts';

/** Settings of what a process tells the cluster that it runs on. */
export interface PodSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** File with the token that a scrape must bear, read at each; null where there is none to be had by the network. */
  readonly scrapeToken: string | null;
}

interface PodServerDeps extends PodSettings {
  readonly log: Log;
  /** Why this process is not to get traffic, in words that name nothing of the fleet; null where it is. */
  readonly notReady: () => string | null;
  readonly metrics: () => Promise<{ readonly type: string; readonly body: string }>;
}

/** A token is shorter than this, and no shorter than 16. */
const longestToken = 4_096;
const shortestToken = 16;

/**
 * Serves a process in a pod on every address of it: a kubelet's probe and a Prometheus come by the pod's own. /healthz and /readyz say
 * whether it lives and is ready and no more, so whoever asks may know. /metrics names clusters and kinds: it is for who bears the token.
 */
export function startPodServer({ port, scrapeToken, log, notReady, metrics }: PodServerDeps): Promise<SmallStart> {
  async function scrape(request: IncomingMessage): Promise<SmallAnswer> {
    if (scrapeToken === null) return notFound;
    const read = await readBoundedFile(scrapeToken, { most: longestToken });
    const token = read.type === 'ok' ? read.text.trim() : '';
    if (token.length < shortestToken) {
      const why = read.type === 'ok' ? `holds no token of ${shortestToken} characters or more` : read.why;
      log.warn({ file: scrapeToken, reason: why }, 'nobody can scrape: the token cannot be used');
      return plainAnswer(503, 'the token of scrapes cannot be used\n');
    }
    if (!bears(request, token)) return plainAnswer(401, 'this needs the token of scrapes\n');
    return { status: 200, ...(await metrics()) };
  }

  function ready(): SmallAnswer {
    const reason = notReady();
    return reason === null ? ok : plainAnswer(503, `${reason}\n`);
  }

  async function answer(request: IncomingMessage): Promise<SmallAnswer> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return plainAnswer(405, 'only GET\n');
    switch (request.url) {
      case '/healthz':
        return ok;
      case '/readyz':
        return ready();
      case '/metrics':
        return scrape(request);
      default:
        return notFound;
    }
  }

  return startSmallServer({ host: null, port, log, answer });
}

const ok = plainAnswer(200, 'ok\n');
const notFound = plainAnswer(404, 'not found\n');

/** True where a request bears the token. Digests are compared, so that the time it takes tells nothing of either. */
function bears({ headersDistinct }: IncomingMessage, token: string): boolean {
  const [given = '', ...others] = headersDistinct.authorization ?? [];
  const [, credentials = ''] = /^Bearer +([!-~]{1,4096})$/i.exec(given) ?? [];
  return others.length === 0 && timingSafeEqual(digest(credentials), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
