import type { RequestHeaders } from '../access.ts';
import type { Failure } from '../answer.ts';
import type { Connection } from './connection.ts';
import { basePath } from './greet.ts';
import { createParseTurns } from '../parsing/parse-turns.ts';
import { createUnderWay } from '../under-way.ts';
import type { Link, LinkDeps, LinkRequest } from './link.ts';

/** A link for one request, and what the request needs besides. */
export interface Ready {
  readonly type: 'ok';
  readonly link: Link;
  /** Makes the request: the path below the server's URL, and headers besides those that authenticate it. */
  request(path: string, headers: RequestHeaders, review: string | null): LinkRequest;
  /** After a 401: credentials are read anew, and links too, where these were not replaced already. */
  renewCredentials(): void;
}

/** Gives requests a link and credentials. */
export type Sender = ReturnType<typeof createSender>;

const agent = 'plumbline';

export function createSender({ access, clock, tuning }: LinkDeps, connection: Connection) {
  const base = basePath(access.server);
  /** Counts the readings of the credentials. */
  let readings = 0;
  let renewedAt = -Infinity;

  /** Thirty watches that meet a 401 together re-read the credentials once; bad ones are not re-read all the time. */
  function renew(refused: number): void {
    if (refused !== readings || clock.now() - renewedAt < tuning.renewEvery) return;
    readings++;
    renewedAt = clock.now();
    access.refresh();
    connection.renew();
  }

  return {
    clock,
    underWay: createUnderWay(tuning.underWayBytes),
    turns: createParseTurns(),
    /** The link may have filled or gone while the credential was fetched: callers look for room before they open. */
    async prepare(use: 'watch' | 'get', signal: AbortSignal): Promise<Ready | Failure> {
      const acquired = await connection.acquire(use, signal);
      if (acquired.type === 'fault') return acquired;
      const reading = readings;
      const credentials = await access.headers();
      if (credentials.type === 'fault') return credentials;
      return {
        type: 'ok',
        link: acquired.link,
        request: (path, headers, review) => ({
          path: base + path,
          headers: { ...headers, 'user-agent': agent, ...credentials.headers },
          review,
        }),
        renewCredentials: () => renew(reading),
      };
    },
  };
}
