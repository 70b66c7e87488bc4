import type { Failure } from './answer.ts';

/** The certificates and names of a TLS connection to a cluster. PEM texts. */
export interface TlsMaterial {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  /** The name that the server's certificate must bear; null for the host of the URL. */
  readonly serverName: string | null;
  /** True for insecure-skip-tls-verify. */
  readonly insecure: boolean;
}

export type RequestHeaders = { readonly [name: string]: string | readonly string[] };

/** The way into one cluster. Every failure (a file that is gone, a plugin that is refused or fails) is a value. */
export interface ClusterAccess {
  /** The server's URL, http or https, maybe with a path, without a trailing slash. */
  readonly server: string;
  /** Read anew for each connection. */
  tls(): Promise<{ readonly type: 'ok'; readonly tls: TlsMaterial } | Failure>;
  /** The headers that authenticate one request. */
  headers(): Promise<{ readonly type: 'ok'; readonly headers: RequestHeaders } | Failure>;
  /** Called after a 401: forgets what was read, so that the next call reads it anew. */
  refresh(): void;
  /** Why the cluster may not accept the credentials that were used last, a clause; null where they do not tell. */
  unaccepted?(): string | null;
}
