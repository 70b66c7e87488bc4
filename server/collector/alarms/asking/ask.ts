import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { foreignMessage, messageAt } from '#lib/foreign-words.ts';
import { parseForeign } from '#lib/foreign.ts';
import { formatCount } from '#lib/format/number.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import { refuseAnnounced } from '#server/runtime/bytes/announced.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { type Access, readAccess } from './access.ts';
import type { Asked } from './asked.ts';
import { gather, type Gathered } from './gather.ts';
import { readJson } from './read-json.ts';

/** Asks one program by a path and its parameters. Never rejects. */
export type Ask = (path: string, parameters?: Readonly<Record<string, string>>) => Promise<Asked>;

/** Bounds of an answer: ms and bytes. */
export interface AskBounds {
  readonly deadline: number;
  readonly mostBytes: number;
}

const askBounds: AskBounds = { deadline: 10_000, mostBytes: 64 * 1024 ** 2 };

/** Bytes that are read of an answer that refuses. */
const mostOfRefusal = 65_536;

/** Parameters of whoever asks. */
export interface AskerDeps {
  readonly entry: AlarmEntry;
  /** The program's own, without a slash at its end. */
  readonly address: string;
  readonly clock: Clock;
  /** Ends what is asked. */
  readonly signal: AbortSignal;
  readonly bounds?: AskBounds;
}

/**
 * Makes what asks a program: GET alone, each time on a connection of its own, no redirect followed, no cookie kept or sent; within a deadline
 * for the whole answer and a bound of its bytes, compressed and decompressed.
 */
export function createAsk({ entry, address, clock, signal, bounds = askBounds }: AskerDeps): Ask {
  return async (path, parameters = {}) => {
    const access = await readAccess(entry);
    if (typeof access === 'object') {
      const query = new URLSearchParams(parameters).toString();
      const url = new URL(`${address}${path}${query === '' ? '' : `?${query}`}`);
      return exchange(url, path, { access, clock, signal, bounds });
    }
    return { type: 'failed', reason: access };
  };
}

interface Exchange {
  readonly access: Access;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly bounds: AskBounds;
}

function exchange(url: URL, path: string, { access, clock, signal, bounds }: Exchange): Promise<Asked> {
  return new Promise((resolve) => {
    let request: ClientRequest | null = null;
    const late = `It did not answer within ${formatCount(Math.ceil(bounds.deadline / 1_000))} s.`;
    const timer = clock.after(bounds.deadline, () => end({ type: 'failed', reason: late }));
    const abort = (): void => end({ type: 'failed', reason: 'Plumbline has stopped asking.' });

    function end(asked: Asked): void {
      timer.cancel();
      signal.removeEventListener('abort', abort);
      request?.destroy();
      resolve(asked);
    }

    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    try {
      request = begin(url, access);
    } catch (error) {
      return end(unreachable(error));
    }
    request.on('error', (error) => end(unreachable(error)));
    refuseAnnounced(request, () => end({ type: 'failed', reason: 'It announces an answer, and sends none.' }));
    request.on('response', (response) => {
      void answerOf(response, path, access, bounds).then(end);
    });
    request.end();
  });
}

function begin(url: URL, { headers, ca }: Access): ClientRequest {
  const options = {
    method: 'GET',
    // A connection of its own for each question: one that is kept may be closed by the other side just as it is used.
    agent: false,
    headers: { ...headers, accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'plumbline' },
  } as const;
  return url.protocol === 'https:'
    ? tlsRequest(url, ca === null ? options : { ...options, ca })
    : plainRequest(url, options);
}

function unreachable(error: unknown): Asked {
  const words =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : 'no reason';
  return {
    type: 'failed',
    reason: `It cannot be reached: ${foreignMessage(words.replace(/\s+/g, ' ').slice(0, 300))}.`,
  };
}

async function answerOf(
  response: IncomingMessage,
  path: string,
  access: Access,
  { mostBytes }: AskBounds,
): Promise<Asked> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400)
    return { type: 'failed', reason: `It answers with a redirect (HTTP ${status}), and none is followed.` };
  const gathered = await gather(response, status === 200 ? mostBytes : mostOfRefusal);
  if (status !== 200) return { type: 'failed', reason: refusalText(status, path, access, gathered) };
  switch (gathered.type) {
    case 'too-large':
      return {
        type: 'failed',
        reason: `Its answer to ${path} is larger than ${formatCount(mostBytes / 1024 ** 2)} MB.`,
      };
    case 'failed':
      return gathered;
    case 'ok':
      return readJson(gathered.text);
  }
}

function refusalText(status: number, path: string, { hasToken }: Access, gathered: Gathered): string {
  switch (status) {
    case 401:
      return hasToken
        ? 'It refuses the token (HTTP 401).'
        : 'It asks for credentials (HTTP 401): name a file with a token under tokenFile.';
    case 403:
      return `It does not let us read ${path} (HTTP 403).`;
    case 404:
      return `It has no ${path} (HTTP 404): is its address right, with its path?`;
    default: {
      const said = gathered.type === 'ok' ? messageAt(parseForeign(gathered.text), 'error') : null;
      return `It answers ${path} with HTTP ${status}${said === null ? '' : `: ${said.replace(/\s+/g, ' ').slice(0, 300)}`}.`;
    }
  }
}
